public import ComponentKit

/// Which routes a host has: its class `hslink.Routes`. Components open URLs with `Link` of ComponentKit.
///
/// The function may be called from any thread, and loads no component. It throws a `LinkError`.
@LinkService("org.hslink.host.routes/1", kind: .class)
public protocol HostRoutesService: Sendable {
    /// Returns the routes that the host uses, sorted by pattern, and those that it does not use.
    func routes() throws -> RouteList
}

/// The routes of a host.
@Model public struct RouteList: Hashable, Sendable {
    /// Sorted by pattern.
    public var routes: [RouteRow]
    /// Those that the host does not use, in the order of their components.
    public var refused: [UnusedRouteRow]
}

/// A route that URLs are matched with.
@Model(.sparse) public struct RouteRow: Hashable, Sendable {
    /// The pattern, as it was declared.
    public var pattern: String
    /// The class that is called; empty for a closure of the program, and for URLs that name a target and an action.
    public var `class`: String = ""
    /// The selector that is called; empty for a closure.
    public var selector: String = ""
    /// "class" if the selector is called on the class.
    public var kind: String = "object"
    /// The component that has the class; empty for the program's own.
    public var component: String = ""
    /// Whether it can be opened from outside the program.
    public var `public`: Bool = false
    /// The only sources outside that may open it; empty for all if it is public.
    public var sources: [String] = []
    /// The tags by which interceptors select it.
    public var tags: [String] = []
    /// Higher ones are tried first.
    public var priority: Int = 0
    /// Whether the component can be called: it has neither failed nor been stopped, and may not be loaded yet. Nil for a
    /// route of a file, which leads to no component.
    public var available: Bool?
}

/// A route that a component declares and the host does not use.
@Model public struct UnusedRouteRow: Hashable, Sendable {
    /// The pattern; for one that cannot be read, its place in the manifest.
    public var pattern: String
    /// The component that declares it.
    public var component: String
    /// The class that declares it.
    public var `class`: String
    /// The selector that declares it.
    public var selector: String
    /// Why it is not used, with the route that it is in conflict with.
    public var reason: String
}
