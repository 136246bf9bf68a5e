/// A route that matches a URL, with the values of its placeholders.
public struct RouteMatch<Value: Sendable>: Sendable {
    /// The URL as it was given.
    public let url: String
    let entry: RouteTable<Value>.Entry
    let variant: Int
    /// Whether the URL continues after the pattern; see ``RoutingOptions/UnknownTail/nearestAncestor``.
    public let isAncestor: Bool
    let captures: Captures
    let settings: RoutingSettings

    /// The pattern of the route.
    public var pattern: RoutePattern { entry.pattern }
    /// The priority of the route.
    public var priority: Int { entry.priority }
    /// What was added to the table with the pattern.
    public var value: Value { entry.value }
    /// Identifies the route in the table.
    public var identity: RouteIdentity { entry.identity }

    private var options: RoutingOptions { settings.options }

    /// The values of the placeholders, in the order of the pattern. Those of optional groups that the URL does not have
    /// are missing.
    public var pathValues: [(name: String, value: RouteValue)] {
        var values: [(name: String, value: RouteValue)] = []
        forEachPlaceholder { values.append(($0, $1)) }
        return values
    }

    /// The components that `*` or `*name` stands for; nil if the pattern has none.
    public var rest: [String]? {
        var rest: [String]?
        forEachPlaceholder { _, value in
            if case .list(let components) = value { rest = components }
        }
        return rest
    }

    private func forEachPlaceholder(_ body: (String, RouteValue) -> Void) {
        let bytes = url.utf8Span.span
        let plusIsSpace = options.plus == .isSpace
        var number = 0
        for element in pattern.variants[variant].elements where element.placeholder != nil && number < captures.count {
            let range = captures[number]
            number += 1
            switch element {
            case .placeholder(let name, let type, _):
                let text = bytes.text(range, plusIsSpace: plusIsSpace)
                // What matched converts, so that only a converter that is not a function of the text can fail.
                body(name, type?.value(of: text, converters: options.converters) ?? .text(text))
            case .rest(let name, true): body(name, .text(bytes.text(range, plusIsSpace: plusIsSpace)))
            case .rest(let name, false): body(name, .list(bytes.components(range, plusIsSpace: plusIsSpace)))
            case .literal, .fragment: break
            }
        }
    }

    /// The items of the query in their order, then those of the fragment if the pattern goes on there, or if the options
    /// read fragments as queries.
    ///
    /// - Throws: `RouteURLError` if there are more than ``RoutingOptions/itemLimit``.
    public func queryItems() throws(RouteURLError) -> [QueryItem] {
        let bytes = url.utf8Span.span
        let split = SplitURL(bytes)
        var items = try bytes.items(split.query, options, limit: options.itemLimit)
        guard let fragment = split.fragment else { return items }
        if pattern.variants[variant].elements.contains(.fragment) {
            items += try bytes.items(split.fragmentQuery(bytes), options, limit: options.itemLimit - items.count)
        } else if options.readsFragmentAsQuery, let fragment = bytes.query(inFragment: fragment) {
            items += try bytes.items(fragment, options, limit: options.itemLimit - items.count)
        }
        return items
    }

    /// The parameters of the query by their names; repeated keys as the options say, and a name without value as an
    /// empty text.
    ///
    /// - Throws: `RouteURLError` if there are more than ``RoutingOptions/itemLimit``.
    public func queryValues() throws(RouteURLError) -> [(name: String, value: RouteValue)] {
        QueryItem.merged(try queryItems(), options)
    }

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
        let options = options
        for source in options.precedence.reversed() {
            switch source {
            case .payload: parameters.merge(payload) { $1 }
            case .path:
                for (name, value) in pathValues where !(name.isEmpty && pattern.hasUnnamedRest) {
                    parameters[name] = value
                }
            case .query:
                var items = try queryItems()
                if options.ignoresCaseOfNames {
                    items = QueryItem.renamed(items, names + pattern.placeholders.map(\.name))
                }
                for (name, value) in QueryItem.merged(items, options) { parameters[name] = value }
            }
        }
        return parameters
    }
}

extension RoutePattern {
    fileprivate var hasUnnamedRest: Bool { placeholders.contains { $0.isRest && $0.name.isEmpty } }
}

extension Span<UInt8> {
    /// Returns the decoded components of a part; empty ones are left out.
    fileprivate func components(_ range: Range<Int>, plusIsSpace: Bool) -> [String] {
        var components: [String] = []
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start
            while end < range.upperBound, self[end] != UInt8(ascii: "/") { end += 1 }
            if start < end { components.append(text(start..<end, plusIsSpace: plusIsSpace)) }
            start = end + 1
        }
        return components
    }

    /// Returns the part of a fragment that has the form of a query: what follows `?`, or all of it if it has `=` and no
    /// slash before that.
    fileprivate func query(inFragment fragment: Range<Int>) -> Range<Int>? {
        var isPath = false
        for index in fragment {
            switch self[index] {
            case UInt8(ascii: "?"): return (index + 1)..<fragment.upperBound
            case UInt8(ascii: "=") where !isPath: return fragment
            case UInt8(ascii: "/"): isPath = true
            default: continue
            }
        }
        return nil
    }
}
