import ComponentKit

/// The calls of one component that await a later reply or run on a thread of the host. `stop` ends them at its
/// deadline.
final class OpenCalls: Sendable {
    private struct Calls {
        var next: UInt64 = 0
        var pending: [UInt64: PendingReply] = [:]
        var isEnded = false
    }

    private let calls = Lock(Calls())

    var count: Int { calls.withLock { $0.pending.count } }

    /// Whether ``endAll(with:notify:)`` has been called. Calls that are added afterwards are not ended.
    var isEnded: Bool { calls.withLock { $0.isEnded } }

    /// Adds a call and returns its key for ``remove(_:)``.
    func add(_ pending: PendingReply) -> UInt64 {
        calls.withLock { calls in
            calls.next += 1
            calls.pending[calls.next] = pending
            return calls.next
        }
    }

    func remove(_ key: UInt64) {
        calls.withLock { _ = $0.pending.removeValue(forKey: key) }
    }

    /// Ends all open calls.
    ///
    /// - Parameter notify: runs the cancellation handlers of their methods.
    /// - Returns: The number of calls that had not ended by themselves.
    func endAll(with error: LinkError, notify: (@escaping @Sendable () -> Void) -> Void) -> Int {
        let pending = calls.withLock { calls in
            calls.isEnded = true
            return Array(calls.pending.values)
        }
        return pending.count { $0.end(with: error, notify: notify) }
    }
}
