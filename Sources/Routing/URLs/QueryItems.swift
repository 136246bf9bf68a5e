/// An item of a query.
public struct QueryItem: Hashable, Sendable {
    /// The name, decoded.
    public let name: String
    /// The value, decoded; nil for a name without `=`.
    public let value: String?
}

extension QueryItem {
    /// Returns one value for each name, in the order of their first appearance.
    ///
    /// - Parameters:
    ///   - items: the items of a query.
    ///   - options: what happens to repeated names.
    public static func merged(_ items: [QueryItem], _ options: RoutingOptions) -> [(name: String, value: RouteValue)] {
        var texts: [(name: String, texts: [String])] = []
        var places: [String: Int] = [:]
        for item in items {
            let text = item.value ?? ""
            guard let place = places[item.name] else {
                places[item.name] = texts.count
                texts.append((item.name, [text]))
                continue
            }
            switch options.repeatedKeys {
            case .first: break
            case .last: texts[place].texts[0] = text
            case .array: texts[place].texts.append(text)
            }
        }
        return texts.map { ($0.name, $0.texts.count == 1 ? .text($0.texts[0]) : .list($0.texts)) }
    }

    /// Reads the query of a URL, without a route.
    ///
    /// - Throws: `RouteURLError` if the URL is too long, or has too many items.
    public static func items(of url: String, _ options: RoutingOptions) throws(RouteURLError) -> [QueryItem] {
        guard url.utf8.count <= options.lengthLimit else { throw .tooLong(limit: options.lengthLimit) }
        let bytes = url.utf8Span.span
        return try bytes.items(SplitURL(bytes).query, options, limit: options.itemLimit)
    }

    /// Returns the items with the given names in place of those that differ from them only by case.
    static func renamed(_ items: [QueryItem], _ names: [String]) -> [QueryItem] {
        let exact = Set(names)
        let spellings = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
        return items.map { item in
            guard !exact.contains(item.name), let name = spellings[item.name.lowercased()] else { return item }
            return QueryItem(name: name, value: item.value)
        }
    }
}

extension Span<UInt8> {
    /// Calls `body` with each item of a query: its name and its value, neither decoded.
    func forEachItem(
        _ query: Range<Int>, _ body: (_ name: Range<Int>, _ value: Range<Int>?) throws(RouteURLError) -> Void
    ) throws(RouteURLError) {
        var start = query.lowerBound
        while start < query.upperBound {
            var end = start
            var equals: Int?
            while end < query.upperBound, self[end] != UInt8(ascii: "&") {
                if equals == nil, self[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if start < end {
                try body(start..<(equals ?? end), equals.map { ($0 + 1)..<end })
            }
            start = end + 1
        }
    }

    /// Returns the items of a query, decoded as the options say.
    func items(_ query: Range<Int>, _ options: RoutingOptions, limit: Int) throws(RouteURLError) -> [QueryItem] {
        var items: [QueryItem] = []
        let plusIsSpace = options.plus != .isPlus
        try forEachItem(query) { (name, value) throws(RouteURLError) in
            guard items.count < limit else { throw .tooManyItems(limit: options.itemLimit) }
            guard value != nil || options.namesWithoutValue == .kept else { return }
            items.append(
                QueryItem(
                    name: text(name, decodes: options.decodesQuery, plusIsSpace: plusIsSpace),
                    value: value.map { text($0, decodes: options.decodesQuery, plusIsSpace: plusIsSpace) }))
        }
        return items
    }
}

/// The reason why a URL is not looked up at all.
public enum RouteURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The URL is longer than ``RoutingOptions/lengthLimit``, in bytes.
    case tooLong(limit: Int)
    /// The query has more items than ``RoutingOptions/itemLimit``.
    case tooManyItems(limit: Int)

    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .tooLong(let limit): "the URL is longer than \(limit) bytes"
        case .tooManyItems(let limit): "the URL has more than \(limit) query items"
        }
    }
}
