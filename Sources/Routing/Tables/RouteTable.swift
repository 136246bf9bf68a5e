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
/// A table is a value. Copying it is cheap enough to change a table that others read: copy, change the copy, and replace
/// the table by it.
public struct RouteTable<Value: Sendable>: Sendable {
    struct Entry: Sendable {
        let serial: UInt64
        let pattern: RoutePattern
        let priority: Int
        let value: Value
    }

    /// How the table matches.
    public let options: RoutingOptions
    private(set) var index = RouteIndex()
    private(set) var entries: [Entry?] = []
    private var free: [Int32] = []
    private var serial: UInt64 = 0
    private var removals = 0

    /// Creates an empty table.
    public init(options: RoutingOptions = RoutingOptions()) { self.options = options }

    /// The number of routes.
    public var count: Int { entries.count - free.count }

    /// The routes in the order in which they were added.
    public var routes: [Route] {
        entries.compactMap { $0 }.sorted { $0.serial < $1.serial }.map {
            Route(pattern: $0.pattern, priority: $0.priority, value: $0.value)
        }
    }

    /// A route of a table.
    public struct Route: Sendable {
        public let pattern: RoutePattern
        public let priority: Int
        public let value: Value
    }

    /// Adds a route.
    ///
    /// - Returns: Its identity, to remove it.
    /// - Throws: `RouteConflict` if the table has the same pattern with the same priority, and the options refuse
    ///   duplicates, or if the pattern uses a type that the options do not have. The table is then unchanged.
    @discardableResult
    public mutating func add(
        _ pattern: RoutePattern, priority: Int = 0, _ value: Value
    ) throws(RouteConflict) -> RouteIdentity {
        for placeholder in pattern.placeholders {
            if case .custom(let name)? = placeholder.type, options.converters[name] == nil {
                throw RouteConflict(pattern: pattern, reason: .unknownType(name))
            }
        }
        if options.duplicates != .firstWins {
            for variant in pattern.variants {
                guard let other = index.route(at: variant, priority: priority), let entry = entries[Int(other)] else {
                    continue
                }
                switch options.duplicates {
                case .lastWins: remove(slot: other)
                case .firstWinsUnlessEqual where entry.pattern != pattern: break
                case .refused, .firstWins, .firstWinsUnlessEqual:
                    throw RouteConflict(pattern: pattern, reason: .duplicate(of: entry.pattern, route: Int(other)))
                }
            }
        }
        serial += 1
        let entry = Entry(serial: serial, pattern: pattern, priority: priority, value: value)
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
            entries[Int(slot)] = entry
        } else {
            slot = Int32(entries.count)
            entries.append(entry)
        }
        for (number, variant) in pattern.variants.enumerated() {
            index.add(variant, number: number, of: slot, priority: priority)
        }
        return RouteIdentity(slot: slot, serial: serial)
    }

    /// Removes a route.
    ///
    /// - Returns: Its value; nil if it is not in the table any more.
    @discardableResult
    public mutating func remove(_ route: RouteIdentity) -> Value? {
        guard entries.indices.contains(Int(route.slot)), let entry = entries[Int(route.slot)],
            entry.serial == route.serial
        else { return nil }
        remove(slot: route.slot)
        tidy()
        return entry.value
    }

    /// Removes the routes with a pattern, of any priority.
    ///
    /// - Parameter andBelow: whether those whose patterns only begin with this one are removed as well.
    /// - Returns: The number of routes that were removed.
    @discardableResult
    public mutating func remove(_ pattern: RoutePattern, andBelow: Bool = false) -> Int {
        let beginnings = pattern.variants.map(\.withoutNames)
        let slots = entries.indices.filter { slot in
            guard let entry = entries[slot] else { return false }
            return andBelow
                ? entry.pattern.variants.contains { variant in beginnings.contains { variant.begins(with: $0) } }
                : entry.pattern.shape == pattern.shape
        }
        for slot in slots { remove(slot: Int32(slot)) }
        tidy()
        return slots.count
    }

    /// Removes all routes whose patterns name a scheme.
    ///
    /// - Returns: The number of routes that were removed.
    @discardableResult
    public mutating func removeAll(scheme: String) -> Int {
        let scheme = scheme.lowercased()
        let slots = entries.indices.filter { entries[$0]?.pattern.scheme == scheme }
        for slot in slots { remove(slot: Int32(slot)) }
        tidy()
        return slots.count
    }

    private mutating func remove(slot: Int32) {
        guard let entry = entries[Int(slot)] else { return }
        for variant in entry.pattern.variants { index.remove(variant, of: slot) }
        entries[Int(slot)] = nil
        free.append(slot)
        removals += 1
    }

    /// Builds the index again when most of it is of routes that are gone.
    private mutating func tidy() {
        guard removals > count + 64 else { return }
        removals = 0
        index = RouteIndex()
        let slots = entries.indices.filter { entries[$0] != nil }
            .sorted { (entries[$0]?.serial ?? 0) < (entries[$1]?.serial ?? 0) }
        for slot in slots {
            guard let entry = entries[slot] else { continue }
            for (number, variant) in entry.pattern.variants.enumerated() {
                index.add(variant, number: number, of: Int32(slot), priority: entry.priority)
            }
        }
    }
}

extension RouteTable {
    /// Returns whether a URL matches a route. Allocates nothing for URLs of up to 16 components whose route has only
    /// literals.
    public func canOpen(_ url: String) -> Bool { search(url, .existence)?.best != nil }

    /// Returns the best route for a URL; nil if none matches, or the URL is too long.
    public func match(_ url: String) -> RouteMatch<Value>? {
        guard let search = search(url, .best), let best = search.best else { return nil }
        return match(best, url)
    }

    /// Returns all routes that match a URL, best first; none if the URL is too long.
    public func matches(_ url: String) -> [RouteMatch<Value>] {
        guard let all = search(url, .all)?.all else { return [] }
        return all.enumerated().sorted { one, other in
            if one.element.isAncestor != other.element.isAncestor { return !one.element.isAncestor }
            if one.element.priority != other.element.priority { return one.element.priority > other.element.priority }
            if options.preference == .mostLiterals, one.element.literals != other.element.literals {
                return one.element.literals > other.element.literals
            }
            return one.offset < other.offset
        }.compactMap { match($0.element, url) }
    }

    /// Returns the search for a URL; nil if the URL is too long.
    private func search(_ url: String, _ wanted: RouteSearch.Wanted) -> RouteSearch? {
        guard url.utf8.count <= options.lengthLimit else { return nil }
        var search = RouteSearch(index, wanted, options)
        let bytes = url.utf8Span.span
        search.run(SplitURL(bytes), bytes, options)
        return search
    }

    private func match(_ found: FoundRoute, _ url: String) -> RouteMatch<Value>? {
        guard let entry = entries[Int(found.route)] else { return nil }
        return RouteMatch(
            url: url, pattern: entry.pattern, priority: entry.priority, value: entry.value,
            identity: RouteIdentity(slot: found.route, serial: entry.serial), isAncestor: found.isAncestor,
            variant: Int(found.variant), captures: found.captures, options: options)
    }
}

/// Identifies a route of a table for as long as it is there, and never another one.
public struct RouteIdentity: Hashable, Sendable {
    let slot: Int32
    let serial: UInt64
}

/// The reason why a route was not added to a table.
public struct RouteConflict: Error, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The table has the same pattern with the same priority.
        case duplicate(of: RoutePattern, route: Int)
        /// The pattern uses a type that the options have no converter for.
        case unknownType(String)
    }

    public let pattern: RoutePattern
    public let reason: Reason

    public var description: String {
        switch reason {
        case .duplicate(let other, _):
            other.text == pattern.text
                ? "\"\(pattern)\" is there already" : "\"\(pattern)\" is the same pattern as \"\(other)\""
        case .unknownType(let name): "\"\(pattern)\" has a placeholder of type \(name), which nothing converts to"
        }
    }
}

extension PatternVariant {
    /// Whether this one goes on where another ends. Neither has names.
    fileprivate func begins(with other: PatternVariant) -> Bool {
        scheme == other.scheme && beginsWithHost == other.beginsWithHost
            && withoutNames.elements.starts(with: other.elements)
    }
}
