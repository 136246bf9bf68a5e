import ComponentKit

/// The end of a host: how much time is left, and what came of it.
final class Shutdown: Sendable {
    private struct State {
        var deadline: Deadline?
        var cancelledCalls = 0
        var stillRunning: [String] = []
    }

    private let grace: Duration
    private let state = Lock(State())

    /// - Parameter grace: how long calls that have begun may take.
    init(grace: Duration) { self.grace = grace }

    /// What is left of the grace, which begins now where it has not begun.
    func begin() -> Duration {
        state.withLock { state in
            let deadline = state.deadline ?? .after(grace)
            state.deadline = deadline
            return deadline.remaining
        }
    }

    func add(cancelledCalls: Int, stillRunning: [String] = []) {
        state.withLock { state in
            state.cancelledCalls += cancelledCalls
            state.stillRunning += stillRunning
        }
    }

    /// Components that some thread is still inside of.
    var stillRunning: [String] { state.withLock { $0.stillRunning } }

    /// Calls that were ended before their time.
    var cancelledCalls: Int { state.withLock { $0.cancelledCalls } }

    /// How it went, as a sentence.
    var summary: String {
        var text = "stopped; "
        switch cancelledCalls {
        case 0: text += "every call had ended"
        case 1: text += "1 call was cancelled"
        case let count: text += "\(count) calls were cancelled"
        }
        if !stillRunning.isEmpty {
            text += "; still at work and not ended: \(stillRunning.joined(separator: ", "))"
        }
        return text
    }
}
