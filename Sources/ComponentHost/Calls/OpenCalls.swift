import ComponentKit

/// The calls of one component that have begun and wait for a later reply, or run on a thread of the host:
/// what `stop` ends when its time is up.
final class OpenCalls: Sendable {
    private struct Calls {
        var next: UInt64 = 0
        var pending: [UInt64: PendingReply] = [:]
        var isEnded = false
    }

    private let calls = Lock(Calls())

    var count: Int { calls.withLock { $0.pending.count } }

    /// Whether ``endAll(with:tell:)`` was called: nobody ends calls that are added from then on.
    var isEnded: Bool { calls.withLock { $0.isEnded } }

    /// Keeps a call until ``remove(_:)``.
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

    /// Ends all of them, for good.
    ///
    /// - Parameter notify: runs the handlers of their methods.
    /// - Returns: how many had not ended by themselves.
    func endAll(with error: LinkError, notify: (@escaping @Sendable () -> Void) -> Void) -> Int {
        let pending = calls.withLock { calls in
            calls.isEnded = true
            return Array(calls.pending.values)
        }
        return pending.count { $0.end(with: error, notify: notify) }
    }
}
