/// The keys of one kind of object in a manifest. Anyone may add keys that begin with "x-".
package struct KnownKeys: Sendable {
    /// An array, because short texts are compared faster than they are hashed.
    private let keys: [String]
    /// Keys that hosts do not read yet, reserved for later versions.
    private let unread: [String]

    private init(_ keys: [String], unread: [String] = []) {
        self.keys = keys
        self.unread = unread
    }

    package static let component = KnownKeys(
        [
            "name", "version", "layer", "summary", "module", "classes", "requires", "services", "models", "posts",
            "starts", "priority", "configuration",
        ],
        unread: ["events"])
    package static let linkClass = KnownKeys(["name", "module", "instances", "provides", "selectors", "summary"])
    package static let selector = KnownKeys([
        "name", "kind", "parameters", "result", "quick", "async", "mainActor", "summary", "routes", "intercepts", "on",
        "pageModule",
    ])
    package static let route = KnownKeys(["pattern", "public", "tags", "priority"])
    package static let interception = KnownKeys(["priority", "tags"])
    package static let handler = KnownKeys(["event", "loads", "concurrent", "priority"])
    package static let pageModule = KnownKeys(["name"])
    package static let requirement = KnownKeys(
        [
            "component", "class", "service", "protocol", "selectors", "version", "optional",
        ], unread: ["summary"])
    package static let service = KnownKeys(
        ["name", "module", "protocol", "selectors", "arguments"], unread: ["summary"])
    package static let model = KnownKeys(
        ["name", "module", "fields", "cases", "raw", "error", "event", "sparse"], unread: ["summary"])

    package func contains(_ key: String) -> Bool { isRead(key) || unread.contains(key) || key.hasPrefix("x-") }

    /// Whether hosts read the value of this key.
    package func isRead(_ key: String) -> Bool { keys.contains(key) }

    /// Returns a description of the keys allowed instead of an unknown one, to follow the word "expected".
    package func expected(for key: String) -> String {
        let known = (keys + unread).sorted()
        let nearest =
            SimilarName.nearest(to: key, in: known).map { "\"\($0)\"" } ?? "one of \(known.joined(separator: ", "))"
        return "\(nearest), or a custom key that begins with \"x-\""
    }
}
