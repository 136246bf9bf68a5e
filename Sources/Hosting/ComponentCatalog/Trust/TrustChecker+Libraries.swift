import Glibc
import SystemSupport

/// A component or one of its libraries, as the dynamic loader reaches it.
private struct LibraryNode {
    /// A prefix for messages that says how the node was reached, such as "its library libA.so: ".
    let way: String
    /// The value of `$ORIGIN` for this file.
    let origin: String
    let dynamic: ElfDynamic
    /// The directories in the `DT_RPATH` of the files that need this one, the nearest first.
    let inherited: [String]
}

/// Limits on the file system lookups for one component, far above what any valid component needs.
struct LibraryBudget {
    static let maximumEntries = 256
    static let maximumPlaces = 1024
    static let maximumLibraries = 1024
    static let maximumLookups = 65_536

    private var lookups = 0

    mutating func lookUp() throws(ComponentFileError) {
        lookups += 1
        try LibraryBudget.check(lookups, atMost: LibraryBudget.maximumLookups, of: "library lookups")
    }

    static func check(_ count: Int, atMost maximum: Int, of what: String) throws(ComponentFileError) {
        guard count > maximum else { return }
        throw ComponentFileError(.malformed, "its libraries and search paths need more than \(maximum) \(what)")
    }
}

extension TrustChecker {
    /// Refuses a file if the dynamic loader could load a library from a location that other users can change. For each
    /// library that a file needs, the loader searches the directories that the file names, then those of the system.
    /// The same applies to the libraries themselves.
    ///
    /// Every directory in a search path is checked, and so is everything on the path to it, even if the directory does
    /// not exist or comes after the one in which a library is found. Every library that is found in these directories
    /// is checked too. Any other library comes from the system.
    ///
    /// - Parameters:
    ///   - dynamic: The dynamic section of the file.
    ///   - path: The canonical path of the file.
    /// - Throws: The policy's error, with the name of the library, its directory and what to do;
    ///   `untrustedSearchPath` if a search path is not absolute or cannot be resolved; `malformed` if a limit is
    ///   exceeded.
    package mutating func checkLibraries(_ dynamic: ElfDynamic, of path: String) throws(ComponentFileError) {
        guard policy.isChecked, dynamic.namesPlaces else { return }
        let origin = path.splitPath.directory
        let question = LibraryMemory.Question(dynamic, origin: origin)
        if let known = libraries.answers[question] {
            if let known { throw known }
            return
        }
        var answer: ComponentFileError?
        do throws(ComponentFileError) {
            try checkAll(dynamic, origin: origin)
        } catch {
            answer = error
        }
        libraries.answers[question] = .some(answer)
        if let answer { throw answer }
    }

    /// Checks all libraries breadth-first, like the loader, and each library once per list of inherited directories.
    private mutating func checkAll(_ dynamic: ElfDynamic, origin: String) throws(ComponentFileError) {
        var nodes = [LibraryNode(way: "", origin: origin, dynamic: dynamic, inherited: [])]
        var seen: Set<[ExactText]> = []
        var budget = LibraryBudget()
        var next = 0
        while next < nodes.count {
            let node = nodes[next]
            next += 1
            do throws(ComponentFileError) {
                let own = try searchDirectories(of: node)
                let searched = node.dynamic.hasRunPath ? own : own + node.inherited
                let inherited = node.dynamic.hasRunPath ? node.inherited : own + node.inherited
                try LibraryBudget.check(inherited.count, atMost: LibraryBudget.maximumPlaces, of: "directories")
                for name in node.dynamic.needed + node.dynamic.filtered {
                    guard let found = try find(name, for: node, in: searched, &budget),
                        seen.insert(([found.path, found.origin] + inherited).map { ExactText($0) }).inserted
                    else { continue }
                    nodes.append(
                        LibraryNode(
                            way: "\(node.way)its library \(name.quotedIfOdd): ", origin: found.origin,
                            dynamic: found.dynamic, inherited: inherited))
                    try LibraryBudget.check(nodes.count, atMost: LibraryBudget.maximumLibraries, of: "libraries")
                }
            } catch {
                throw ComponentFileError(error.code, node.way + error.message)
            }
        }
    }

    /// Returns the directories that the loader searches because of a file's own search path. They exist and have been
    /// checked.
    private mutating func searchDirectories(of node: LibraryNode) throws(ComponentFileError) -> [String] {
        let path = node.dynamic.runPath
        let kind = node.dynamic.hasRunPath ? "RUNPATH" : "RPATH"
        try LibraryBudget.check(path.count, atMost: LibraryBudget.maximumEntries, of: "directories in one \(kind)")
        var searchDirectories: [String] = []
        for entry in path {
            guard let directory = SearchEntry.expand(entry, origin: node.origin) else {
                throw .unreadable("its \(kind) has \(entry.quoted())")
            }
            guard directory.hasExactPrefix("/") else { throw .relative("its \(kind) has \(entry.quoted())") }
            do throws(ComponentFileError) {
                searchDirectories += try self.searchDirectories(in: directory)
            } catch {
                throw ComponentFileError(error.code, "its \(kind) has \(directory.quotedIfOdd): \(error.message)")
            }
        }
        return searchDirectories
    }

    private mutating func searchDirectories(in directory: String) throws(ComponentFileError) -> [String] {
        if let known = libraries.searchDirectories[ExactText(directory)] { return try known.get() }
        let result: Result<[String], ComponentFileError>
        do throws(ComponentFileError) {
            result = .success(try variants(of: directory, depth: 0))
        } catch {
            result = .failure(error)
        }
        libraries.searchDirectories[ExactText(directory)] = result
        return try result.get()
    }

    /// The subdirectories in which the loader prefers libraries for certain processors; they may be nested.
    private static let variantNames = [
        "glibc-hwcaps", "x86-64-v4", "x86-64-v3", "x86-64-v2", "tls", "haswell", "xeon_phi", "avx512_1", "x86_64",
        "aarch64", "atomics",
    ]
    private static let maximumVariantDepth = 4

    private mutating func variants(of directory: String, depth: Int) throws(ComponentFileError) -> [String] {
        let isDeepest = depth == TrustChecker.maximumVariantDepth
        // Before the directory is checked, because what is refused now may be fixed.
        for name in isDeepest ? [] : TrustChecker.variantNames { libraries.followed.add(name, in: directory) }
        guard case .directory(let location) = try follow(directory) else { return [] }
        guard !isDeepest else { return [location] }
        var searchDirectories: [String] = []
        for name in TrustChecker.variantNames {
            let path = location == "/" ? "/\(name)" : "\(location)/\(name)"
            if TrustChecker.isThere(path) { searchDirectories += try variants(of: path, depth: depth + 1) }
        }
        return searchDirectories + [location]
    }

    /// Returns the library that the loader would load; nil when that is a system library, or there is none.
    private mutating func find(
        _ name: String, for node: LibraryNode, in searchDirectories: [String], _ budget: inout LibraryBudget
    ) throws(ComponentFileError) -> (path: String, origin: String, dynamic: ElfDynamic)? {
        guard let expanded = SearchEntry.expand(name, origin: node.origin) else {
            throw .unreadable("it needs \(name.quoted())")
        }
        var candidates = [expanded]
        if !expanded.hasASCII("/") {
            candidates = searchDirectories.map { $0 == "/" ? "/\(expanded)" : "\($0)/\(expanded)" }
        } else if !expanded.hasExactPrefix("/") {
            throw .relative("it needs \(name.quoted())")
        }
        do throws(ComponentFileError) {
            for candidate in candidates {
                try budget.lookUp()
                libraries.followed.add(path: candidate)
                // No other user can create a missing file in a directory that passed the checks.
                guard expanded.hasASCII("/") || TrustChecker.isThere(candidate),
                    case .file(let path) = try follow(candidate), let dynamic = try contents(of: path)
                else { continue }
                return (path, candidate.splitPath.directory, dynamic)
            }
            return nil
        } catch {
            throw ComponentFileError(error.code, "its library \(name.quotedIfOdd): \(error.message)")
        }
    }

    /// Returns the dynamic section of a library; nil when the loader skips the library because it is for another
    /// architecture or cannot be read.
    private mutating func contents(of path: String) throws(ComponentFileError) -> ElfDynamic? {
        if let known = libraries.contents[ExactText(path)] { return known }
        let descriptor = unsafe open(path, TrustChecker.fileFlags)
        if descriptor < 0 {
            let error = errno
            guard error == EACCES else { throw .system(error, while: "open") }
            return nil
        }
        let file = try check(descriptor, at: path)
        var dynamic: ElfDynamic?
        do throws(ComponentFileError) {
            dynamic = try ElfFile(
                descriptor: file.descriptor, size: file.identity.size, buffers: libraries.buffers
            ).dynamic()
        } catch {
            guard error.code == .wrongFormat || error.code == .wrongMachine else { throw error }
        }
        libraries.contents[ExactText(path)] = .some(dynamic)
        return dynamic
    }

    /// Returns whether a file, directory or link exists, including a link that leads nowhere.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }
}

extension ElfDynamic {
    /// Whether the loader searches anywhere other than in system directories.
    fileprivate var namesPlaces: Bool {
        func isPlace(_ name: String) -> Bool {
            name.hasASCII("/") || name.hasASCII("$")
        }
        return !runPath.isEmpty || needed.contains(where: isPlace) || filtered.contains(where: isPlace)
    }
}

extension String {
    /// The text itself if it needs no quotes in a shell; otherwise quoted, with characters escaped that are not safe to
    /// show on a terminal.
    fileprivate var quotedIfOdd: String { quotedForShell.isExactly(self) ? self : quoted() }
}

/// Expansion of search path entries and library names, following the dynamic loader.
package enum SearchEntry {
    /// Replaces `$ORIGIN` and `${ORIGIN}` with the directory of a file.
    ///
    /// - Returns: nil for any other `$`, because only the dynamic loader knows the values of `$LIB` and `$PLATFORM`.
    package static func expand(_ text: String, origin: String) -> String? {
        guard text.hasASCII("$") else { return text }
        let pieces = text.exactParts(between: "$", omittingEmpty: false)
        var expanded = pieces[0]
        for piece in pieces.dropFirst() {
            guard let rest = rest(of: piece) else { return nil }
            expanded += origin
            expanded += rest
        }
        return expanded
    }

    /// Returns the text after `ORIGIN` or `{ORIGIN}`; nil when the text begins with neither.
    private static func rest(of piece: String) -> String? {
        for word in ["{ORIGIN}", "ORIGIN"] where piece.hasExactPrefix(word) {
            let rest = String(decoding: piece.utf8.dropFirst(word.utf8.count), as: UTF8.self)
            if word == "{ORIGIN}" { return rest }
            return rest.utf8.first.map(LoaderToken.continuesName) == true ? nil : rest
        }
        return nil
    }
}

extension ComponentFileError {
    /// - Parameter location: The offending entry, as in `its RUNPATH has "lib"`.
    static func relative(_ location: String) -> ComponentFileError {
        ComponentFileError(
            .untrustedSearchPath,
            "\(location), which is relative to the working directory of the process; link it with an absolute"
                + " path or with $ORIGIN, the directory of the file")
    }

    /// - Parameter location: The offending entry, as in `its RUNPATH has "$LIB"`.
    static func unreadable(_ location: String) -> ComponentFileError {
        ComponentFileError(
            .untrustedSearchPath,
            "\(location), which only the dynamic loader can resolve; link it with an absolute path or with"
                + " $ORIGIN, the directory of the file")
    }
}

/// The results that a ``TrustChecker`` caches about libraries, because many components share libraries and search
/// directories.
struct LibraryMemory {
    /// Everything that determines the result for the libraries of a file.
    struct Question: Hashable {
        /// The directory of the file.
        let origin: ExactText
        private let needed: [ExactText]
        private let filtered: [ExactText]
        private let runPath: [ExactText]
        private let hasRunPath: Bool

        init(_ dynamic: ElfDynamic, origin: String) {
            self.origin = ExactText(origin)
            needed = dynamic.needed.map { ExactText($0) }
            filtered = dynamic.filtered.map { ExactText($0) }
            runPath = dynamic.runPath.map { ExactText($0) }
            hasRunPath = dynamic.hasRunPath
        }
    }

    /// The result for each question; nil when the libraries are fine.
    var answers: [Question: ComponentFileError?] = [:]
    /// The directories that the loader searches for an entry in a search path, by the entry's expanded path.
    var searchDirectories: [ExactText: Result<[String], ComponentFileError>] = [:]
    /// The dynamic sections of libraries, by their path without links; nil for libraries that the loader skips.
    var contents: [ExactText: ElfDynamic?] = [:]
    /// What the results depend on, whether it is there or not.
    var followed = FollowedFiles()
    let buffers = ElfFile.Buffers()
}
