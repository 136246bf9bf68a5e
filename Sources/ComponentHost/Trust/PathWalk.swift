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
