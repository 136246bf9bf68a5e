import ComponentKit
import SystemSupport

/// Work that runs on a thread of its own whenever it is requested. For all requests that arrive while it runs, it runs
/// once more, so that many requests do not take many threads.
package final class MergedRuns: Sendable {
    private enum State { case idle, running, requested }

    private let name: String
    private let work: @Sendable () -> Void
    private let state = Lock(State.idle)

    package init(named name: String, _ work: @escaping @Sendable () -> Void) {
        self.name = name
        self.work = work
    }

    /// Returns at once. If the system cannot create a thread, nothing runs.
    package func request() {
        let isIdle = state.withLock { state in
            defer { state = state == .idle ? .running : .requested }
            return state == .idle
        }
        guard isIdle, !startThread(named: name, { self.run() }) else { return }
        state.withLock { $0 = .idle }
    }

    private func run() {
        var isRequested = true
        while isRequested {
            TestDelays.pause()
            work()
            isRequested = state.withLock { state in
                defer { state = state == .requested ? .running : .idle }
                return state == .requested
            }
        }
    }
}
