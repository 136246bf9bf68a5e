/// An item of a query.
public struct QueryItem: Hashable, Sendable {
    /// The name, decoded.
    public let name: String
    /// The value, decoded; nil for a name without `=`.
    public let value: String?
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

    public var description: String {
        switch self {
        case .tooLong(let limit): "the URL is longer than \(limit) bytes"
        case .tooManyItems(let limit): "the URL has more than \(limit) query items"
        }
    }
}
