import Glibc
import SystemSupport

/// A walk along a path, name by name, as the system resolves it.
struct PathWalk {
    /// The largest number of links that is followed, as in the kernel.
    private static let maximumLinks = 40

    /// The current directory of the walk: an absolute path without links.
    private(set) var location = "/"
    /// The remaining names in reverse order.
    private var rest: [String]
    private var links = 0

    /// - Parameter path: An absolute path.
    init(_ path: String) { rest = PathWalk.names(of: path) }

    /// - Parameters:
    ///   - name: An entry in a directory.
    ///   - location: The absolute path of the directory, without links.
    init(_ name: String, in location: String) {
        self.location = location
        rest = [name]
    }

    /// Whether no names remain.
    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next name, an entry in ``location``, after resolving `.` and `..`; nil at the end.
    mutating func next() -> String? {
        while let name = rest.popLast() {
            guard name == ".." else { return name }
            location = location.splitPath.directory
        }
        return nil
    }

    /// Returns the path of a name in ``location``.
    func path(of name: String) -> String { location == "/" ? "/\(name)" : "\(location)/\(name)" }

    /// Enters a directory.
    mutating func enter(_ name: String) { location = path(of: name) }

    /// Continues at the target of a link.
    ///
    /// - Returns: false when the link leads nowhere.
    /// - Throws: `ComponentFileError` if its target cannot be known: it is not UTF-8, or each process has its own.
    mutating func follow(_ link: String) throws(ComponentFileError) -> Bool {
        links += 1
        guard links <= PathWalk.maximumLinks, let target = try PathWalk.target(of: path(of: link)) else { return false }
        if target.utf8.first == UInt8(ascii: "/") { location = "/" }
        rest += PathWalk.names(of: target)
        return true
    }

    private static func target(of link: String) throws(ComponentFileError) -> String? {
        if link.hasExactPrefix("/proc/") {
            throw ComponentFileError(
                .untrustedSearchPath, "the link \(link) leads elsewhere in each process; use the directory itself")
        }
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink(link, &bytes, bytes.count)
        guard length > 0 else { return nil }
        // A repaired name would be that of another file.
        let target = String(validating: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let target else {
            throw ComponentFileError(.notReadable, "the link \(link) leads to a name that is not UTF-8; rename it")
        }
        return target
    }

    /// Returns the names in a path in reverse order.
    private static func names(of path: String) -> [String] {
        // By bytes, as the system does: a slash before a combining mark is another character.
        path.exactParts(between: "/").filter { $0 != "." }.reversed()
    }
}

extension TrustChecker {
    /// The target of a path.
    package enum Destination {
        /// A directory, with its path without links.
        case directory(String)
        /// Anything else, with its path without links.
        case file(String)
        /// Nothing exists there, and no other user can create it.
        case nothing
    }

    /// Follows a path that the dynamic loader will later follow on its own. Not only the target but every directory and
    /// link on the path must therefore be safe from other users.
    ///
    /// - Parameter path: An absolute path.
    /// - Returns: The target of the path. If it is a directory, it has been checked; a file has not.
    /// - Throws: `ComponentFileError` if the policy refuses something on the path, or the system reports an error.
    package mutating func follow(_ path: String) throws(ComponentFileError) -> Destination {
        var walk = PathWalk(path)
        while let name = walk.next() {
            try checkAncestor(walk.location)
            let next = walk.path(of: name)
            var status = stat()
            if unsafe lstat(next, &status) != 0 {
                let error = errno
                // The loader cannot search there either, and only the owner of the directory could change that.
                if error == EACCES { return .nothing }
                guard error == ENOENT else { throw .system(error, while: "inspect \(next) on the path to") }
                try checkMissing(in: walk.location)
                return .nothing
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk.enter(name)
            case S_IFLNK:
                if let problem = rules.problem(with: status, at: next, .link) { throw problem }
                guard try walk.follow(name) else { return .nothing }
            default: return walk.isAtEnd ? .file(next) : .nothing
            }
        }
        try checkDirectory(walk.location)
        return .directory(walk.location)
    }

    /// Checks a directory from which libraries are loaded.
    private mutating func checkDirectory(_ path: String) throws(ComponentFileError) {
        if let problem = rules.problem(with: try status(of: path), at: path, .directory) { throw problem }
    }

    /// Checks that no other user can create a missing entry in a directory.
    private mutating func checkMissing(in directory: String) throws(ComponentFileError) {
        guard let problem = rules.problem(with: try status(of: directory), at: directory, .directory) else { return }
        throw ComponentFileError(problem.code, "it does not exist, and others could create it: \(problem.message)")
    }
}
