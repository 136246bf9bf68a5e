import Glibc
import SystemSupport

/// A library that a component brings: the dynamic loader finds it in a directory that the component, or another library
/// that it brings, names; or it is the library of a description.
package struct BroughtLibrary: Hashable, Sendable {
    /// The name by which it is needed. For the library of a description, the name by which others could need it.
    let name: String
    /// The name in the library itself, which the loader also knows it by.
    let soname: String?
    /// The absolute path without links.
    let path: String
    let identity: FileIdentity
    /// Whether it is the library of a description. The loader opens it by its path, whatever is in memory, and knows it
    /// by its name from then on.
    var isDescribed = false
}

/// Finds the libraries that components bring, as the dynamic loader would. Whether they are trusted is another question;
/// see ``TrustChecker/checkLibraries(_:of:)``.
struct LibraryFinder {
    /// A component or a library, as in ``TrustChecker``.
    private struct Node {
        let origin: String
        let dynamic: ElfDynamic
        let inherited: [String]
    }

    /// A library, and what else it needs.
    private struct Found {
        let path: String
        let identity: FileIdentity
        let dynamic: ElfDynamic
    }

    /// All files that have been looked for.
    private(set) var followed = FollowedFiles()
    /// The results by path, because many components need the same libraries. Nil if there is none.
    private var known: [[UInt8]: Found?] = [:]
    private let buffers = ElfFile.Buffers()

    /// Adds the libraries that a description names.
    ///
    /// - Parameter folder: The directory of the description.
    mutating func add(libraries: [String], in folder: String) { followed.add(libraries: libraries, in: folder) }

    /// Returns the libraries that a component brings, directly and indirectly. What exceeds a limit is left out.
    ///
    /// - Parameters:
    ///   - dynamic: The dynamic section of its file.
    ///   - path: The canonical path of its file.
    mutating func libraries(of dynamic: ElfDynamic, at path: String) -> [BroughtLibrary] {
        var nodes = [Node(origin: path.splitPath.directory, dynamic: dynamic, inherited: [])]
        var libraries: [BroughtLibrary] = []
        var seen: Set<[UInt8]> = []
        var lookups = 0
        var next = 0
        while next < nodes.count, nodes.count <= LibraryBudget.maximumLibraries {
            let node = nodes[next]
            next += 1
            let own = node.dynamic.runPath.prefix(LibraryBudget.maximumEntries)
                .compactMap { SearchEntry.expand($0, origin: node.origin) }
                .filter { $0.utf8.first == UInt8(ascii: "/") }
            // Each library of a chain adds its own, and each is searched for what the last one needs.
            let all = Array((own + node.inherited).prefix(LibraryBudget.maximumPlaces))
            let searched = node.dynamic.hasRunPath ? own : all
            let inherited = node.dynamic.hasRunPath ? node.inherited : all
            for name in node.dynamic.needed + node.dynamic.filtered {
                let result = find(name, of: node.origin, in: searched, &lookups)
                guard lookups <= LibraryBudget.maximumLookups else { return libraries }
                guard let (found, origin) = result, seen.insert(Array(found.path.utf8)).inserted else { continue }
                libraries.append(
                    BroughtLibrary(name: name, soname: found.dynamic.soname, path: found.path, identity: found.identity)
                )
                nodes.append(Node(origin: origin, dynamic: found.dynamic, inherited: inherited))
            }
        }
        return libraries
    }

    /// Returns the library that the loader would find, and its `$ORIGIN`.
    ///
    /// - Parameter lookups: The number of paths that have been looked at. Beyond the limit, nothing is found.
    private mutating func find(
        _ name: String, of origin: String, in directories: [String], _ lookups: inout Int
    ) -> (Found, origin: String)? {
        guard let expanded = SearchEntry.expand(name, origin: origin) else { return nil }
        for directory in expanded.hasASCII("/") ? [""] : directories {
            lookups += 1
            guard lookups <= LibraryBudget.maximumLookups else { return nil }
            let path =
                switch directory {
                case "": expanded
                case "/": "/\(expanded)"
                default: "\(directory)/\(expanded)"
                }
            if let found = find(path) { return (found, path.splitPath.directory) }
        }
        return nil
    }

    private mutating func find(_ path: String) -> Found? {
        let key = Array(path.utf8)
        if let result = known[key] { return result }
        followed.add(path: path)
        let result = read(path)
        known[key] = .some(result)
        return result
    }

    /// - Returns: Nil if the loader would look elsewhere.
    private func read(_ path: String) -> Found? {
        guard let canonical = try? TrustChecker.canonicalPath(path) else { return nil }
        let descriptor = unsafe open(canonical, TrustChecker.fileFlags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let elf = try? ElfFile(descriptor: descriptor, size: Int64(status.st_size), buffers: buffers),
            let dynamic = try? elf.dynamic()
        else { return nil }
        return Found(path: canonical, identity: FileIdentity(status), dynamic: dynamic)
    }
}
