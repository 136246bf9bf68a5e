import ComponentKit

/// Holds tasks until it is opened, whether or not they are cancelled.
final class AsyncValve: Sendable {
    private struct State {
        var isOpen = false
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// The number of tasks that have arrived so far.
    var arrivals: Int { state.withLock { $0.count } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.count += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}
