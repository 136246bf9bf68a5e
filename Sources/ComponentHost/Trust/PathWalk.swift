import Glibc

/// Steps of a path that is followed name by name, as the system does it.
struct PathWalk {
    /// More links than that lead nowhere, as they do for the system.
    private static let maximumLinks = 40

    /// Where it has come to: absolute, without links.
    private(set) var location = "/"
    /// The names to come, the next one last.
    private var rest: [Substring]
    private var links = 0

    /// - Parameter path: absolute.
    init(_ path: String) { rest = PathWalk.names(of: path) }

    /// Whether no name is left.
    var isAtEnd: Bool { rest.isEmpty }

    /// The next name, which lies in ``place``; `.` and `..` have been followed. Nil at the end.
    mutating func next() -> String? {
        while let name = rest.popLast() {
            guard name == ".." else { return String(name) }
            location = TrustChecker.split(location).directory
        }
        return nil
    }

    /// The path of a name in ``place``.
    func path(of name: String) -> String { location == "/" ? "/\(name)" : "\(location)/\(name)" }

    /// Goes into a directory.
    mutating func enter(_ name: String) { location = path(of: name) }

    /// Goes on where a link leads.
    ///
    /// - Returns: false when it leads nowhere.
    mutating func follow(_ link: String) -> Bool {
        links += 1
        guard links <= PathWalk.maximumLinks, let target = PathWalk.target(of: path(of: link)) else { return false }
        if target.hasPrefix("/") { location = "/" }
        rest += PathWalk.names(of: target)
        return true
    }

    private static func target(of link: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink(link, &bytes, bytes.count)
        guard length > 0 else { return nil }
        return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The parts of a path, the first last.
    private static func names(of path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }.reversed()
    }
}

extension TrustChecker {
    /// What a path leads to.
    enum Destination {
        /// A directory, by its path without links.
        case directory(String)
        /// Something else, by its path without links.
        case file(String)
        /// Nothing, and nobody else can put something there.
        case nothing
    }

    /// Follows a path that the dynamic loader will follow by itself: not only what it leads to has to be safe from
    /// others, but each directory and link on the way.
    ///
    /// - Parameter path: absolute.
    /// - Returns: where it leads; a directory has been checked, too, a file has not.
    /// - Throws: what the policy refuses on the way.
    mutating func follow(_ path: String) throws(ComponentFileError) -> Destination {
        var walk = PathWalk(path)
        while let name = walk.next() {
            try checkAncestor(walk.location)
            let next = walk.path(of: name)
            var status = stat()
            if unsafe lstat(next, &status) != 0 {
                let error = errno
                // The loader may not look there either; only the owner of the directory could change that.
                if error == EACCES { return .nothing }
                guard error == ENOENT else { throw .system(error, while: "look at \(next) for") }
                try checkMissing(in: walk.location)
                return .nothing
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: walk.enter(name)
            case S_IFLNK:
                if let problem = rules.problem(with: status, at: next, .link) { throw problem }
                guard walk.follow(name) else { return .nothing }
            default: return walk.isAtEnd ? .file(next) : .nothing
            }
        }
        try checkDirectory(walk.location)
        return .directory(walk.location)
    }

    /// A directory that libraries are taken from.
    private mutating func checkDirectory(_ path: String) throws(ComponentFileError) {
        if let problem = rules.problem(with: try status(of: path), at: path, .directory) { throw problem }
    }

    /// A path that leads to nothing must not be there for others to make.
    private mutating func checkMissing(in directory: String) throws(ComponentFileError) {
        guard let problem = rules.problem(with: try status(of: directory), at: directory, .directory) else { return }
        throw ComponentFileError(
            code: problem.code, message: "it does not exist, and others could make it: \(problem.message)")
    }
}
