/// The rules for routes and interceptors in a manifest, besides those for their texts: the syntax of patterns is
/// `RoutePattern`'s, and tags have a ``TextRule``.
package enum RouteRules {
    /// The largest number of routes of one selector.
    package static let maximumRoutes = 64

    /// The largest number of patterns of one component, counted without optional groups: `/a(/b)` is two. Everything
    /// that reads a table takes time for each.
    package static let maximumPatterns = 10_000

    /// The largest number of tags of one route or interceptor.
    package static let maximumTags = 16

    /// The largest number of sources that one route is limited to.
    package static let maximumSources = 16

    /// The priorities of routes, interceptors and event handlers. Higher ones come first; the default is 0.
    package static let priorities = -1_000_000...1_000_000

    /// A description of ``priorities``, to follow the word "expected".
    package static let expectedPriority = "an integer from -1000000 to 1000000"
}
