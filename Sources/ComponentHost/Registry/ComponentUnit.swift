import CHSLink
import ComponentKit
import Synchronization

/// One component as a host knows it, from the moment it was listed until another one takes its place or the host ends.
// Unchecked: `classEntries` is a variable only since its entries need `self`; it is set in init and never again.
final class ComponentUnit: @unchecked Sendable {
    /// Where a component's code comes from.
    @safe
    // Unchecked: descriptors are constants of an image that stays in memory.
    enum Source: @unchecked Sendable {
        /// A plugin file.
        case file(ComponentFile)
        /// Linked into the host's executable.
        case builtIn(UnsafePointer<hslink_descriptor>)
        /// The host's own link classes.
        case host(UnsafePointer<hslink_descriptor>)
    }

    let manifest: Manifest
    let source: Source
    /// Optional requirements that the component does without.
    let limitations: [Catalog.Entry.Limitation]
    /// The program's own classes are the host's own code.
    let number: ComponentNumber
    let gate: OnceGate
    /// Itself, as errors name it.
    let mark: LinkError.ComponentMark
    let ledger = ReplyLedger.make()
    /// Calls that wait for their reply.
    let openCalls = OpenCalls()
    /// Its threads for callbacks of its calls, and for handlers of its methods.
    let callerThreads = PoolShare()
    /// The order of calls on threads of the host.
    let limiter: ConcurrencyLimiter
    /// Why it is not to be loaded, known from what was listed: then there is nothing to try again.
    let refusal: LinkError?
    /// Whether keys that its manifest does not declare are refused.
    let checksKeys: Bool
    private let state: Lock<State>
    /// nil once they have been released: they hold the host, which holds this.
    private let failedTables = Lock<[HostTable]?>([])
    /// The manifest's classes. Made with the unit and kept as long, so that calls can follow pointers.
    private(set) var classEntries: [ClassEntry] = []

    enum State {
        case available
        /// Some thread is loading it.
        case loading
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
        mark = LinkError.ComponentMark(manifest.name)
        limiter = ConcurrencyLimiter(options, of: manifest.name)
        self.manifest = manifest
        self.source = source
        number = if case .host = source { .host } else { .next() }
        gate = OnceGate(of: number)
        self.refusal = refusal
        checksKeys = options.refusesUndeclaredKeys
        state = Lock(refusal.map(State.failed) ?? .available)
        classEntries = manifest.classes.map { ClassEntry($0, self) }
    }

    deinit { ledger.retire() }

    var currentState: State { state.withLock { $0 } }

    /// Begins to load.
    ///
    /// - Returns: false when it has been stopped, or taken out by a new look at the directories.
    func enterLoading() -> Bool {
        state.withLock { state in
            guard case .available = state else { return false }
            state = .loading
            return true
        }
    }

    /// The load came to nothing that would be worth remembering.
    func leaveLoading() {
        state.withLock { state in
            if case .loading = state { state = .available }
        }
    }

    /// Counts as failed from now on, unless it has been stopped.
    func fail(_ error: LinkError) {
        state.withLock { state in
            if case .loading = state { state = .failed(error) }
        }
    }

    /// Counts as loaded from now on.
    ///
    /// - Returns: false when it has been stopped.
    func enterLoaded(_ component: LoadedComponent) -> Bool {
        state.withLock { state in
            guard case .loading = state else { return false }
            state = .loaded(component)
            return true
        }
    }

    /// Counts as stopped from now on.
    ///
    /// - Returns: the component, if it was in memory.
    func enterStopped() -> LoadedComponent? {
        state.withLock { state in
            var component: LoadedComponent?
            if case .loaded(let loaded) = state { component = loaded }
            if case .stopped = state { return nil }
            state = .stopped(component)
            return component
        }
    }

    /// Takes the unit out, unless it is in memory or about to be.
    ///
    /// - Returns: false when it stays.
    func retire() -> Bool {
        state.withLock { state in
            switch state {
            case .loading, .loaded, .stopped: return false
            case .available, .failed:
                state = .stopped(nil)
                return true
            }
        }
    }

    /// Moves a failed unit back to where it can be tried again.
    ///
    /// - Returns: false when it has not failed.
    @discardableResult
    func reset() -> Bool {
        state.withLock { state in
            guard case .failed = state, refusal == nil else { return false }
            state = .available
            return true
        }
    }

    /// The component in memory.
    var loaded: LoadedComponent? {
        if case .loaded(let component) = currentState { component } else { nil }
    }

    /// The component in memory, stopped or not.
    var resident: LoadedComponent? {
        switch currentState {
        case .loaded(let component): component
        case .stopped(let component): component
        case .available, .loading, .failed: nil
        }
    }

    /// Whether it is in memory, or about to be.
    var isInMemory: Bool {
        switch currentState {
        case .loading, .loaded: true
        case .available, .failed, .stopped: false
        }
    }

    /// Its file; nil when it is linked into the program.
    var file: ComponentFile? {
        if case .file(let file) = source { file } else { nil }
    }

    /// Whether some thread is loading it.
    var isLoading: Bool {
        if case .loading = currentState { true } else { false }
    }

    /// Keeps the table that a component got whose `create` failed: threads of its own may still use it.
    func keep(_ table: HostTable) { failedTables.withLock { $0?.append(table) } }

    /// Lets go of tables that were kept: they hold the host.
    func releaseTables() {
        let tables = failedTables.withLock { tables in
            defer { tables = nil }
            return tables
        }
        withExtendedLifetime(tables) {}
    }

    /// Absolute path of the folder that the file lies in; empty without a file.
    var directory: String {
        guard let file else { return "" }
        return String(file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex))
    }
}
