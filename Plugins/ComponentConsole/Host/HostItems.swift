import ComponentKit

/// A route of the host.
struct RouteItem: Hashable, Sendable {
    var pattern: String
    var component: String
    /// What it calls, as in "VideoLink.open", with a plus before a class method.
    var call: String
    var isPublic: Bool
    var tags: [String]
    var priority: Int
    var isAvailable: Bool

    /// What tells it from others.
    var identity: String { "\(pattern) \(call)" }

    init(_ answer: Payload) {
        pattern = answer.text("pattern")
        component = answer.text("component")
        call = answer.call
        isPublic = answer.flag("public")
        tags = answer.texts("tags")
        priority = answer.number("priority")
        isAvailable = answer.flag("available")
    }
}

/// A route that the host does not use.
struct RefusedRouteItem: Hashable, Sendable {
    var pattern: String
    var component: String
    var call: String
    /// Why it is not used.
    var reason: String

    /// What tells it from others.
    var identity: String { "\(pattern) \(call)" }

    init(_ answer: Payload) {
        pattern = answer.text("pattern")
        component = answer.text("component")
        call = answer.call
        reason = answer.text("reason")
    }
}

/// The routes of a host.
struct RouteList: WatchedState {
    var used: [RouteItem]
    var refused: [RefusedRouteItem]

    init(_ answer: Payload) {
        used = answer.list("routes").map { RouteItem($0) }
        refused = answer.list("refused").map { RefusedRouteItem($0) }
    }
}

/// A URL whose target is asked for.
struct RouteQuestion: Hashable, Sendable {
    var url: String
    /// Whether it counts as one from outside the program.
    var isFromOutside: Bool

    /// The source that stands for all outside the program.
    static let source = "browser"
}

/// Where a URL leads, and why.
struct RouteExplanation: Hashable, Sendable {
    /// A route that was compared with the URL.
    struct Candidate: Hashable, Sendable {
        /// "chosen", "outranked", or why it does not match.
        var outcome: String
        var reason: String
        var route: RouteItem
        /// The values from the URL, as JSON.
        var parameters: [String]
    }

    var candidates: [Candidate]
    /// How many more routes do not match.
    var omitted: Int
    /// Why the URL was not looked up; empty if it was.
    var problem: String
    /// The URLs that it leads to in place of the given one.
    var redirects: [String]
    /// The methods that are asked before it is opened.
    var interceptors: [String]
    /// Why opening it would fail.
    var problems: [String]

    init(_ answer: Payload) {
        candidates = answer.list("candidates").map { candidate in
            Candidate(
                outcome: candidate.text("outcome"), reason: candidate.text("reason"),
                route: RouteItem(candidate["route"] ?? .null),
                parameters: candidate.members("parameters").map { "\($0.key)=\($0.value)" })
        }
        omitted = answer.number("omitted")
        problem = answer.text("problem")
        redirects = answer.texts("redirects")
        interceptors = answer.texts("interceptors")
        problems = answer.texts("problems")
    }
}

/// What is configured for a component. The values themselves are not read: they may be private, and who sees a page need
/// not be who operates the host.
struct ConfigurationItem: Hashable, Sendable {
    struct Key: Hashable, Sendable {
        var name: String
        /// The type with its default, as in "Int = 100"; empty for a key that the component does not have.
        var type: String
        /// Where the value comes from; empty if none is configured.
        var place: String
    }

    var keys: [Key]
    var errors: [String]
    var warnings: [String]

    init(_ answer: Payload) {
        keys = answer.list("keys").map { Key(name: $0.text("key"), type: $0.text("type"), place: $0.text("from")) }
        errors = answer.texts("errors")
        warnings = answer.texts("warnings")
    }
}

extension Payload {
    /// What an entry of the host calls, as in "VideoLink.open", with a plus before a class method; empty for nothing.
    fileprivate var call: String {
        let name = text("class")
        return name.isEmpty ? "" : "\(text("kind") == "class" ? "+" : "")\(name).\(text("selector"))"
    }
}
