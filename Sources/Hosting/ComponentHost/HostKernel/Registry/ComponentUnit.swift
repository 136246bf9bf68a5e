import CHSLink
import ComponentCatalog
import ComponentKit
import Synchronization
import SystemSupport

/// A component as a host knows it, from the scan that lists it until it is replaced or the host ends.
// Unchecked: `classEntries` is a variable only because its entries need `self`; it is set once, in init.
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
    /// The optional requirements that are not met.
    let limitations: [Catalog.Entry.Limitation]
    /// The number of the component. The program's own classes have the number of the host's own code.
    let number: ComponentNumber
    let gate: OnceGate
    /// The component as errors name it.
    let mark: LinkError.ComponentMark
    let ledger = ReplyLedger.make()
    /// The calls that await their reply.
    let openCalls: OpenCalls
    /// Its share of the threads for callbacks of its calls and handlers of its methods.
    let callerThreads = PoolShare()
    /// Schedules its calls on threads of the host.
    let limiter: ConcurrencyLimiter
    /// Why it cannot be loaded, if the scan already found a reason; a retry would change nothing.
    let refusal: LinkError?
    /// Components that start with the host start in the order of this number, higher ones first.
    let priority: Int
    /// Whether keys that its manifest does not declare are refused.
    let checksKeys: Bool
    private let state: Lock<State>
    /// The host tables of failed starts; nil once they have been released. They hold the host, which holds this unit.
    private let failedTables = Lock<[HostTable]?>([])
    /// The classes of the manifest. They live as long as the unit, so that calls can use pointers to them.
    private(set) var classEntries: [ClassEntry] = []

    enum State {
        case available
        /// A thread is loading it.
        case starting
        case running(LoadedComponent)
        case failed(LinkError)
        /// The host is stopping it. It stays like this if it is still at work when its time is over.
        case stopping(LoadedComponent)
        case stopped(LoadedComponent?)
    }

    var name: String { manifest.name }

    /// - Parameters:
    ///   - refusal: why it cannot be loaded, if that is known without opening its file.
    ///   - priority: replaces the priority in the manifest.
    init(
        _ manifest: Manifest, _ source: Source, options: KernelOptions,
        limitations: [Catalog.Entry.Limitation] = [], refusal: LinkError? = nil, priority: Int? = nil
    ) {
        self.limitations = limitations
        mark = LinkError.ComponentMark(manifest.name)
        limiter = ConcurrencyLimiter(options, of: manifest.name)
        openCalls = OpenCalls(isWatched: options.watchesCalls)
        self.manifest = manifest
        self.source = source
        number = if case .host = source { .host } else { .next() }
        gate = OnceGate(of: number)
        self.refusal = refusal
        self.priority = priority ?? manifest.priority
        checksKeys = options.refusesUndeclaredKeys
        state = Lock(refusal.map(State.failed) ?? .available)
        classEntries = manifest.classes.map { ClassEntry($0, self) }
    }

    deinit { ledger.retire() }

    var currentState: State { state.withLock { $0 } }

    /// Enters the state "starting".
    ///
    /// - Returns: False unless the component is available. It may have been stopped, or retired by a rescan.
    func enterStarting() -> Bool {
        state.withLock { state in
            guard case .available = state else { return false }
            state = .starting
            return true
        }
    }

    /// Returns to "available" if the load has neither succeeded nor failed.
    func leaveStarting() {
        state.withLock { state in
            if case .starting = state { state = .available }
        }
    }

    /// Enters the state "failed", unless it has been stopped.
    func fail(_ error: LinkError) {
        state.withLock { state in
            if case .starting = state { state = .failed(error) }
        }
    }

    /// Enters the state "running".
    ///
    /// - Returns: False if it has been stopped.
    func enterRunning(_ component: LoadedComponent) -> Bool {
        state.withLock { state in
            guard case .starting = state else { return false }
            state = .running(component)
            return true
        }
    }

    /// Enters the state "stopping", or "stopped" if it is not in memory.
    ///
    /// - Returns: The component, if it was running.
    func enterStopping() -> LoadedComponent? {
        state.withLock { state in
            switch state {
            case .running(let component):
                state = .stopping(component)
                return component
            case .stopping, .stopped: return nil
            case .available, .starting, .failed:
                state = .stopped(nil)
                return nil
            }
        }
    }

    /// Enters the state "stopped" after the component has been destroyed.
    func enterStopped() {
        state.withLock { state in
            if case .stopping(let component) = state { state = .stopped(component) }
        }
    }

    /// Retires the unit, unless it is in memory, being loaded, or stopped.
    ///
    /// - Returns: Whether it has been retired.
    func retire() -> Bool {
        state.withLock { state in
            switch state {
            case .starting, .running, .stopping, .stopped: return false
            case .available, .failed:
                state = .stopped(nil)
                return true
            }
        }
    }

    /// Makes a failed unit available again.
    ///
    /// - Returns: False if it has not failed, or if the scan already found that it cannot be loaded.
    @discardableResult
    func reset() -> Bool {
        state.withLock { state in
            guard case .failed = state, refusal == nil else { return false }
            state = .available
            return true
        }
    }

    /// The component, if it is in memory and not stopped.
    var loaded: LoadedComponent? {
        if case .running(let component) = currentState { component } else { nil }
    }

    /// The component, if it is in memory, stopped or not.
    var resident: LoadedComponent? {
        switch currentState {
        case .running(let component), .stopping(let component): component
        case .stopped(let component): component
        case .available, .starting, .failed: nil
        }
    }

    /// Whether it is in memory or being loaded.
    var isInMemory: Bool {
        switch currentState {
        case .starting, .running: true
        case .available, .failed, .stopping, .stopped: false
        }
    }

    /// Whether the host compares the payloads of its calls with the types in its manifest. The code that Swift's macros
    /// write does so itself, and such files name their compiler; descriptions of libraries are checked where values are
    /// converted.
    var checksPayloads: Bool { manifest.compiler == nil && file.map { $0.format == nil } ?? false }

    /// Its file; nil if it is linked into the program.
    var file: ComponentFile? {
        if case .file(let file) = source { file } else { nil }
    }

    /// Whether a thread is loading it.
    var isLoading: Bool {
        if case .starting = currentState { true } else { false }
    }

    /// Keeps the host table of a component whose `create` failed, since threads of the component may still use it.
    func keep(_ table: HostTable) { failedTables.withLock { $0?.append(table) } }

    /// Releases the tables of failed starts, which hold the host.
    func releaseTables() {
        let tables = failedTables.withLock { tables in
            defer { tables = nil }
            return tables
        }
        withExtendedLifetime(tables) {}
    }

    /// The absolute path of the folder with the file; empty without a file.
    var directory: String {
        file.map { $0.path.splitPath.directory } ?? ""
    }
}
