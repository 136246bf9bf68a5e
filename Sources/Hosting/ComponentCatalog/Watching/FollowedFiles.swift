import Glibc
import SystemSupport

/// The files outside of the directories of components that a scan has looked for, whether they exist or not: libraries
/// that components need, and libraries that descriptions name.
///
/// Names are bytes, as for the system.
package struct FollowedFiles: Hashable, Sendable {
    /// A file may name many libraries; further ones are not watched, only found by the next scan.
    private static let maximumNames = 65_536

    /// The names by the paths of their directories, which may have links.
    private(set) var directories: [[UInt8]: Set<[UInt8]>] = [:]
    private var count = 0

    /// Creates a value without files.
    package init() {}

    /// Adds a file in a directory.
    mutating func add(_ name: String, in directory: String) {
        guard count < FollowedFiles.maximumNames else { return }
        if directories[Array(directory.utf8), default: []].insert(Array(name.utf8)).inserted { count += 1 }
    }

    /// Adds a file by its path. Ignored unless the path is absolute.
    mutating func add(path: String) {
        guard path.utf8.first == UInt8(ascii: "/") else { return }
        let (directory, name) = path.splitPath
        add(name, in: directory)
    }

    /// Returns the files of both.
    func union(_ other: FollowedFiles) -> FollowedFiles {
        var both = self
        both.directories.merge(other.directories) { $0.union($1) }
        both.count = both.directories.values.reduce(0) { $0 + $1.count }
        return both
    }

    /// Adds the libraries that a description names, as far as the dynamic loader gets a path.
    ///
    /// - Parameter folder: The directory of the description.
    mutating func add(libraries: [String], in folder: String) {
        for library in libraries {
            add(path: library.hasExactPrefix("./") ? "\(folder)/\(library.without(exactPrefix: "./"))" : library)
        }
    }
}
