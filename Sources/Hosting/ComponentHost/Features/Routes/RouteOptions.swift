// The options of routes are part of those of a host, so importers of this module need their types.
@_exported public import Routing

/// The options of a host's routes.
public struct RouteOptions: Sendable {
    /// How URLs are matched and read; see `RoutingOptions` for the defaults, and for the sets of other routers.
    public var matching = RoutingOptions()

    /// The sources outside the program that may open URLs, by the names that ``RouteOrigin/remote(_:)`` takes. Default:
    /// none, so that nothing can be opened from outside.
    public var remoteSources: Set<String> = []

    /// Creates options with the default values.
    public init() {}
}
