/// A table of URL patterns with a value each, such as what handles the URLs.
///
///     var table = RouteTable<String>()
///     try table.add(RoutePattern("studio://video/:id<int>"), "the film with a number")
///     try table.add(RoutePattern("studio://video/new"), "a new film")
///     table.match("studio://video/7")?.value               // "the film with a number"
///     table.match("studio://video/7")?.pathValues          // [("id", .integer(7))]
///     table.canOpen("studio://video/x")                    // false
///
/// Which of several patterns matches does not depend on the order in which they were added: routes of a higher priority
/// come first; then patterns that name a scheme and a host, those that name only a scheme, and those for any scheme;
/// then, component by component, a literal, a typed placeholder (`uuid`, `bool`, `uint`, `int`, `float`, custom types),
/// text, and what takes all that is left. ``RoutingOptions`` can change some of that.
///
/// A table is a value. Copying it is cheap enough to change a table that others read: copy it, change the copy, and
/// publish the copy in place of the table. A table is not locked; it may be read from any number of threads.
public struct RouteTable<Value: Sendable>: Sendable {
    /// A route, shared by all copies of the table.
    final class Entry: Sendable {
        let identity: RouteIdentity
        let pattern: RoutePattern
        let priority: Int
        let value: Value

        init(_ identity: RouteIdentity, _ pattern: RoutePattern, _ priority: Int, _ value: Value) {
            self.identity = identity
            self.pattern = pattern
            self.priority = priority
            self.value = value
        }
    }

    struct Slot: Sendable {
        /// Nil for a free slot.
        var entry: Entry?
        /// A bit for each variant of the pattern that a later route has replaced. A pattern has at most 64.
        var replaced: UInt64 = 0

        func isReplaced(_ variant: Int) -> Bool { replaced & 1 << UInt64(variant) != 0 }
    }

    private let settings: RoutingSettings
    private(set) var index = RouteIndex()
    private(set) var slots: [Slot] = []
    private var free: [Int32] = []
    /// The number of variants that were removed since the index was built.
    private var removals = 0

    /// Creates an empty table.
    ///
    /// - Parameter options: how the table matches.
    public init(options: RoutingOptions = RoutingOptions()) { settings = RoutingSettings(options) }

    /// How the table matches.
    public var options: RoutingOptions { settings.options }

    /// The number of routes.
    public var count: Int { slots.count - free.count }

    /// The routes in the order in which they were added.
    public var routes: [Route] {
        slots.compactMap(\.entry).sorted { $0.identity.serial < $1.identity.serial }.map(Route.init)
    }

    /// Returns the value of a route; nil if it is not in the table any more.
    public func value(of route: RouteIdentity) -> Value? {
        guard slots.indices.contains(Int(route.slot)), let entry = slots[Int(route.slot)].entry,
            entry.identity == route
        else { return nil }
        return entry.value
    }

    /// A route of a table.
    public struct Route: Sendable {
        /// The pattern as it was added.
        public let pattern: RoutePattern
        /// A route of a higher priority is preferred.
        public let priority: Int
        /// What was added with the pattern.
        public let value: Value
        /// What removes the route.
        public let identity: RouteIdentity

        init(_ entry: Entry) {
            pattern = entry.pattern
            priority = entry.priority
            value = entry.value
            identity = entry.identity
        }
    }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - pattern: the URLs that the route is for.
    ///   - priority: routes of a higher priority are preferred, however specific their patterns are.
    ///   - value: what a match returns.
    /// - Returns: The identity of the route, to remove it.
    /// - Throws: `RouteConflict` if the table has the same pattern with the same priority and the options refuse
    ///   duplicates, if the pattern uses a type that the options do not have, or if it names a scheme and host that the
    ///   options refuse. The table is then unchanged.
    @discardableResult
    public mutating func add(
        _ pattern: RoutePattern, priority: Int = 0, _ value: Value
    ) throws(RouteConflict) -> RouteIdentity {
        try checkTypes(pattern)
        try checkSource(pattern)
        if options.duplicates != .firstWins { try makeWay(for: pattern, priority) }
        let slot = free.popLast() ?? Int32(slots.count)
        let identity = RouteIdentity.next(slot)
        let entry = Slot(entry: Entry(identity, pattern, priority, value))
        if Int(slot) < slots.count { slots[Int(slot)] = entry } else { slots.append(entry) }
        for (number, variant) in pattern.variants.enumerated() {
            index.add(variant, number: number, of: slot, priority: priority)
        }
        tidy()
        return identity
    }

    private func checkTypes(_ pattern: RoutePattern) throws(RouteConflict) {
        for placeholder in pattern.placeholders {
            if case .custom(let name)? = placeholder.type, options.converters[name] == nil {
                throw RouteConflict(pattern: pattern, reason: .unknownType(name))
            }
        }
    }

    private func checkSource(_ pattern: RoutePattern) throws(RouteConflict) {
        guard options.refusesOtherSources, !options.sources.isEmpty, let scheme = pattern.scheme else { return }
        let isKnown = pattern.variants.allSatisfy { variant in
            options.sources.contains { source in
                guard source.scheme == scheme else { return false }
                guard variant.beginsWithHost, let host = source.host else { return true }
                return variant.elements.first == .literal(Array(host.utf8))
            }
        }
        guard isKnown else { throw RouteConflict(pattern: pattern, reason: .unknownSource) }
    }

    /// Throws if duplicates of the pattern refuse it, and removes those that it replaces.
    private mutating func makeWay(for pattern: RoutePattern, _ priority: Int) throws(RouteConflict) {
        for variant in pattern.variants {
            for other in index.endings(like: variant) where other.priority == priority {
                guard let entry = slots[Int(other.route)].entry else { continue }
                switch options.duplicates {
                case .lastWins: remove(variant: Int(other.variant), of: other.route)
                case .firstWinsUnlessEqual where entry.pattern != pattern: continue
                case .refused, .firstWins, .firstWinsUnlessEqual:
                    throw RouteConflict(
                        pattern: pattern, reason: .duplicate(of: entry.pattern, route: entry.identity))
                }
            }
        }
    }

    /// Removes a route.
    ///
    /// - Returns: Its value; nil if the table does not have it any more, or never had it.
    @discardableResult
    public mutating func remove(_ route: RouteIdentity) -> Value? {
        guard slots.indices.contains(Int(route.slot)), let entry = slots[Int(route.slot)].entry,
            entry.identity == route
        else { return nil }
        remove(slot: route.slot)
        tidy()
        return entry.value
    }

    /// Removes the routes with a pattern, of any priority. The names of placeholders count only if the options allow
    /// routes that differ in nothing else.
    ///
    /// - Parameter andBelow: whether those whose patterns only begin with this one are removed as well.
    /// - Returns: The number of routes that were removed.
    @discardableResult
    public mutating func remove(_ pattern: RoutePattern, andBelow: Bool = false) -> Int {
        let beginnings = pattern.variants.map(\.withoutNames)
        let shape = pattern.shape
        let countsNames = options.duplicates == .firstWins || options.duplicates == .firstWinsUnlessEqual
        return removeAll { other in
            if andBelow {
                return other.variants.contains { variant in beginnings.contains { variant.begins(with: $0) } }
            }
            return countsNames ? other == pattern : other.shape == shape
        }
    }

    /// Removes all routes whose patterns name a scheme.
    ///
    /// - Parameter scheme: the scheme without a colon, in any case.
    /// - Returns: The number of routes that were removed.
    @discardableResult
    public mutating func removeAll(scheme: String) -> Int {
        let scheme = scheme.lowercased()
        return removeAll { $0.scheme == scheme }
    }

    private mutating func removeAll(where matches: (RoutePattern) -> Bool) -> Int {
        let found = slots.indices.filter { slots[$0].entry.map { matches($0.pattern) } ?? false }
        for slot in found { remove(slot: Int32(slot)) }
        tidy()
        return found.count
    }

    private mutating func remove(slot: Int32) {
        guard let entry = slots[Int(slot)].entry else { return }
        for (number, variant) in entry.pattern.variants.enumerated() where !slots[Int(slot)].isReplaced(number) {
            index.remove(variant, number: number, of: slot)
            removals += 1
        }
        slots[Int(slot)] = Slot()
        free.append(slot)
    }

    /// Removes one variant of a route, and the route with its last one.
    private mutating func remove(variant number: Int, of slot: Int32) {
        guard let entry = slots[Int(slot)].entry else { return }
        index.remove(entry.pattern.variants[number], number: number, of: slot)
        removals += 1
        slots[Int(slot)].replaced |= 1 << UInt64(number)
        if entry.pattern.variants.indices.allSatisfy({ slots[Int(slot)].isReplaced($0) }) {
            slots[Int(slot)] = Slot()
            free.append(slot)
        }
    }

    /// Builds the index again when most of it belongs to routes that are gone.
    private mutating func tidy() {
        guard removals > count + 64 else { return }
        removals = 0
        index = RouteIndex()
        let order = slots.indices.filter { slots[$0].entry != nil }
            .sorted { (slots[$0].entry?.identity.serial ?? 0) < (slots[$1].entry?.identity.serial ?? 0) }
        for slot in order {
            guard let entry = slots[slot].entry else { continue }
            for (number, variant) in entry.pattern.variants.enumerated() where !slots[slot].isReplaced(number) {
                index.add(variant, number: number, of: Int32(slot), priority: entry.priority)
            }
        }
    }
}

extension RouteTable {
    /// Returns whether a URL matches a route. Allocates nothing for a URL of up to 16 components without a fragment, if
    /// the routes that begin like it have no typed placeholders.
    public func canOpen(_ url: String) -> Bool { search(url, .existence)?.best != nil }

    /// Returns the best route for a URL; nil if none matches, or the URL is too long.
    public func match(_ url: String) -> RouteMatch<Value>? {
        search(url, .best)?.best.flatMap { match($0, url) }
    }

    /// Returns all routes that match a URL, best first; none if the URL is too long. A route is listed once.
    public func matches(_ url: String) -> [RouteMatch<Value>] {
        guard let all = search(url, .all)?.all else { return [] }
        let prefersMostLiterals = options.preference == .mostLiterals
        let sorted = all.enumerated().sorted { one, other in
            let (left, right) = (one.element.ending, other.element.ending)
            if left.priority != right.priority { return left.priority > right.priority }
            if prefersMostLiterals, left.literals != right.literals { return left.literals > right.literals }
            return one.offset < other.offset
        }
        var seen: Set<Int32> = []
        return sorted.compactMap { found in
            seen.insert(found.element.ending.route).inserted ? match(found.element, url) : nil
        }
    }

    /// Returns the search for a URL; nil if the URL is too long.
    private func search(_ url: String, _ wanted: RouteSearch.Wanted) -> RouteSearch? {
        guard url.utf8.count <= settings.lengthLimit else { return nil }
        var search = RouteSearch(wanted, settings.options)
        let bytes = url.utf8Span.span
        search.run(index, SplitURL(bytes), bytes, settings.options)
        return search
    }

    private func match(_ found: FoundRoute, _ url: String) -> RouteMatch<Value>? {
        guard let entry = slots[Int(found.ending.route)].entry else { return nil }
        return RouteMatch(
            url: url, entry: entry, variant: Int(found.ending.variant), isAncestor: found.isAncestor,
            captures: found.captures, settings: settings)
    }
}

/// The options of a table, shared with all matches.
final class RoutingSettings: Sendable {
    let options: RoutingOptions
    /// Places in a URL are kept in 32 bits.
    let lengthLimit: Int

    init(_ options: RoutingOptions) {
        self.options = options
        lengthLimit = min(options.lengthLimit, Int(Int32.max))
    }
}

extension PatternVariant {
    /// Whether this one continues where another ends, which has no names.
    fileprivate func begins(with other: PatternVariant) -> Bool {
        scheme == other.scheme && beginsWithHost == other.beginsWithHost
            && withoutNames.elements.starts(with: other.elements)
    }
}
