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
/// Spaces, tabs and line ends around a URL are not part of it, and are passed over; those within it are what they are.
///
/// A table is a value. Copying it is cheap enough to change a table that others read: copy it, change the copy, and
/// publish the copy in place of the table. A table is not locked; it may be read from any number of threads.
public struct RouteTable<Value: Sendable>: Sendable {
    @usableFromInline var patterns: RouteSet
    /// By the slots of the routes; nil for a free one.
    @usableFromInline var values: [Value?] = []

    /// Creates an empty table.
    ///
    /// - Parameter options: how the table matches.
    public init(options: RoutingOptions = RoutingOptions()) { patterns = RouteSet(options) }

    /// How the table matches.
    public var options: RoutingOptions { patterns.settings.options }

    /// The number of routes.
    public var count: Int { patterns.count }

    /// The routes in the order in which they were added.
    public var routes: [Route] { patterns.entriesInOrder.compactMap(route) }

    /// Returns the value of a route; nil if it is not in the table any more.
    public func value(of route: RouteIdentity) -> Value? {
        patterns.entry(of: route) == nil ? nil : values[Int(route.slot)]
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
    }

    func route(_ entry: RouteSet.Entry) -> Route? {
        values[Int(entry.identity.slot)].map {
            Route(pattern: entry.pattern, priority: entry.priority, value: $0, identity: entry.identity)
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
        let identity = try patterns.add(pattern, priority: priority)
        releaseFreed()
        if values.count <= Int(identity.slot) { values.append(value) } else { values[Int(identity.slot)] = value }
        return identity
    }

    /// Removes a route.
    ///
    /// - Returns: Its value; nil if the table does not have it any more, or never had it.
    @discardableResult
    public mutating func remove(_ route: RouteIdentity) -> Value? {
        let value = value(of: route)
        patterns.remove(route)
        releaseFreed()
        return value
    }

    /// Removes the routes with a pattern, of any priority. The names of placeholders count only if the options allow
    /// routes that differ in nothing else.
    ///
    /// - Parameter andBelow: whether those whose patterns only begin with this one are removed as well.
    /// - Returns: The number of routes that were removed.
    @discardableResult
    public mutating func remove(_ pattern: RoutePattern, andBelow: Bool = false) -> Int {
        defer { releaseFreed() }
        return patterns.remove(pattern, andBelow: andBelow)
    }

    /// Removes all routes whose patterns name a scheme.
    ///
    /// - Parameter scheme: the scheme without a colon, in any case.
    /// - Returns: The number of routes that were removed.
    @discardableResult
    public mutating func removeAll(scheme: String) -> Int {
        defer { releaseFreed() }
        let scheme = scheme.lowercased()
        return patterns.removeAll { pattern, _ in pattern.scheme == scheme }
    }

    /// Releases the values of routes that are gone.
    private mutating func releaseFreed() {
        for slot in patterns.takeFreed() where values.indices.contains(Int(slot)) { values[Int(slot)] = nil }
    }
}

extension RouteTable {
    /// Returns whether a URL matches a route. Allocates nothing for a URL of up to 16 components without a fragment, if
    /// the routes that begin like it have no typed placeholders.
    public func canOpen(_ url: String) -> Bool { patterns.canOpen(url) }

    /// Returns the best route for a URL; nil if none matches, or the URL is too long.
    @inlinable
    public func match(_ url: String) -> RouteMatch<Value>? {
        guard let found = patterns.best(url), let value = values[found.slot] else { return nil }
        return RouteMatch(found, value)
    }

    /// Returns all routes that match a URL, best first; none if the URL is too long. A route is listed once.
    public func matches(_ url: String) -> [RouteMatch<Value>] {
        patterns.all(url).compactMap { found in values[found.slot].map { RouteMatch(found, $0) } }
    }
}
