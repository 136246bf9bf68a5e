/// The keys of one kind of object in a manifest. Keys that begin with "x-" are free for everyone.
package struct KnownKeys: Sendable {
    /// Lists: short texts are compared faster than hashed.
    private let keys: [String]
    /// Those that hosts may come to read.
    private let unread: [String]

    private init(_ keys: [String], unread: [String] = []) {
        self.keys = keys
        self.unread = unread
    }

    package static let component = KnownKeys(
        ["name", "version", "layer", "summary", "module", "classes", "requires", "services", "models"],
        unread: ["routes", "events"])
    package static let linkClass = KnownKeys(["name", "module", "instances", "provides", "selectors", "summary"])
    package static let selector = KnownKeys([
        "name", "kind", "parameters", "result", "quick", "async", "mainActor", "summary",
    ])
    package static let requirement = KnownKeys(
        [
            "component", "class", "service", "protocol", "selectors", "version", "optional",
        ], unread: ["summary"])
    package static let service = KnownKeys(
        ["name", "module", "protocol", "selectors", "arguments"], unread: ["summary"])
    package static let model = KnownKeys(["name", "module", "fields", "cases", "raw", "error"], unread: ["summary"])

    package func contains(_ key: String) -> Bool { isRead(key) || unread.contains(key) || key.hasPrefix("x-") }

    /// Whether its value becomes a part of what is declared.
    package func isRead(_ key: String) -> Bool { keys.contains(key) }

    /// What is allowed in place of an unknown key, as it follows "expected".
    package func expected(for key: String) -> String {
        let known = (keys + unread).sorted()
        let nearest =
            NearMiss.nearest(to: key, in: known).map { "\"\($0)\"" } ?? "one of \(known.joined(separator: ", "))"
        return "\(nearest), or a key of your own that begins with \"x-\""
    }
}
