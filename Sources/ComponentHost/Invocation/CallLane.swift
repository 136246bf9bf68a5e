import ComponentKit
import Synchronization

/// The detached calls of one component: how many run at a time, who waits, and how many are inside past
/// their deadline. One component's slow calls take no thread from another's.
final class CallLane: Sendable {
    private struct State {
        var running = 0
        var waiting: [DetachedCall] = []
        var stuck = 0
    }

    private let state = Lock(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// How many calls are inside past their deadline.
    var stuckCount: Int { state.withLock { $0.stuck } }

    /// Runs the call on a thread of the pool, now or when another one of this lane is over.
    func submit(_ call: DetachedCall, to pool: WorkerPool) {
        let mayRun = state.withLock { state in
            guard state.running < limit else {
                state.waiting.append(call)
                return false
            }
            state.running += 1
            return true
        }
        if mayRun { start(call, on: pool) }
    }

    private func start(_ call: DetachedCall, on pool: WorkerPool) {
        pool.submit { [self] in
            var next: DetachedCall? = call
            while let call = next {
                call.run()
                next = takeNext()
            }
        }
    }

    /// Lets go of a call that waits for its turn, and that nobody waits for any more; nothing where it has begun.
    func drop(_ call: DetachedCall) {
        // Its end may run an author's code, so not under the lock.
        let dropped = state.withLock { state in
            state.waiting.firstIndex { $0 === call }.map { state.waiting.remove(at: $0) }
        }
        withExtendedLifetime(dropped) {}
    }

    private func takeNext() -> DetachedCall? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// Counts a call that is inside past its deadline, or one that came back; at the limit the component
    /// takes no more calls.
    func countStuck(_ change: Int, limit: Int, _ unit: ComponentUnit?) {
        // Under the lock, so that the last count decides.
        state.withLock { state in
            state.stuck += change
            guard let cell = unsafe unit?.loaded?.cell else { return }
            let (from, to) =
                state.stuck >= limit
                ? (ComponentCell.RunState.running, ComponentCell.RunState.stuck)
                : (ComponentCell.RunState.stuck, ComponentCell.RunState.running)
            _ = unsafe cell.pointee.runState.compareExchange(
                expected: from, desired: to, ordering: .sequentiallyConsistent)
        }
    }
}
