public import ComponentKit

/// The contents of a host's directories, and the state of its components.
@Model public struct HostContents: Hashable, Sendable {
    /// The process id of a running host; nil for a host that was made only to be listed.
    public var process: Int?
    /// The components in the order in which they can be loaded, followed by those that others displace.
    public var components: [ComponentRow]
    /// The services by name, each with all its providers in order of preference. Without the host's own.
    public var services: [ServiceRow]
    /// Files that are not components.
    public var rejectedFiles: [RejectionRow]
    /// Directories that are not searched.
    public var rejectedDirectories: [RejectionRow]
    /// Classes that are declared more than once.
    public var conflicts: [ConflictRow]
}

/// A component of a host.
@Model public struct ComponentRow: Hashable, Sendable {
    /// The name of the component.
    public var name: String
    /// The component's version.
    public var version: String
    /// The layer, if the component declares one.
    public var layer: String?
    /// The state: "available", "starting", "running", "stuck", "stopping", "stopped", "failed", "shadowed" or "disabled".
    public var state: String
    /// The absolute path of the file; nil if the component is linked into the program.
    public var file: String?
    /// Why the component is not available, or a remark; empty if neither applies.
    public var reason: String
    /// What would make the component, or what it lacks, available, as one sentence without a full stop; nil if nothing
    /// is wrong with it.
    public var recovery: String?
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
    /// How and when the component last crashed the host, as in "crashed in VideoLink.probe with SIGSEGV … at …"; nil if it
    /// has not since the host last stopped in order, or if the host reports no crashes.
    public var lastCrash: String?
}

/// A route that the host does not use.
@Model public struct RefusedRouteRow: Hashable, Sendable {
    /// The pattern; empty for one that cannot be read.
    public var pattern: String
    /// The class that declares it.
    public var className: String
    /// The selector that declares it.
    public var selector: String
    /// Why it is not used, with the route that it is in conflict with.
    public var reason: String
}

/// A class that provides a service.
@Model public struct ServiceRow: Hashable, Sendable {
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
}

/// A file or directory that is not used.
@Model public struct RejectionRow: Hashable, Sendable {
    /// The absolute path of a file, or the path of a directory as it was given.
    public var path: String
    /// The machine-readable kind of reason, such as "truncated".
    public var code: String
    /// The human-readable reason, with what to do about it.
    public var reason: String
}

/// A class that is declared more than once.
@Model public struct ConflictRow: Hashable, Sendable {
    /// The name of the class.
    public var className: String
    /// The component whose class is called; nil if it is a class of the host itself.
    public var winner: String?
    /// The component whose class with that name cannot be called.
    public var loser: String
}
