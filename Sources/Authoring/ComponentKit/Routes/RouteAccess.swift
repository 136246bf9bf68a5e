import SystemSupport

/// Which URLs from outside the program may open a route. Code inside the program may open every route.
///
/// Written as a literal: `false` for none, `true` for those of every source that the host allows, and `["browser"]` for
/// those of these sources only, which the host must allow as well.
public struct RouteAccess: Hashable, Sendable, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    /// Whether any source outside the program may open the route.
    public let isPublic: Bool
    /// The only sources that may; empty for all if the route is public.
    public let sources: [String]

    package init(isPublic: Bool, sources: [String]) {
        self.isPublic = isPublic
        self.sources = sources
    }

    /// - Parameter isPublic: whether every source may open the route.
    public init(booleanLiteral isPublic: Bool) { self.init(isPublic: isPublic, sources: []) }

    /// - Parameter sources: the names of the sources that may open the route; none may if it is empty.
    public init(arrayLiteral sources: String...) { self.init(isPublic: !sources.isEmpty, sources: sources) }

    /// Whether a source outside the program may open the route, if the host allows it.
    package func includes(_ source: String) -> Bool {
        isPublic && (sources.isEmpty || sources.containsExactly(source))
    }
}
