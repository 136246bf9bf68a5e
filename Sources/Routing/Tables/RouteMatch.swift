/// A route that matches a URL, with the values of its placeholders.
public struct RouteMatch<Value: Sendable>: Sendable {
    /// The URL as it was given.
    public let url: String
    public let pattern: RoutePattern
    public let priority: Int
    public let value: Value
    public let identity: RouteIdentity
    /// Whether the URL goes on where the pattern does not; see ``RoutingOptions/UnknownTail/nearestAncestor``.
    public let isAncestor: Bool

    let variant: Int
    let captures: Captures
    let options: RoutingOptions

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

    /// All parameters from the URL and a payload, the strongest source of each as ``RoutingOptions/precedence`` says.
    ///
    /// - Parameter payload: what the caller gives beside the URL.
    /// - Throws: `RouteURLError` if the URL has more than ``RoutingOptions/itemLimit`` query items.
    public func parameters(_ payload: [String: RouteValue] = [:]) throws(RouteURLError) -> [String: RouteValue] {
        var parameters: [String: RouteValue] = [:]
        for source in options.precedence.reversed() {
            switch source {
            case .payload: parameters.merge(payload) { $1 }
            case .path:
                for (name, value) in pathValues where !(name.isEmpty && pattern.hasRest) { parameters[name] = value }
            case .query: for (name, value) in try queryValues() { parameters[name] = value }
            }
        }
        return parameters
    }
}

extension RoutePattern {
    fileprivate var hasRest: Bool { placeholders.contains { $0.isRest && $0.name.isEmpty } }
}

extension QueryItem {
    /// Returns one value for each name, in the order of their first appearance.
    public static func merged(_ items: [QueryItem], _ options: RoutingOptions) -> [(name: String, value: RouteValue)] {
        var values: [(name: String, value: RouteValue)] = []
        var places: [String: Int] = [:]
        for item in items {
            let text = item.value ?? ""
            guard let place = places[item.name] else {
                places[item.name] = values.count
                values.append((item.name, .text(text)))
                continue
            }
            switch (options.repeatedKeys, values[place].value) {
            case (.first, _): break
            case (.last, _): values[place].value = .text(text)
            case (.array, .text(let first)): values[place].value = .list([first, text])
            case (.array, .list(let list)): values[place].value = .list(list + [text])
            case (.array, _): break
            }
        }
        return values
    }

    /// Reads the query of a URL, without a route.
    ///
    /// - Throws: `RouteURLError` if the URL is too long, or has too many items.
    public static func items(of url: String, _ options: RoutingOptions) throws(RouteURLError) -> [QueryItem] {
        guard url.utf8.count <= options.lengthLimit else { throw .tooLong(limit: options.lengthLimit) }
        let bytes = url.utf8Span.span
        return try bytes.items(SplitURL(bytes).query, options, limit: options.itemLimit)
    }
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

    /// Returns the part of a fragment that has the form of a query: behind `?`, or all of it if it has `=` and no slash
    /// before that.
    fileprivate func query(inFragment fragment: Range<Int>) -> Range<Int>? {
        for index in fragment {
            switch self[index] {
            case UInt8(ascii: "?"): return (index + 1)..<fragment.upperBound
            case UInt8(ascii: "="): return fragment
            case UInt8(ascii: "/"): return nil
            default: continue
            }
        }
        return nil
    }
}
