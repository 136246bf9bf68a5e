import ComponentKit
import Synchronization

/// Tells the components of a process apart, for as long as that lives.
struct ComponentNumber: Hashable, Sendable {
    private let value: UInt64

    private static let last = Atomic<UInt64>(0)

    /// That of all code which belongs to no component.
    static let host = ComponentNumber(value: 0)

    static func next() -> ComponentNumber {
        ComponentNumber(value: last.add(1, ordering: .relaxed).newValue)
    }
}

/// Whether a component takes calls: the words that every call looks at, at an address that never changes and is the
/// component's identity in the marks of ``ThreadContext``. Never freed: a late call may still look.
struct ComponentRunState: ~Copyable {
    enum Phase {
        static let running: UInt32 = 0
        /// As many threads as allowed are inside the component for calls that have ended.
        static let stuck: UInt32 = 1
        /// The host is stopping: it takes calls that others in flight make.
        static let closing: UInt32 = 2
        /// It takes nothing any more, for good.
        static let stopped: UInt32 = 3
    }

    /// Which component it is.
    fileprivate let component: ComponentNumber
    fileprivate let phase = Atomic<UInt32>(Phase.running)
    /// Work of the component that goes on after its method has returned, as that says.
    fileprivate let work = Atomic<Int>(0)
    /// Handlers of the component that the host has under way. Counted apart: a component that ends more work than it has
    /// begun must not be destroyed while one of them runs.
    fileprivate let hostWork = Atomic<Int>(0)
    /// Whether a method of it has blocked that says it is quick.
    fileprivate let isSlow = Atomic<Bool>(false)

    init(of component: ComponentNumber) { self.component = component }

    static func make(of component: ComponentNumber) -> UnsafeMutablePointer<ComponentRunState> {
        let state = UnsafeMutablePointer<ComponentRunState>.allocate(capacity: 1)
        unsafe state.initialize(to: ComponentRunState(of: component))
        return unsafe state
    }

    /// The component with this identity, as the marks of threads have it.
    static func component(of identity: UInt) -> ComponentNumber? {
        unsafe UnsafePointer<ComponentRunState>(bitPattern: identity)?.pointee.component
    }
}

extension UnsafeMutablePointer<ComponentRunState> {
    /// How the component is known in the marks of threads.
    @inline(__always)
    var identity: UInt { UInt(bitPattern: self) }

    var component: ComponentNumber { unsafe pointee.component }

    @inline(__always)
    var phase: UInt32 { unsafe pointee.phase.load(ordering: .acquiring) }

    /// Whether it takes every call.
    @inline(__always)
    var isRunning: Bool { unsafe phase == ComponentRunState.Phase.running }

    /// Whether it is in memory for good: not stopped, nor about to be.
    var isUp: Bool { unsafe phase < ComponentRunState.Phase.closing }

    /// Whether it takes nothing any more.
    var isStopped: Bool { unsafe phase == ComponentRunState.Phase.stopped }

    /// Whether its methods are quick that say so.
    @inline(__always)
    var isQuick: Bool { unsafe !pointee.isSlow.load(ordering: .relaxed) }

    /// Takes none of its methods as quick any more.
    func setSlow() { unsafe pointee.isSlow.store(true, ordering: .relaxed) }

    /// Takes calls as stuck, or as before.
    func setStuck(_ isStuck: Bool) {
        let (from, to) =
            isStuck
            ? (ComponentRunState.Phase.running, ComponentRunState.Phase.stuck)
            : (ComponentRunState.Phase.stuck, ComponentRunState.Phase.running)
        _ = unsafe pointee.phase.compareExchange(expected: from, desired: to, ordering: .sequentiallyConsistent)
    }

    /// Takes calls only of what is in flight.
    func close() {
        var phase = unsafe phase
        while phase < ComponentRunState.Phase.closing {
            let attempt = unsafe pointee.phase.compareExchange(
                expected: phase, desired: ComponentRunState.Phase.closing, ordering: .sequentiallyConsistent)
            if attempt.exchanged { return }
            phase = attempt.original
        }
    }

    /// Takes nothing any more, for good.
    func stop() { unsafe pointee.phase.store(ComponentRunState.Phase.stopped, ordering: .sequentiallyConsistent) }

    /// Whether some thread is inside of it, or work of it goes on. Once false after ``stop()``, false for ever: who enters
    /// from then on is refused, and leaves at once.
    var isOccupied: Bool { unsafe workCount > 0 || ThreadContext.isInside(identity) }

    /// How much work goes on beyond its call, handlers included.
    var workCount: Int {
        unsafe pointee.work.load(ordering: .sequentiallyConsistent)
            + pointee.hostWork.load(ordering: .sequentiallyConsistent)
    }

    /// - Returns: false when it is stopped; then nothing has begun.
    func beginWork() -> Bool {
        unsafe pointee.work.add(1, ordering: .sequentiallyConsistent)
        guard unsafe pointee.phase.load(ordering: .sequentiallyConsistent) == ComponentRunState.Phase.stopped else {
            return true
        }
        unsafe pointee.work.subtract(1, ordering: .sequentiallyConsistent)
        return false
    }

    /// Counts a handler of the component that the host is about to run, also when that is stopped.
    func beginHostWork() { unsafe pointee.hostWork.add(1, ordering: .sequentiallyConsistent) }

    func endHostWork() { unsafe pointee.hostWork.subtract(1, ordering: .sequentiallyConsistent) }

    /// - Returns: false when none had begun.
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
