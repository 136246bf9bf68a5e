import ComponentKit

/// A row in the table of a host's components.
public struct ComponentInfo: Sendable {
    /// What the component says about itself.
    public let manifest: Manifest
    /// Absolute path of its file; nil when it is linked into the program.
    public let path: String?
    /// Where it stands.
    public let state: ComponentState
    /// Whether the file that is in memory still lies there.
    public let onDisk: OnDiskState
    /// Optional requirements that it does without.
    public let limitations: [Catalog.Entry.Limitation]
    /// Calls that have begun and not ended, of those that run on threads of the host or are replied to later.
    public let callsInFlight: Int
    /// Replies that nobody waited for: second ones, and those after a deadline, cancellation or stop.
    public let lateReplies: Int
    /// Calls that have ended, by a deadline, a cancellation or a reply, though their methods are still inside.
    public let stuckCalls: Int
    /// Work of its own that goes on beyond the call that began it, as the tasks of asynchronous methods.
    public let openWork: Int

    /// The component's name.
    public var name: String { manifest.name }

    /// Why it is not to be had, or what it does without; empty when there is nothing to say.
    public var reason: String {
        switch state {
        case .failed(let error): error.message
        case .shadowed(let path): "\(path) provides it in the same version or a higher one"
        case .available, .loaded, .stopped:
            [onDisk.message(besides: manifest.version), limitations.message, manifest.refusedSummary ?? ""]
                .filter { !$0.isEmpty }
                .joined(separator: "; ")
        }
    }

    /// - Parameters:
    ///   - unit: the component.
    ///   - running: what can be had, with what is in memory in the place of what lies there by now.
    ///   - catalog: what lies in the directories.
    init(_ unit: ComponentUnit, in running: Catalog, found catalog: Catalog) {
        manifest = unit.manifest
        path = unit.file?.path
        state = unit.publicState
        let isInMemory = unit.isInMemory
        onDisk = isInMemory ? OnDiskState(of: unit, found: catalog) : .same
        limitations =
            isInMemory ? running.entry(named: unit.name)?.limitations ?? unit.limitations : unit.limitations
        callsInFlight = unit.openCalls.count
        lateReplies = unit.ledger.lateReplies
        stuckCalls = unit.limiter.stuckCount
        openWork = unit.resident.map { unsafe $0.runState.workCount } ?? 0
    }

    init(shadowed entry: Catalog.Entry, by winner: String) {
        manifest = entry.manifest
        path = entry.file?.path
        onDisk = .same
        limitations = []
        callsInFlight = 0
        lateReplies = 0
        stuckCalls = 0
        openWork = 0
        state = .shadowed(by: winner)
    }
}

extension ComponentUnit {
    /// Where it stands, for the host's table.
    var publicState: ComponentState {
        switch currentState {
        case .available, .loading: .available
        case .loaded: .loaded
        case .failed(let error): .failed(error)
        case .stopped: .stopped
        }
    }
}
