public import ComponentHost
public import ComponentKit

/// The contents of a host as `hslink list` shows them, the same for a host in this process and for one elsewhere.
@Model public struct HostListing: Sendable {
    /// The process of a host that stays up; nil for one that was made to be listed.
    public var process: Int?
    /// In the order in which they can be loaded, then those that others have displaced.
    public var components: [ComponentRow]
    /// By their names, each with all that provide it in the order of choice.
    public var services: [ServiceRow]
    /// Files that are not components.
    public var rejectedFiles: [RejectionRow]
    /// Directories that are not searched.
    public var rejectedDirectories: [RejectionRow]
    /// Classes that are declared more than once.
    public var conflicts: [ConflictRow]

    /// What a host in this process has.
    ///
    /// - Parameters:
    ///   - host: is asked; nothing is loaded.
    ///   - process: of a host that stays up.
    public init(_ host: LinkHost, process: Int? = nil) {
        let catalog = host.catalog
        self.process = process
        components = host.components.map { ComponentRow($0) }
        services = host.services.map { ServiceRow($0) }
        rejectedFiles = catalog.rejectedFiles.map { RejectionRow($0) }
        rejectedDirectories = catalog.rejectedDirectories.map { RejectionRow($0) }
        conflicts = catalog.conflicts.map { ConflictRow($0) }
    }
}

/// A component in a listing.
@Model public struct ComponentRow: Sendable {
    /// Its name.
    public var name: String
    /// The version that is used.
    public var version: String
    /// Its layer, if it declares one.
    public var layer: String?
    /// As in "available"; see `ComponentState`.
    public var state: String
    /// Absolute path of its file; nil when it is linked into the program.
    public var file: String?
    /// Why it is not available, or a remark; empty when there is neither.
    public var reason: String
    /// The kind of failure, as in "requirementNotMet"; nil where there is none.
    public var code: String?
    /// Calls that have begun and not ended.
    public var callsInFlight: Int
    /// Threads that are inside it for calls that have ended.
    public var stuckCalls: Int
    /// Work of its own that goes on beyond its calls, as tasks of asynchronous methods.
    public var openWork: Int = 0
    /// The version that a restart would use in place of the one in memory; nil when that is the same file.
    public var restartVersion: String?
    /// Whether it is in memory and its file is gone.
    public var isFileGone: Bool

    init(_ info: ComponentInfo) {
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

/// A class that provides a service, in a listing.
@Model public struct ServiceRow: Sendable {
    /// As in "com.example.account/1".
    public var service: String
    /// The component that has the class; "host" for one of the program itself.
    public var component: String
    /// The component's version; nil for a class of the program itself.
    public var version: String?
    /// The class.
    public var className: String
    /// Whether this is the provider that is used by default.
    public var isChosen: Bool
    /// The state of its component.
    public var state: String
    /// Why it cannot be used; empty when it can.
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
    /// Of a file absolute, of a directory as it was given.
    public var path: String
    /// The kind of reason, as in "truncated".
    public var code: String
    /// Why, for people.
    public var reason: String

    init(_ rejection: Catalog.Rejection) {
        path = rejection.path
        code = "\(rejection.code)"
        reason = rejection.reason
    }
}

/// A class that more than one component declares, in a listing.
@Model public struct ConflictRow: Sendable {
    /// The class.
    public var className: String
    /// The component that has it; nil when the host itself does.
    public var winner: String?
    /// The component whose class of that name cannot be called.
    public var loser: String

    init(_ conflict: Catalog.ClassConflict) {
        className = conflict.className
        winner = conflict.winner
        loser = conflict.loser
    }
}
