import CHSLink
import ComponentKit
import Synchronization

/// One component as a host knows it, from the moment it was listed until the host ends.
final class ComponentUnit: @unchecked Sendable {
    // Unchecked: constants, atomics, and state behind a mutex.

    /// Where a component's code comes from.
    @safe
    enum Source {
        /// A plugin file.
        case file(ComponentFile)
        /// Linked into the host's executable.
        case builtIn(UnsafePointer<hslink_descriptor>)
        /// The host's own link classes.
        case host(UnsafePointer<hslink_descriptor>)
    }

    let manifest: Manifest
    let source: Source
    /// Optional demands that the component does without.
    let limitations: [Catalog.Entry.Limitation]
    let gate = Gate()
    let ledger = ReplyLedger.make()
    let outstanding = OutstandingCalls()
    let lane: CallLane
    /// Whether its demands cannot be met by what was listed: then there is nothing to try again.
    private let isRefused: Bool
    private let state: Mutex<State>
    /// The manifest's classes. Made with the unit and kept as long, so that calls can follow pointers.
    private(set) var classEntries: [ClassEntry] = []

    enum State {
        case available
        case loaded(LoadedComponent)
        case failed(LinkError)
        case stopped(LoadedComponent?)
    }

    var name: String { manifest.name }

    /// - Parameter refusal: why it is not to be loaded, known without opening it.
    init(
        _ manifest: Manifest, _ source: Source, options: HostOptions,
        limitations: [Catalog.Entry.Limitation] = [], refusal: LinkError? = nil
    ) {
        self.limitations = limitations
        lane = CallLane(limit: options.concurrencyLimit)
        self.manifest = manifest
        self.source = source
        isRefused = refusal != nil
        state = Mutex(refusal.map(State.failed) ?? .available)
        classEntries = manifest.classes.map { ClassEntry($0, self) }
    }

    deinit { ledger.retire() }

    var currentState: State { state.withLock { $0 } }

    func setState(_ new: State) { state.withLock { $0 = new } }

    /// Moves a failed unit back to where it can be tried again.
    ///
    /// - Returns: false when it has not failed.
    func reset() -> Bool {
        state.withLock { state in
            guard case .failed = state, !isRefused else { return false }
            state = .available
            return true
        }
    }

    /// The component in memory.
    var loaded: LoadedComponent? {
        if case .loaded(let component) = currentState { component } else { nil }
    }

    /// Absolute path of the folder that the file lies in; empty without a file.
    var directory: String {
        guard case .file(let file) = source else { return "" }
        return String(file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex))
    }
}
