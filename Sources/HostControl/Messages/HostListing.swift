public import ComponentHost
public import ComponentKit

/// The contents of a host as `hslink list` shows them, in the same form for a host in this process or in another one.
@Model public struct HostListing: Sendable {
    /// The process id of a running host; nil for a host that was made only to be listed.
    public var process: Int?
    /// The components in the order in which they can be loaded, followed by those that others displace.
    public var components: [ComponentRow]
    /// The services by name, each with all its providers in order of preference.
    public var services: [ServiceRow]
    /// Files that are not components.
    public var rejectedFiles: [RejectionRow]
    /// Directories that are not searched.
    public var rejectedDirectories: [RejectionRow]
    /// Classes that are declared more than once.
    public var conflicts: [ConflictRow]

    /// Makes a listing of a host in this process.
    ///
    /// - Parameters:
    ///   - host: the host to list; nothing is loaded.
    ///   - process: the process id, if the host keeps running.
    public init(_ host: LinkHost, process: Int? = nil) {
        let catalog = host.catalog
        self.process = process
        let refused = Dictionary(grouping: host.routes.refused, by: \.component)
        components = host.components.map { info in
            // A shadowed file has the name of the component whose routes these are.
            if case .shadowed = info.state { return ComponentRow(info, refused: []) }
            return ComponentRow(info, refused: refused[info.name] ?? [])
        }
        services = host.services.map { ServiceRow($0) }
        rejectedFiles = catalog.rejectedFiles.map { RejectionRow($0) }
        rejectedDirectories = catalog.rejectedDirectories.map { RejectionRow($0) }
        conflicts = catalog.conflicts.map { ConflictRow($0) }
    }
}

/// A component in a listing.
@Model public struct ComponentRow: Sendable {
    /// The name of the component.
    public var name: String
    /// The component's version.
    public var version: String
    /// The layer, if the component declares one.
    public var layer: String?
    /// The state, such as "available"; see `ComponentState`.
    public var state: String
    /// The absolute path of the file; nil if the component is linked into the program.
    public var file: String?
    /// Why the component is not available, or a remark; empty if neither applies.
    public var reason: String
    /// The kind of failure, such as "requirementNotMet"; nil if the component has not failed.
    public var code: String?
    /// The number of calls in flight.
    public var callsInFlight: Int
    /// The number of threads that still run in the component for calls that have ended.
    public var stuckCalls: Int
    /// The number of pieces of work that continue beyond their calls, such as tasks of asynchronous methods.
    public var openWork: Int = 0
    /// The version that a restart would load instead of the one in memory; nil if the file is still the same.
    public var restartVersion: String?
    /// Whether the component is loaded and its file has been removed.
    public var isFileGone: Bool
    /// The routes that the component declares and the host does not use.
    public var refusedRoutes: [RefusedRouteRow] = []

    init(_ info: ComponentInfo, refused: [RefusedRoute]) {
        refusedRoutes = refused.map { RefusedRouteRow($0) }
        name = info.name
        version = "\(info.manifest.version)"
        layer = info.manifest.layer
        state = "\(info.state)"
        file = info.path
        reason = info.reason
        if case .failed(let error) = info.state { code = "\(error.code)" }
        callsInFlight = info.callsInFlight
        stuckCalls = info.stuckCalls
        openWork = info.openWork
        isFileGone = info.onDisk == .gone
        if case .replaced(let version, _) = info.onDisk { restartVersion = "\(version)" }
    }
}

/// A route that the host does not use, in a listing.
@Model public struct RefusedRouteRow: Sendable {
    /// The pattern; empty for one that cannot be read.
    public var pattern: String
    /// The class that declares it.
    public var className: String
    /// The selector that it stands on.
    public var selector: String
    /// Why it is not used, with the route that it is in conflict with.
    public var reason: String

    init(_ route: RefusedRoute) {
        pattern = route.pattern
        className = route.className
        selector = route.selector
        reason = route.reason
    }
}

/// A class that provides a service, in a listing.
@Model public struct ServiceRow: Sendable {
    /// The name of the service, as in "com.example.account/1".
    public var service: String
    /// The component that has the class; "host" for a class of the program itself.
    public var component: String
    /// The component's version; nil for a class of the program itself.
    public var version: String?
    /// The name of the class.
    public var className: String
    /// Whether this is the provider that is used by default.
    public var isChosen: Bool
    /// The state of the component.
    public var state: String
    /// Why the provider cannot be used; empty if it can.
    public var reason: String

    init(_ provider: ServiceProvider) {
        service = provider.service
        component = provider.component
        version = provider.version?.description
        className = provider.className
        isChosen = provider.isChosen
        state = "\(provider.state)"
        reason = provider.reason
    }
}

/// A file or directory that is not used, in a listing.
@Model public struct RejectionRow: Sendable {
    /// The absolute path of a file, or the path of a directory as it was given.
    public var path: String
    /// The machine-readable kind of reason, such as "truncated".
    public var code: String
    /// The human-readable reason.
    public var reason: String

    init(_ rejection: Catalog.Rejection) {
        path = rejection.path
        code = "\(rejection.code)"
        reason = rejection.reason
    }
}

/// A class that is declared more than once, in a listing.
@Model public struct ConflictRow: Sendable {
    /// The name of the class.
    public var className: String
    /// The component whose class is called; nil if it is a class of the host itself.
    public var winner: String?
    /// The component whose class with that name cannot be called.
    public var loser: String

    init(_ conflict: Catalog.ClassConflict) {
        className = conflict.className
        winner = conflict.winner
        loser = conflict.loser
    }
}
