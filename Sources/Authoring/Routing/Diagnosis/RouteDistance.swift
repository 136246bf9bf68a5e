/// How much a pattern and a URL differ. The unit is a thousandth of a component.
struct RouteDistance: Comparable {
    private let cost: Int
    /// A larger cost makes no sensible suggestion.
    private let limit: Int

    private enum Cost {
        static let otherCase = 50
        static let typedPlaceholder = 20
        static let placeholder = 60
        static let rest = 60
        static let wrongType = 500
        /// A component that one has and the other has not.
        static let missing = 700
        static let otherLiteral = 1_200
        static let similarScheme = 300
        static let noScheme = 400
        static let otherScheme = 600
        /// For each component and the scheme.
        static let tolerable = 350
    }

    /// What literals and components cost, because most are compared many times.
    struct Costs {
        private var known: [Pair: Int] = [:]

        private struct Pair: Hashable {
            let literal: [UInt8]
            let component: String
        }

        /// Patterns may be many and long. What exceeds this counts as another word.
        private static let limit = 20_000

        fileprivate mutating func cost(_ literal: [UInt8], _ component: String) -> Int {
            let pair = Pair(literal: literal, component: component)
            if let cost = known[pair] { return cost }
            guard known.count < Self.limit else {
                return literal.elementsEqual(component.utf8) ? 0 : Cost.otherLiteral
            }
            let cost = RouteDistance.cost(literal, component)
            known[pair] = cost
            return cost
        }
    }

    init(_ variant: PatternVariant, _ url: URLParts, costs: inout Costs) {
        var components = (url.host.isEmpty ? [] : [url.host]) + url.path
        // Without a host in the pattern it depends on options whether the URL's host counts.
        if !variant.beginsWithHost { components = url.components(for: variant) }
        if let fragment = url.fragment, variant.elements.contains(.fragment) { components += ["#"] + fragment }
        var elements = variant.elements
        var rest = 0
        if case .rest? = elements.last {
            elements.removeLast()
            rest = Cost.rest
            components = Array(components.prefix(elements.count))
        }
        limit = Cost.tolerable * (max(elements.count, components.count) + 1)
        let scheme = Self.schemeCost(variant.scheme, url.scheme)
        // A difference in length alone may already be too much.
        guard abs(elements.count - components.count) * Cost.missing <= limit else {
            cost = Int.max
            return
        }
        // A pattern whose every literal is another word has nothing to do with the URL.
        let isRelated = elements.contains { element in
            guard case .literal(let bytes) = element else { return false }
            return components.contains { costs.cost(bytes, $0) < Cost.otherLiteral }
        }
        cost = isRelated ? scheme + rest + Self.alignmentCost(elements, components, costs: &costs) : Int.max
    }

    static func == (one: RouteDistance, other: RouteDistance) -> Bool { one.cost == other.cost }
    static func < (one: RouteDistance, other: RouteDistance) -> Bool { one.cost < other.cost }

    /// Whether the pattern is a sensible suggestion.
    var isNear: Bool { cost <= limit }

    private static func schemeCost(_ pattern: String?, _ url: String?) -> Int {
        guard let pattern, pattern != url else { return 0 }
        guard let url else { return Cost.noScheme }
        return editDistance(pattern, url, limit: 2) == nil ? Cost.otherScheme : Cost.similarScheme
    }

    /// Returns the cost of the cheapest way to align elements with components, some of which may be missing.
    private static func alignmentCost(
        _ elements: [PatternElement], _ components: [String], costs: inout Costs
    ) -> Int {
        var row = (0...components.count).map { $0 * Cost.missing }
        for element in elements {
            var diagonal = row[0]
            row[0] += Cost.missing
            for (index, component) in components.enumerated() {
                let replaced = diagonal + cost(element, component, costs: &costs)
                diagonal = row[index + 1]
                row[index + 1] = min(replaced, min(row[index], row[index + 1]) + Cost.missing)
            }
        }
        return row[components.count]
    }

    private static func cost(_ literal: [UInt8], _ component: String) -> Int {
        let literal = String(decoding: literal, as: UTF8.self)
        if literal == component { return 0 }
        let (one, other) = (literal.lowercased(), component.lowercased())
        if one == other { return Cost.otherCase }
        let length = max(one.unicodeScalars.count, other.unicodeScalars.count)
        guard let edits = editDistance(one, other, limit: max(length / 3, 1)) else { return Cost.otherLiteral }
        return 200 + 600 * edits / length
    }

    private static func cost(_ element: PatternElement, _ component: String, costs: inout Costs) -> Int {
        switch element {
        case .literal(let bytes): return costs.cost(bytes, component)
        case .placeholder(_, let type, let suffix):
            let suffix = String(decoding: suffix, as: UTF8.self)
            guard component.hasSuffix(suffix) else { return Cost.wrongType }
            guard let type, type != .string else { return Cost.placeholder }
            if case .custom = type { return Cost.typedPlaceholder }
            return type.value(of: String(component.dropLast(suffix.count))) == nil
                ? Cost.wrongType : Cost.typedPlaceholder
        case .fragment: return component == "#" ? 0 : Cost.otherLiteral
        case .rest: return Cost.rest
        }
    }
}

/// Returns the number of characters to insert, delete, replace or swap with their neighbour to get from one text to the
/// other; nil if it is more than `limit`, or a text is longer than 64 characters.
func editDistance(_ one: String, _ other: String, limit: Int) -> Int? {
    let (left, right) = (Array(one.unicodeScalars.prefix(65)), Array(other.unicodeScalars.prefix(65)))
    guard left.count <= 64, right.count <= 64, abs(left.count - right.count) <= limit else { return nil }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, scalar) in left.enumerated() {
        var current = [row + 1]
        for (column, candidate) in right.enumerated() {
            var best = min(last[column] + (scalar == candidate ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == candidate {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current.append(best)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count] <= limit ? last[right.count] : nil
}

extension RouteTable {
    /// Returns the routes whose patterns are most similar to a URL, as suggestions when nothing matches: with mistyped
    /// components, some too many or too few, a value of the wrong type, or another scheme.
    ///
    /// Looks at every route, so it takes much longer than ``match(_:)``.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - limit: the number of routes to return.
    /// - Returns: The routes, most similar first; none if all differ too much, or the URL is too long.
    public func nearest(to url: String, limit: Int = 3) -> [Route] {
        let url = url.withoutSpaceAround
        guard url.utf8.count <= options.lengthLimit else { return [] }
        let parts = URLParts(url, options)
        var costs = RouteDistance.Costs()
        let near = patterns.liveVariants.compactMap {
            entry, variants -> (entry: RouteSet.Entry, distance: RouteDistance)? in
            guard let distance = variants.map({ RouteDistance($0, parts, costs: &costs) }).filter(\.isNear).min() else {
                return nil
            }
            return (entry, distance)
        }
        return near.sorted { one, other in
            if one.distance != other.distance { return one.distance < other.distance }
            return (one.entry.pattern.text, one.entry.identity.serial)
                < (other.entry.pattern.text, other.entry.identity.serial)
        }.prefix(max(limit, 0)).compactMap { route($0.entry) }
    }
}
