import ComponentKit
import PageKit

/// The updates of a page that one reader has not taken yet.
final class PageQueue: Sendable {
    private typealias Waiter = CheckedContinuation<Result<PageUpdate?, any Error>, Never>

    private struct State {
        var updates: [PageUpdate] = []
        var waiter: Waiter?
        var end: Result<PageUpdate?, any Error>?
    }

    /// How many updates wait for a reader. Instead of more, it receives the page as a whole.
    static let limit = 32

    private let state = Lock(State())

    /// Adds an update.
    ///
    /// - Parameter page: The page with the update, for a reader that has fallen behind.
    func add(_ update: PageUpdate, _ page: Page) {
        let waiter = state.withLock { state -> Waiter? in
            guard state.end == nil else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            state.updates.append(update)
            if state.updates.count > PageQueue.limit { state.updates = [.page(page)] }
            return nil
        }
        waiter?.resume(returning: .success(update))
    }

    /// Ends the sequence, with an error if there is one, after the updates that wait.
    func end(_ error: PageError? = nil) {
        let end = error.map { Result<PageUpdate?, any Error>.failure($0) } ?? .success(nil)
        let waiter = state.withLock { state -> Waiter? in
            guard state.end == nil else { return nil }
            state.end = end
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: end)
    }

    /// Returns the next update; nil at the end, or if the task is cancelled. One task at a time may ask.
    func next() async throws -> PageUpdate? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let ready = state.withLock { state -> Result<PageUpdate?, any Error>? in
                    if !state.updates.isEmpty { return .success(state.updates.removeFirst()) }
                    if let end = state.end { return end }
                    if Task.isCancelled { return .success(nil) }
                    state.waiter = waiter
                    return nil
                }
                if let ready { waiter.resume(returning: ready) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: .success(nil))
        }
        return try result.get()
    }
}

/// Leaves a page when the sequence that holds it is released.
final class PageReading: Sendable {
    let queue: PageQueue
    private let leave: @Sendable () -> Void

    init(_ queue: PageQueue, leave: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.leave = leave
    }

    deinit { leave() }

    /// The updates. One task at a time may read them.
    var updates: AsyncThrowingStream<PageUpdate, any Error> { AsyncThrowingStream { try await self.queue.next() } }
}
