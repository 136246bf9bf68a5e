import ComponentKit

/// A row in the table of a host's components.
public struct ComponentInfo: Sendable {
    /// What the component says about itself.
    public let manifest: Manifest
    /// Absolute path of its file; nil when it is linked into the program.
    public let path: String?
    /// Where it stands.
    public let state: ComponentState
    /// Optional demands that it does without.
    public let limitations: [Catalog.Entry.Limitation]
    /// Replies that nobody waited for: second ones, and those after a deadline, cancellation or stop.
    public let lateReplies: Int
    /// Threads of the host that are inside it past their deadline.
    public let stuckCalls: Int

    /// The component's name.
    public var name: String { manifest.name }

    /// Why it is not to be had, or what it does without; empty when there is nothing to say.
    public var reason: String {
        switch state {
        case .failed(let error): error.message
        case .shadowed(let path): "\(path) provides it in a version that is no lower"
        case .available, .loaded, .stopped:
            (limitations.map { "goes without \($0.requirement): \($0.reason)" }
                + [manifest.refusedWords].compactMap(\.self))
                .joined(separator: "; ")
        }
    }

    init(_ unit: ComponentUnit) {
        manifest = unit.manifest
        path = if case .file(let file) = unit.source { file.path } else { nil }
        limitations = unit.limitations
        lateReplies = unit.ledger.lateReplies
        stuckCalls = unit.lane.stuckCount
        state =
            switch unit.currentState {
            case .available, .loading: .available
            case .loaded: .loaded
            case .failed(let error): .failed(error)
            case .stopped: .stopped
            }
    }

    init(shadowed entry: Catalog.Entry, by winner: String) {
        manifest = entry.manifest
        path = entry.file?.path
        limitations = []
        lateReplies = 0
        stuckCalls = 0
        state = .shadowed(by: winner)
    }
}
