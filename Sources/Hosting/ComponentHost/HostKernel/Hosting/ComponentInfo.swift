public import ComponentCatalog
public import ComponentKit
import SystemSupport

/// The state of one component of a host, or of a file that is not used: another one shadows it, or it is disabled.
public struct ComponentInfo: Sendable {
    /// What the component declares about itself.
    public let manifest: Manifest
    /// The absolute path of its file; nil if it is linked into the program.
    public let path: String?
    /// The component's state.
    public let state: ComponentState
    /// What the directories now hold in place of the loaded file.
    public let onDisk: OnDiskState
    /// Optional requirements that are not met.
    public let limitations: [Catalog.Entry.Limitation]
    /// The number of calls in flight that run on threads of the host or await a later reply.
    public let callsInFlight: Int
    /// The number of replies without a receiver: second ones, and those after a deadline, cancellation or stop.
    public let lateReplies: Int
    /// The number of calls that have ended by a deadline, a cancellation or a reply while their methods are still
    /// running.
    public let stuckCalls: Int
    /// The amount of its own work that outlives the call that began it, such as the tasks of asynchronous methods.
    public let openWork: Int

    /// The types in its manifest that nothing describes; nil if there are none.
    let typeProblem: String?
    /// Why its resources cannot be used; nil if they can, or if it has none.
    let resourceProblem: String?
    /// The libraries that it brings and another component brings as another file; empty if there are none.
    let libraryProblem: String

    /// The component's name.
    public var name: String { manifest.name }

    /// Why it or its resources are unavailable or limited, and how its file has changed on disk; empty if there is
    /// nothing to report.
    public var reason: String {
        switch state {
        case .failed(let error): error.message
        case .shadowed(let path): "\(path) provides it in the same version or a higher one"
        case .disabled(let setting): "disabled by \(setting)"
        case .stuck: "calls to it fail until some of its threads return"
        case .available, .starting, .running, .stopping, .stopped:
            [
                onDisk.message(besides: manifest.version), limitations.message, manifest.refusedSummary ?? "",
                typeProblem ?? "", resourceProblem ?? "", libraryProblem,
            ].filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }

    /// - Parameters:
    ///   - unit: the component.
    ///   - running: the catalog with loaded components in place of files that the directories hold now.
    ///   - catalog: the catalog of what the directories hold now.
    ///   - counted: the replies to calls of its methods that no caller received.
    ///   - resourceProblem: why its resources cannot be used.
    init(
        _ unit: ComponentUnit, in running: Catalog, found catalog: Catalog, lateReplies counted: Int,
        resourceProblem: String?
    ) {
        manifest = unit.manifest
        path = unit.file?.path
        state = unit.publicState
        let isInMemory = unit.isInMemory
        onDisk = isInMemory ? OnDiskState(of: unit, found: catalog) : .same
        limitations =
            isInMemory ? running.entry(named: unit.name)?.limitations ?? unit.limitations : unit.limitations
        callsInFlight = unit.openCalls.count
        lateReplies = unit.ledger.lateReplies + counted
        stuckCalls = unit.limiter.stuckCount
        openWork = unit.resident.map { unsafe $0.runState.workCount } ?? 0
        typeProblem = unit.checksPayloads ? manifest.typeSummary : nil
        self.resourceProblem = resourceProblem
        libraryProblem = catalog.libraryProblem(of: unit.name)
    }

    /// - Parameters:
    ///   - entry: a component that the host does not use.
    ///   - state: why not.
    init(unused entry: Catalog.Entry, _ state: ComponentState) {
        self.state = state
        manifest = entry.manifest
        path = entry.file?.path
        onDisk = .same
        limitations = []
        callsInFlight = 0
        lateReplies = 0
        stuckCalls = 0
        openWork = 0
        typeProblem = nil
        resourceProblem = nil
        libraryProblem = ""
    }
}

extension ComponentUnit {
    /// The component's state, for the host's list of components.
    var publicState: ComponentState {
        switch currentState {
        case .available: .available
        case .starting: .starting
        case .running: limiter.isStuck ? .stuck : .running
        case .failed(let error): .failed(error)
        case .stopping: .stopping
        case .stopped: .stopped
        }
    }
}

/// The state of a component in its host.
///
/// ```text
///                                        stuck
///                                         ▲ │
///                                         │ ▼
///   found ──▶ available ──▶ starting ──▶ running ──▶ stopping ──▶ stopped
///     │           ▲             │
///     ▼           └── retry ─── ▼
///  refused,                   failed
///  shadowed,
///  disabled
/// ```
///
/// A file that is refused does not become a component: ``Catalog/rejectedFiles`` has it with the reason. A component
/// that cannot start, or whose requirements are not met, has failed; ``LinkHost/retry(_:)``, a rescan and a changed
/// configuration make it available again.
public enum ComponentState: Sendable {
    /// Found, and not loaded yet: the first call, or the start of the host, loads it.
    case available
    /// Being loaded, after what it requires. Calls to it wait.
    case starting
    /// In memory; calls reach it.
    case running
    /// In memory, but so many of its methods hang whose calls have ended that further calls fail, with
    /// ``ComponentKit/LinkError/Code/stuck``, until some return. ``HostOptions/stuckLimit`` says how many.
    case stuck
    /// Could not be loaded, for this reason; not tried again until a retry or a rescan.
    case failed(LinkError)
    /// Another file provides the same component in the same version or a higher one.
    case shadowed(by: String)
    /// The host's configuration disables it, by this setting in this file. To calls, it is not there.
    case disabled(by: String)
    /// The host stops: calls to it fail, and it ends its work. It stays in this state if it does not end in time.
    case stopping
    /// Stopped with the host.
    case stopped
}

extension ComponentState: CustomStringConvertible {
    /// The state as a single word, as the command line prints it.
    public var description: String {
        switch self {
        case .available: "available"
        case .starting: "starting"
        case .running: "running"
        case .stuck: "stuck"
        case .stopping: "stopping"
        case .failed: "failed"
        case .shadowed: "shadowed"
        case .disabled: "disabled"
        case .stopped: "stopped"
        }
    }
}

/// What the directories now hold in place of a loaded component.
public enum OnDiskState: Hashable, Sendable {
    /// The loaded file itself, or the component is not loaded.
    case same
    /// Nothing: the component runs until the host stops, and will be missing after a restart.
    case gone
    /// The file is still there but would not be loaded again: its permissions, or those of its directory, have changed.
    case refused(reason: String)
    /// Another file, which a restart would use. Its version may be higher, lower, or the same.
    case replaced(by: Version, path: String)

    /// - Parameters:
    ///   - unit: a component that is in memory.
    ///   - catalog: the catalog of what the directories hold now.
    init(of unit: ComponentUnit, found catalog: Catalog) {
        guard let file = unit.file else {
            self = .same
            return
        }
        guard let entry = catalog.entry(named: unit.name) else {
            self = catalog.refusal(of: file).map { .refused(reason: $0) } ?? .gone
            return
        }
        guard let other = entry.file, other != file else {
            self = .same
            return
        }
        self = .replaced(by: entry.manifest.version, path: other.path)
    }

    /// A message such as "restart to use 2.0.0"; empty if there is nothing to report.
    ///
    /// - Parameter version: the version in memory.
    func message(besides version: Version) -> String {
        switch self {
        case .same: ""
        case .gone: "its file is gone; it keeps running until the host stops"
        case .refused(let reason):
            "its file would not be loaded again: \(reason); it keeps running until the host stops"
        case .replaced(let other, _):
            other == version ? "restart to use the new file of version \(other)" : "restart to use \(other)"
        }
    }
}

extension Catalog {
    /// Returns why a known file is no longer used, if the file or its directory has been rejected.
    fileprivate func refusal(of file: ComponentFile) -> String? {
        if let rejection = rejection(at: file.path) { return rejection.reason }
        // Rejected directories are listed with the paths that were given, so resolve them first.
        return rejectedDirectories.first {
            (try? TrustChecker.canonicalPath($0.path))?.isExactly(file.directory) ?? false
        }?.reason
    }
}
