import ComponentKit

/// The shutdown of a host: its deadline and its outcome.
final class Shutdown: Sendable {
    private struct State {
        var deadline: Deadline?
        var cancelledCalls = 0
        var stillRunning: [String] = []
        var onBegin: (@Sendable () -> Void)?
    }

    private let grace: Duration
    private let state = Lock(State())

    /// - Parameter grace: how long calls in flight may continue.
    init(grace: Duration) { self.grace = grace }

    /// Starts the grace period unless it has already started, and returns the remaining time.
    func begin() -> Duration {
        let (remaining, onBegin) = state.withLock { state in
            let deadline = state.deadline ?? .after(grace)
            state.deadline = deadline
            return (deadline.remaining, state.onBegin.take())
        }
        onBegin?()
        return remaining
    }

    /// Whether the grace period has started.
    var hasBegun: Bool { state.withLock { $0.deadline != nil } }

    /// Calls `body` once the grace period starts; at once if it has started.
    func onBegin(_ body: @escaping @Sendable () -> Void) {
        let hasBegun = state.withLock { state in
            if state.deadline == nil { state.onBegin = body }
            return state.deadline != nil
        }
        if hasBegun { body() }
    }

    func add(cancelledCalls: Int, stillRunning: [String] = []) {
        state.withLock { state in
            state.cancelledCalls += cancelledCalls
            state.stillRunning += stillRunning
        }
    }

    /// The components in which a thread is still running.
    var stillRunning: [String] { state.withLock { $0.stillRunning } }

    /// The number of calls that the shutdown cancelled.
    var cancelledCalls: Int { state.withLock { $0.cancelledCalls } }

    /// A summary for the log.
    var summary: String {
        var text = "stopped; "
        switch cancelledCalls {
        case 0: text += "all calls had ended"
        case 1: text += "1 call was cancelled"
        case let count: text += "\(count) calls were cancelled"
        }
        if !stillRunning.isEmpty {
            text += "; not destroyed because threads are still in them: \(stillRunning.joined(separator: ", "))"
        }
        return text
    }
}
