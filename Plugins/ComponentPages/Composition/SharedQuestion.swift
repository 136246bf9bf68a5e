import ComponentKit

/// A question that several tasks have, and that is asked once at a time: one that is slow to be answered would otherwise
/// be asked again and again until its component is overloaded.
///
/// Whoever has it while it is being asked waits for the same answer. If something has changed since it was asked, it is
/// asked once more after the answer, for all who have come since the change.
final class SharedQuestion<Value: Sendable>: Sendable {
    typealias Ask = @Sendable () async -> Value

    private struct Waiter {
        let continuation: CheckedContinuation<Value?, Never>
        /// The number of the question whose answer it waits for.
        let number: Int
    }

    private struct State {
        /// How often it has been asked.
        var number = 0
        /// Whether it is being asked, or has been and is in the pause after an answer that is outdated.
        var isAsking = false
        /// Whether something has changed since it was asked.
        var isOutdated = false
        /// How it is asked once more; nil if nobody has come since the change.
        var next: Ask?
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let state = Lock(State())

    /// Whether something has changed since it was asked, so that the answer does not count for what comes after it.
    var isOutdated: Bool { state.withLock { $0.isOutdated } }

    /// Notes that something has changed.
    func outdate() { state.withLock { $0.isOutdated = $0.isAsking } }

    /// Returns the answer; nil if it takes longer than the time, or if the task is cancelled, which does not end the
    /// question, because others may have it.
    ///
    /// - Parameter ask: Asks it, in a task of its own, if it is not being asked.
    func answer(within time: Duration? = nil, _ ask: @escaping Ask) async -> Value? {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        var timer: Task<Void, Never>?
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
                let isFirst = state.withLock { state in
                    let isFirst = !state.isAsking
                    if isFirst {
                        state.number += 1
                        (state.isAsking, state.isOutdated) = (true, false)
                    }
                    if state.isOutdated { state.next = ask }
                    let number = state.number + (state.isOutdated ? 1 : 0)
                    state.waiters[waiter] = Waiter(continuation: continuation, number: number)
                    return isFirst
                }
                if isFirst { Task { await run(ask) } }
                timer = time.map { time in
                    Task {
                        try? await Task.sleep(for: time)
                        leave(waiter)
                    }
                }
                if Task.isCancelled { leave(waiter) }
            }
        } onCancel: {
            leave(waiter)
        }
        timer?.cancel()
        return answer
    }

    private func leave(_ waiter: Int) {
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.continuation.resume(returning: nil)
    }

    private func run(_ first: @escaping Ask) async {
        var ask = first
        while true {
            let value = await ask()
            let (served, isOutdated) = state.withLock { state in
                let number = state.number
                let served = state.waiters.filter { $0.value.number == number }
                for key in served.keys { state.waiters[key] = nil }
                state.isAsking = state.isOutdated
                return (served.values.map(\.continuation), state.isOutdated)
            }
            for continuation in served { continuation.resume(returning: value) }
            guard isOutdated else { return }
            // It may have changed because it was asked. Who comes during the pause waits for what is asked after it.
            try? await Task.sleep(for: LivePage.leastPause)
            let next = state.withLock { state in
                let next = state.next
                (state.isAsking, state.isOutdated, state.next) = (next != nil, false, nil)
                if next != nil { state.number += 1 }
                return next
            }
            guard let next else { return }
            ask = next
        }
    }
}
