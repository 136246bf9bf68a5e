import ComponentKit
import Glibc
import Synchronization

/// Identifies a component within the process, for the lifetime of the process.
struct ComponentNumber: Hashable, Sendable {
    private let value: UInt64

    private static let last = Atomic<UInt64>(0)

    /// The number of all code that belongs to no component.
    static let host = ComponentNumber(value: 0)

    static func next() -> ComponentNumber {
        ComponentNumber(value: last.add(1, ordering: .relaxed).newValue)
    }
}

/// Whether a component accepts calls. Every call reads it, at an address that never changes and identifies the
/// component in the marks of ``ThreadContext``. Never freed, since a late call may still read it.
struct ComponentRunState: ~Copyable {
    enum Phase {
        static let running: UInt32 = 0
        /// Too many threads are still running methods whose calls have ended.
        static let stuck: UInt32 = 1
        /// The host is stopping: the component accepts only calls from components and from calls in flight.
        static let closing: UInt32 = 2
        /// The component accepts no more calls, and never will.
        static let stopped: UInt32 = 3
    }

    /// The address of the component's name, a C string; 0 for the host's own code. It is first in the state, where a
    /// handler of crashes reads it.
    private let name: UInt
    /// The number of the component.
    fileprivate let component: ComponentNumber
    fileprivate let phase = Atomic<UInt32>(Phase.running)
    /// The number of `begin_work` calls that no `end_work` has matched yet.
    fileprivate let work = Atomic<Int>(0)
    /// The number of the component's handlers that the host is running. Counted separately, so that a component that
    /// ends more work than it has begun is not destroyed while a handler runs.
    fileprivate let hostWork = Atomic<Int>(0)
    /// Whether one of its quick methods has blocked.
    fileprivate let isSlow = Atomic<Bool>(false)
    /// The address of the host table of the component value; 0 once it no longer exists.
    fileprivate let table = Atomic<UInt>(0)
    /// Schedules the component's calls; nil until it is loaded.
    private let limiter = Lock<WeakLimiter?>(nil)

    private struct WeakLimiter: Sendable {
        weak let limiter: ConcurrencyLimiter?
    }

    private init(of component: ComponentNumber, name: UInt) {
        self.component = component
        self.name = name
    }

    /// Stands for the program's own objects, and for those whose component is unknown. Never stopped.
    // Made once, and never freed.
    nonisolated(unsafe) static let ofHost = unsafe make(of: .host, named: nil)

    /// - Parameter name: the name of the component; nil for the host's own code.
    static func make(
        of component: ComponentNumber, named name: String?
    ) -> UnsafeMutablePointer<ComponentRunState> {
        let state = UnsafeMutablePointer<ComponentRunState>.allocate(capacity: 1)
        let name = name.map { unsafe UInt(bitPattern: strdup($0)) } ?? 0
        unsafe state.initialize(to: ComponentRunState(of: component, name: name))
        return unsafe state
    }

    /// Returns the limiter of the component with this identity in the marks of threads; nil if it has none.
    static func limiter(of identity: UInt) -> ConcurrencyLimiter? {
        guard let state = unsafe UnsafePointer<ComponentRunState>(bitPattern: identity) else { return nil }
        return unsafe state.pointee.limiter.withLock { $0?.limiter }
    }

    /// Connects a run state with the limiter of its component.
    static func set(_ limiter: ConcurrencyLimiter, of state: UnsafeMutablePointer<ComponentRunState>) {
        let limiter = WeakLimiter(limiter: limiter)
        unsafe state.pointee.limiter.withLock { $0 = limiter }
    }

    /// Returns the host table of the component whose code the thread is running; nil if it runs the host's own. The
    /// thread's mark keeps the component, and so its table, while the thread is inside.
    static func table(on thread: ThreadContext) -> HostTable? {
        guard let identity = thread.innermostComponent,
            let state = unsafe UnsafePointer<ComponentRunState>(bitPattern: identity),
            let table = unsafe UnsafeRawPointer(bitPattern: state.pointee.table.load(ordering: .acquiring))
        else { return nil }
        return unsafe Unmanaged<HostTable>.fromOpaque(table).takeUnretainedValue()
    }

    /// Returns the component with this identity in the marks of threads.
    static func component(of identity: UInt) -> ComponentNumber? {
        unsafe UnsafePointer<ComponentRunState>(bitPattern: identity)?.pointee.component
    }
}

extension UnsafeMutablePointer<ComponentRunState> {
    /// The component's identity in the marks of threads.
    @inline(__always)
    var identity: UInt { UInt(bitPattern: self) }

    var component: ComponentNumber { unsafe pointee.component }

    /// Sets or removes the component's host table.
    func setTable(_ table: HostTable?) {
        let address = table.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
        unsafe pointee.table.store(address, ordering: .releasing)
    }

    @inline(__always)
    var phase: UInt32 { unsafe pointee.phase.load(ordering: .acquiring) }

    /// Whether the component accepts every call.
    @inline(__always)
    var isRunning: Bool { unsafe phase == ComponentRunState.Phase.running }

    /// Whether the component has neither stopped nor begun to stop.
    var isUp: Bool { unsafe phase < ComponentRunState.Phase.closing }

    /// Whether the component accepts no more calls.
    var isStopped: Bool { unsafe phase == ComponentRunState.Phase.stopped }

    /// The error for a call that the component does not accept.
    var refusal: LinkError { unsafe phase == ComponentRunState.Phase.stuck ? LinkError(.stuck) : LinkError(.stopped) }

    /// Whether its quick methods are trusted not to block.
    @inline(__always)
    var isQuick: Bool { unsafe !pointee.isSlow.load(ordering: .relaxed) }

    /// Stops treating any of its methods as quick.
    func setSlow() { unsafe pointee.isSlow.store(true, ordering: .relaxed) }

    /// Switches between running and stuck; no effect once the component is closing or stopped.
    func setStuck(_ isStuck: Bool) {
        let (from, to) =
            isStuck
            ? (ComponentRunState.Phase.running, ComponentRunState.Phase.stuck)
            : (ComponentRunState.Phase.stuck, ComponentRunState.Phase.running)
        _ = unsafe pointee.phase.compareExchange(expected: from, desired: to, ordering: .sequentiallyConsistent)
    }

    /// Accepts only calls from components and from calls in flight from now on.
    func close() {
        var phase = unsafe phase
        while phase < ComponentRunState.Phase.closing {
            let attempt = unsafe pointee.phase.compareExchange(
                expected: phase, desired: ComponentRunState.Phase.closing, ordering: .sequentiallyConsistent)
            if attempt.exchanged { return }
            phase = attempt.original
        }
    }

    /// Refuses all calls from now on.
    func stop() { unsafe pointee.phase.store(ComponentRunState.Phase.stopped, ordering: .sequentiallyConsistent) }

    /// Whether a thread is running in the component, or work of its own is open. Once false after ``stop()``, it stays
    /// false, except for handlers and callbacks that the host calls: a thread that enters later is refused and leaves at
    /// once.
    var isOccupied: Bool { unsafe workCount > 0 || ThreadContext.isInside(identity) }

    /// Whether the host is running handlers or callbacks of the component, or is about to.
    var isOwedHostWork: Bool { unsafe pointee.hostWork.load(ordering: .sequentiallyConsistent) > 0 }

    /// The amount of work that outlives its calls, including handlers.
    var workCount: Int {
        unsafe pointee.work.load(ordering: .sequentiallyConsistent)
            + pointee.hostWork.load(ordering: .sequentiallyConsistent)
    }

    /// - Returns: False if the component is stopped; then no work has begun.
    func beginWork() -> Bool {
        unsafe pointee.work.add(1, ordering: .sequentiallyConsistent)
        guard unsafe pointee.phase.load(ordering: .sequentiallyConsistent) == ComponentRunState.Phase.stopped else {
            return true
        }
        unsafe pointee.work.subtract(1, ordering: .sequentiallyConsistent)
        return false
    }

    /// Counts a handler of the component that the host is about to run, even if the component is stopped.
    func beginHostWork() { unsafe pointee.hostWork.add(1, ordering: .sequentiallyConsistent) }

    /// Counts code of the component that the host is about to run, unless the component is stopped.
    ///
    /// - Returns: False if it is stopped; then nothing is counted.
    func beginHostWorkUnlessStopped() -> Bool {
        unsafe beginHostWork()
        guard unsafe pointee.phase.load(ordering: .sequentiallyConsistent) == ComponentRunState.Phase.stopped else {
            return true
        }
        unsafe endHostWork()
        return false
    }

    func endHostWork() { unsafe pointee.hostWork.subtract(1, ordering: .sequentiallyConsistent) }

    /// - Returns: False if no work was open.
    func endWork() -> Bool {
        var count = unsafe pointee.work.load(ordering: .sequentiallyConsistent)
        while count > 0 {
            let attempt = unsafe pointee.work.compareExchange(
                expected: count, desired: count - 1, ordering: .sequentiallyConsistent)
            if attempt.exchanged { return true }
            count = attempt.original
        }
        return false
    }
}
