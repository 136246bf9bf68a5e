import SystemSupport

/// An item of a query.
public struct QueryItem: Hashable, Sendable {
    /// The name, decoded.
    public let name: String
    /// The value, decoded; nil for a name without `=`.
    public let value: String?

    /// Returns whether names and values are the same, byte for byte.
    public static func == (left: QueryItem, right: QueryItem) -> Bool {
        left.name.isExactly(right.name) && left.value.map { ExactText($0) } == right.value.map { ExactText($0) }
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
        hasher.combine(value.map { ExactText($0) })
    }
}

extension QueryItem {
    /// Returns one value for each name, in the order of their first appearance.
    ///
    /// - Parameters:
    ///   - items: the items of a query.
    ///   - options: what happens to repeated names.
    public static func merged(_ items: [QueryItem], _ options: RoutingOptions) -> [(name: String, value: RouteValue)] {
        var values = MergedItems(options.repeatedKeys)
        for item in items { values.add(item.name, item.value) }
        return values.values
    }

    /// Reads the query of a URL, without a route.
    ///
    /// - Throws: `RouteURLError` if the URL is too long, or has too many items.
    public static func items(of url: String, _ options: RoutingOptions) throws(RouteURLError) -> [QueryItem] {
        let url = url.withoutSpaceAround
        guard url.utf8.count <= options.lengthLimit else { throw .tooLong(limit: options.lengthLimit) }
        let bytes = url.utf8Span.span
        return try bytes.items(SplitURL(bytes).query, options)
    }

    /// Returns the items with the given names in place of those that differ from them only by case.
    static func renamed(_ items: [QueryItem], _ names: [String]) -> [QueryItem] {
        let exact = Set(names.map { ExactText($0) })
        let spellings = Dictionary(names.map { (ExactText($0.lowercased()), $0) }) { first, _ in first }
        return items.map { item in
            guard !exact.contains(ExactText(item.name)), let name = spellings[ExactText(item.name.lowercased())] else {
                return item
            }
            return QueryItem(name: name, value: item.value)
        }
    }
}

/// The items of a query, one value for each name, in the order of their first appearance.
struct MergedItems {
    private(set) var values: [(name: String, value: RouteValue)] = []
    private let repeatedKeys: RoutingOptions.RepeatedKeys
    private var places = NamePlaces()

    init(_ repeatedKeys: RoutingOptions.RepeatedKeys) { self.repeatedKeys = repeatedKeys }

    mutating func add(_ name: String, _ value: String?) {
        let text = value ?? ""
        guard let place = places.place(of: name, among: values.count, { values[$0].name }) else {
            if values.isEmpty { values.reserveCapacity(8) }
            values.append((name, .text(text)))
            return
        }
        switch (repeatedKeys, values[place].value) {
        case (.last, _): values[place].value = .text(text)
        case (.array, .text(let first)): values[place].value = .list([first, text])
        case (.array, .list(var texts)):
            // Not copied for each value.
            values[place].value = .list([])
            texts.append(text)
            values[place].value = .list(texts)
        default: break
        }
    }
}

/// Finds names in a list without duplicates that grows. A few are compared one by one, which needs no memory.
package struct NamePlaces {
    /// The places of the names so far, once there are many.
    private var table: [ExactText: Int] = [:]

    /// How many names are compared one by one.
    package static let fewNames = 16

    package init() {}

    /// Returns the place of a name in a list; nil if it is not there.
    ///
    /// - Parameters:
    ///   - count: the length of the list.
    ///   - name: returns the name at a place.
    package mutating func place(of wanted: String, among count: Int, _ name: (Int) -> String) -> Int? {
        guard count > NamePlaces.fewNames else { return (0..<count).first { name($0).isExactly(wanted) } }
        for place in table.count..<count { table[ExactText(name(place))] = place }
        return table[ExactText(wanted)]
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

    /// Calls `body` with each item of a query, decoded as the options say.
    ///
    /// - Parameter count: the number of items so far.
    func forEachItem(
        _ query: Range<Int>, _ options: RoutingOptions, count: inout Int, body: (String, String?) -> Void
    ) throws(RouteURLError) {
        let plusIsSpace = options.plus != .isPlus
        let (decodes, limit) = (options.decodesQuery, options.itemLimit)
        let keepsNames = options.namesWithoutValue == .kept
        try forEachItem(query) { (name, value) throws(RouteURLError) in
            guard count < limit else { throw .tooManyItems(limit: limit) }
            guard value != nil || keepsNames else { return }
            count += 1
            body(
                text(name, decodes: decodes, plusIsSpace: plusIsSpace),
                value.map { text($0, decodes: decodes, plusIsSpace: plusIsSpace) })
        }
    }

    /// Returns the items of a query, decoded as the options say.
    func items(_ query: Range<Int>, _ options: RoutingOptions) throws(RouteURLError) -> [QueryItem] {
        var items: [QueryItem] = []
        var count = 0
        try forEachItem(query, options, count: &count) { items.append(QueryItem(name: $0, value: $1)) }
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
