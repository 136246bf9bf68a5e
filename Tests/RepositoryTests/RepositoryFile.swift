import Foundation
import TestSupport
import Testing

/// A text file of the project.
struct RepositoryFile: Sendable, CustomStringConvertible {
    /// The path relative to the package's directory.
    let path: String
    let bytes: Data

    var description: String { path }

    /// The text of the file; invalid UTF-8 is repaired.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    var isSwift: Bool { path.hasSuffix(".swift") }

    func contains(_ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

    /// Returns the lines that contain `text`, with their numbers from 1. Fast if there are none.
    func lines(with text: String) -> [(number: Int, line: Substring)] {
        guard contains(text) else { return [] }
        return self.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.element.contains(text) }.map { ($0.offset + 1, $0.element) }
    }

    /// All text files. This does not use git, so that an archive of the project can be checked too. Files of builds,
    /// git and editors are in hidden folders, or match `leftovers`.
    static let table = CaseTable("the text files of the package") {
        try files(in: BuiltProducts.packageDirectory, as: "").sorted { $0.path < $1.path }
    }

    static var all: [RepositoryFile] { table.cases }

    private static func files(in folder: URL, as path: String) throws -> [RepositoryFile] {
        let keys: Set<URLResourceKey> = [.isDirectoryKey, .isRegularFileKey]
        let found = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))
        return try found.flatMap { url -> [RepositoryFile] in
            let name = url.lastPathComponent
            let kind = try url.resourceValues(forKeys: keys)
            if kind.isDirectory == true {
                return name.hasPrefix(".") && name != ".ci" ? [] : try files(in: url, as: "\(path)\(name)/")
            }
            guard kind.isRegularFile == true, !leftovers.contains(where: name.hasSuffix) else { return [] }
            let bytes = try Data(contentsOf: url)
            // Other files are not text.
            return bytes.contains(0) ? [] : [RepositoryFile(path: path + name, bytes: bytes)]
        }
    }

    private static let leftovers = ["Package.resolved", ".so", ".o", ".swp", "~", ".DS_Store"]

    /// The Swift files.
    static let swift = all.filter(\.isSwift)

    /// The Swift files of the products; those of tests are left out.
    static let products = swift.filter { $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Plugins/") }

    /// The folders in a folder of the package, which have text files below them.
    static func wings(of folder: String) -> Set<String> {
        let parts = all.map { $0.path.split(separator: "/") }
        return Set(parts.filter { $0.count > 2 && $0[0] == folder }.map { String($0[1]) })
    }
}
