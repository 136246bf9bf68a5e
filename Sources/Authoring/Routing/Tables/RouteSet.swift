/// The patterns of a table, without its values: what they match is looked up without knowing what the values are.
@usableFromInline
struct RouteSet: Sendable {
    /// A route, shared by all copies of the table.
    final class Entry: Sendable {
        let identity: RouteIdentity
        let pattern: RoutePattern
        let priority: Int

        init(_ identity: RouteIdentity, _ pattern: RoutePattern, priority: Int) {
            self.identity = identity
            self.pattern = pattern
            self.priority = priority
        }
    }

    struct Slot: Sendable {
        /// Nil for a free slot.
        var entry: Entry?
        /// A bit for each variant of the pattern that a later route has replaced. A pattern has at most 64.
        var replaced: UInt64 = 0

        func isReplaced(_ variant: Int) -> Bool { replaced & 1 << UInt64(variant) != 0 }
    }

    let settings: RoutingSettings
    private(set) var index = RouteIndex()
    private(set) var slots: [Slot] = []
    private var free: [Int32] = []
    /// The slots that have become free since they were last asked for.
    private var freed: [Int32] = []
    /// The number of variants that were removed since the index was built.
    private var removals = 0

    init(_ options: RoutingOptions) { settings = RoutingSettings(options) }

    private var options: RoutingOptions { settings.options }

    var count: Int { slots.count - free.count }

    /// The routes in the order in which they were added.
    var entriesInOrder: [Entry] {
        slots.compactMap(\.entry).sorted { $0.identity.serial < $1.identity.serial }
    }

    /// The routes with their variants, without those that were replaced.
    var liveVariants: [(entry: Entry, variants: [PatternVariant])] {
        slots.compactMap { slot in
            guard let entry = slot.entry else { return nil }
            guard slot.replaced != 0 else { return (entry, entry.pattern.variants) }
            return (entry, entry.pattern.variants.enumerated().filter { !slot.isReplaced($0.offset) }.map(\.element))
        }
    }

    /// The schemes that routes name.
    var schemes: Set<String> { Set(slots.compactMap { $0.entry?.pattern.scheme }) }

    func entry(of route: RouteIdentity) -> Entry? {
        guard slots.indices.contains(Int(route.slot)), let entry = slots[Int(route.slot)].entry,
            entry.identity == route
        else { return nil }
        return entry
    }

    mutating func takeFreed() -> [Int32] {
        guard !freed.isEmpty else { return [] }
        defer { freed = [] }
        return freed
    }

    // MARK: Changing

    mutating func add(_ pattern: RoutePattern, priority: Int) throws(RouteConflict) -> RouteIdentity {
        try checkTypes(pattern)
        try checkSource(pattern)
        if options.duplicates != .firstWins { try makeWay(for: pattern, priority) }
        let slot = free.popLast() ?? Int32(slots.count)
        let identity = RouteIdentity.next(slot)
        let entry = Slot(entry: Entry(identity, pattern, priority: priority))
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

    mutating func remove(_ route: RouteIdentity) {
        guard entry(of: route) != nil else { return }
        remove(slot: route.slot)
        tidy()
    }

    mutating func remove(_ pattern: RoutePattern, andBelow: Bool) -> Int {
        let beginnings = pattern.variants.map(\.withoutNames)
        let shape = pattern.shape
        let countsNames = options.duplicates == .firstWins || options.duplicates == .firstWinsUnlessEqual
        return removeAll { other, variants in
            if andBelow { return variants.contains { variant in beginnings.contains { variant.begins(with: $0) } } }
            return countsNames ? other == pattern : other.shape == shape
        }
    }

    /// - Parameter matches: is passed a pattern and those of its variants that no later route has replaced.
    mutating func removeAll(where matches: (RoutePattern, [PatternVariant]) -> Bool) -> Int {
        let found = liveVariants.filter { matches($0.entry.pattern, $0.variants) }
        for (entry, _) in found { remove(slot: entry.identity.slot) }
        tidy()
        return found.count
    }

    private mutating func remove(slot: Int32) {
        guard let entry = slots[Int(slot)].entry else { return }
        for (number, variant) in entry.pattern.variants.enumerated() where !slots[Int(slot)].isReplaced(number) {
            index.remove(variant, number: number, of: slot)
            removals += 1
        }
        release(slot)
    }

    /// Removes one variant of a route, and the route with its last one.
    private mutating func remove(variant number: Int, of slot: Int32) {
        guard let entry = slots[Int(slot)].entry else { return }
        index.remove(entry.pattern.variants[number], number: number, of: slot)
        removals += 1
        slots[Int(slot)].replaced |= 1 << UInt64(number)
        if entry.pattern.variants.indices.allSatisfy({ slots[Int(slot)].isReplaced($0) }) {
            release(slot)
        }
    }

    private mutating func release(_ slot: Int32) {
        slots[Int(slot)] = Slot()
        free.append(slot)
        freed.append(slot)
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

extension RouteSet {
    /// Returns the best route for a URL; nil if none matches, or the URL is too long.
    @usableFromInline
    func best(_ url: String) -> FoundURL? {
        let url = url.withoutSpaceAround
        var search = RouteSearch(.best, settings.options)
        guard let pathEnd = run(&search, url), let found = search.best else { return nil }
        return self.found(found, url, pathEnd: pathEnd)
    }

    func canOpen(_ url: String) -> Bool {
        let url = url.withoutSpaceAround
        var search = RouteSearch(.existence, settings.options)
        return run(&search, url) != nil && search.best != nil
    }

    /// Returns all routes that match a URL, best first, each once.
    func all(_ url: String) -> [FoundURL] {
        let url = url.withoutSpaceAround
        var search = RouteSearch(.all, settings.options)
        guard let pathEnd = run(&search, url) else { return [] }
        let prefersMostLiterals = options.preference == .mostLiterals
        let sorted = search.all.enumerated().sorted { one, other in
            let (left, right) = (one.element.ending, other.element.ending)
            if left.priority != right.priority { return left.priority > right.priority }
            if prefersMostLiterals, left.literals != right.literals { return left.literals > right.literals }
            return one.offset < other.offset
        }
        var seen: Set<Int32> = []
        return sorted.compactMap { place in
            seen.insert(place.element.ending.route).inserted ? found(place.element, url, pathEnd: pathEnd) : nil
        }
    }

    /// Searches for the routes of a URL, in place, because searches are large.
    ///
    /// - Returns: Where the path of the URL ends; nil if the URL is too long.
    @inline(__always)
    private func run(_ search: inout RouteSearch, _ url: String) -> Int32? {
        guard url.utf8.count <= settings.lengthLimit else { return nil }
        let bytes = url.utf8Span.span
        let split = SplitURL(bytes)
        search.run(index, split, bytes: bytes, options: settings.options)
        return Int32(split.path.upperBound)
    }

    private func found(_ found: FoundRoute, _ url: String, pathEnd: Int32) -> FoundURL? {
        guard let entry = slots[Int(found.ending.route)].entry else { return nil }
        return FoundURL(
            url: url, entry: entry, variant: Int(found.ending.variant), isAncestor: found.isAncestor,
            captures: found.captures, pathEnd: pathEnd, settings: settings)
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
