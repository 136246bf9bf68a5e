import ComponentKit

/// What the tasks of a page wait for.
final class PageWaiters: Sendable {
    /// Something that happens to a page.
    enum Moment: Hashable, Sendable {
        /// It is known which sections the page has.
        case planned
        /// No module is being asked. One that is asked again after a pause does not count meanwhile.
        case settled
        /// The page has another revision.
        case changed
    }

    private struct State {
        var last = 0
        var waiting: [Int: (moment: Moment, resume: @Sendable () -> Void)] = [:]
    }

    private let state = Lock(State())

    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Whether a task waits for this.
    func isAwaited(_ moment: Moment) -> Bool { state.withLock { $0.waiting.values.contains { $0.moment == moment } } }

    /// Suspends until it happens, at the latest until the time is over or the task is cancelled.
    ///
    /// The caller's actor must not have been left since it found that it must wait.
    func wait(for moment: Moment, _ time: Duration) async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        var timer: Task<Void, Never>?
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                state.withLock { state in
                    state.waiting[number] = (moment, { continuation.resume() })
                }
                timer = Task { [self] in
                    try? await Task.sleep(for: time)
                    end { $0.key == number }
                }
                if Task.isCancelled { end { $0.key == number } }
            }
        } onCancel: {
            end { $0.key == number }
        }
        timer?.cancel()
    }

    /// Resumes the tasks that wait for this.
    func wake(_ moment: Moment) { end { $0.value.moment == moment } }

    /// Resumes all tasks.
    func wakeAll() { end { _ in true } }

    private typealias Entry = (key: Int, value: (moment: Moment, resume: @Sendable () -> Void))

    private func end(_ isMeant: (Entry) -> Bool) {
        let ended = state.withLock { state -> [@Sendable () -> Void] in
            let found = state.waiting.filter { isMeant(($0.key, $0.value)) }
            for key in found.keys { state.waiting[key] = nil }
            return found.values.map(\.resume)
        }
        for resume in ended { resume() }
    }
}
