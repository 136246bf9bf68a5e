import ComponentKit
import HostContract

/// What a host tells of itself: its components, services and page modules, and what its other features know.
final class HostServiceFeature: HostFeature {
    static var place: Int { 5 }
    static let classes = [
        ServicesLink.provided, HostPagesLink.provided, SchemasLink.provided, HostServiceLink.provided,
    ]

    /// What it asks other features for.
    struct Sources: Sendable {
        /// Returns the routes that components declare and the host does not use.
        let refusedRoutes: @Sendable () -> [(component: String, route: RefusedRouteRow)]
        /// Returns the resources of a component; nil if it has none.
        let resources: @Sendable (_ unit: ComponentUnit) -> ResourceListing?
        /// Returns how long components took; nil if that is not recorded.
        let times: @Sendable () -> [ComponentTime]?
        /// Returns the lines of the log after one; all that are kept for nil.
        let logLines: @Sendable (_ number: Int?) -> [LogLine]
        /// Returns the events that were posted after one; all that are kept for nil.
        let posts: @Sendable (_ number: Int?) -> [EventPost]
    }

    let sources: Sources

    init(_ sources: Sources) { self.sources = sources }
}
