import SystemSupport

/// A route that matches a URL, with the values of its placeholders.
public struct RouteMatch<Value: Sendable>: Sendable {
    @usableFromInline let found: FoundURL
    /// What was added to the table with the pattern.
    public let value: Value

    @usableFromInline
    init(_ found: FoundURL, _ value: Value) {
        self.found = found
        self.value = value
    }

    /// The URL as it was given.
    public var url: String { found.url }
    /// The pattern of the route.
    public var pattern: RoutePattern { found.entry.pattern }
    /// The priority of the route.
    public var priority: Int { found.entry.priority }
    /// Identifies the route in the table.
    public var identity: RouteIdentity { found.entry.identity }
    /// Whether the URL continues after the pattern; see ``RoutingOptions/UnknownTail/nearestAncestor``.
    public var isAncestor: Bool { found.isAncestor }

    /// The values of the placeholders, in the order of the pattern. Those of optional groups that the URL does not have
    /// are missing.
    @inlinable public var pathValues: [(name: String, value: RouteValue)] { found.pathValues }

    /// The components that `*` or `*name` stands for; nil if the pattern has none.
    public var rest: [String]? { found.rest }

    /// The items of the query in their order, then those of the fragment if the pattern goes on there, or if the options
    /// read fragments as queries.
    ///
    /// - Throws: `RouteURLError` if there are more than ``RoutingOptions/itemLimit``.
    public func queryItems() throws(RouteURLError) -> [QueryItem] {
        var items: [QueryItem] = []
        try found.forEachItem { items.append(QueryItem(name: $0, value: $1)) }
        return items
    }

    /// The parameters of the query by their names; repeated keys as the options say, and a name without value as an
    /// empty text.
    ///
    /// - Throws: `RouteURLError` if there are more than ``RoutingOptions/itemLimit``.
    @inlinable
    public func queryValues() throws(RouteURLError) -> [(name: String, value: RouteValue)] { try found.queryValues() }

    /// All parameters from the URL and a payload, each from its strongest source; see ``RoutingOptions/precedence``.
    ///
    /// The value of `*` without a name is only in ``rest``.
    ///
    /// - Parameters:
    ///   - payload: what the caller gives beside the URL.
    ///   - names: the parameters of the route's handler. With ``RoutingOptions/ignoresCaseOfNames``, a query item whose
    ///     name differs from one of these or from a placeholder only by case has that name.
    /// - Throws: `RouteURLError` if the URL has more than ``RoutingOptions/itemLimit`` query items.
    public func parameters(
        _ payload: [String: RouteValue] = [:], names: [String] = []
    ) throws(RouteURLError) -> [String: RouteValue] {
        var parameters: [String: RouteValue] = [:]
        try forEachParameter(payload.map { ($0.key, $0.value) }, names: names) { parameters[$0] = $1 }
        return parameters
    }

    /// All parameters from the URL, each from its strongest source, in the order of the bytes of their names. Unlike in
    /// a dictionary, two names that are equal for Swift stay two.
    package func exactParameters() throws(RouteURLError) -> [(name: String, value: RouteValue)] {
        var parameters: [ExactText: RouteValue] = [:]
        try forEachParameter([], names: []) { parameters[ExactText($0)] = $1 }
        return parameters.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
    }

    /// Calls `body` with the parameters from all sources, those from the weakest source first.
    private func forEachParameter(
        _ payload: [(name: String, value: RouteValue)], names: [String], _ body: (String, RouteValue) -> Void
    ) throws(RouteURLError) {
        let options = found.settings.options
        for source in options.precedence.reversed() {
            switch source {
            case .payload:
                for (name, value) in payload { body(name, value) }
            case .path:
                for (name, value) in pathValues where !(name.isEmpty && pattern.hasUnnamedRest) { body(name, value) }
            case .query:
                var items = try queryItems()
                if options.ignoresCaseOfNames {
                    items = QueryItem.renamed(items, names + pattern.placeholders.map(\.name))
                }
                for (name, value) in QueryItem.merged(items, options) { body(name, value) }
            }
        }
    }
}

extension RoutePattern {
    fileprivate var hasUnnamedRest: Bool { placeholders.contains { $0.isRest && $0.name.isEmpty } }
}
