import ComponentKit

/// The calls of one component that await a later reply or run on a thread of the host. `stop` ends them at its
/// deadline.
final class OpenCalls: Sendable {
    private struct OpenCall {
        let pending: PendingReply
        /// Counts the calls to the method or the object.
        let counters: MethodCounters
        /// Whether the stop of the host waits for it.
        let isWaitedFor: Bool
        /// The method and when the call began, until it has been reported; nil without a watchdog.
        var watched: (name: String, since: ContinuousClock.Instant)?
    }

    private struct Calls {
        var next: UInt64 = 0
        /// The number of those that the stop of the host waits for.
        var count = 0
        var pending: [UInt64: OpenCall] = [:]
        var isEnded = false
    }

    private let calls = Lock(Calls())
    /// Whether a watchdog asks for calls that take long.
    private let isWatched: Bool

    init(isWatched: Bool) { self.isWatched = isWatched }

    /// The number of calls, without those that the stop of the host does not wait for.
    var count: Int { calls.withLock { $0.count } }

    /// The number of calls to each method.
    var counts: [ObjectIdentifier: Int] {
        calls.withLock { calls in
            calls.pending.values.reduce(into: [:]) { counts, call in
                counts[ObjectIdentifier(call.counters), default: 0] += 1
            }
        }
    }

    /// Whether calls that are added end at once.
    var isEnded: Bool { calls.withLock { $0.isEnded } }

    /// Adds a call and returns its key for ``remove(_:)``.
    ///
    /// - Parameter callee: what is called.
    func add(_ pending: PendingReply, of callee: Callee) -> UInt64 {
        let call = OpenCall(
            pending: pending, counters: callee.counters, isWaitedFor: callee.isWaitedFor,
            watched: isWatched && callee.isWaitedFor ? (callee.description, .now) : nil)
        return calls.withLock { calls in
            calls.next += 1
            if call.isWaitedFor { calls.count += 1 }
            calls.pending[calls.next] = call
            return calls.next
        }
    }

    func remove(_ key: UInt64) {
        calls.withLock { calls in
            if calls.pending.removeValue(forKey: key)?.isWaitedFor == true { calls.count -= 1 }
        }
    }

    /// Returns the calls that have taken at least this long, each once.
    ///
    /// - Parameter names: methods whose calls are left for later.
    func takeOverdue(
        _ threshold: Duration, _ now: ContinuousClock.Instant, besides names: Set<String>
    ) -> [(name: String, duration: Duration)] {
        calls.withLock { calls in
            var overdue: [(String, Duration)] = []
            for (key, call) in calls.pending {
                guard let watched = call.watched, now - watched.since >= threshold, !names.contains(watched.name) else {
                    continue
                }
                overdue.append((watched.name, now - watched.since))
                calls.pending[key]?.watched = nil
            }
            return overdue
        }
    }

    /// Ends all open calls.
    ///
    /// - Parameters:
    ///   - isFinal: whether calls that are added from now on end at once.
    ///   - notify: runs the cancellation handlers of their methods.
    /// - Returns: The number of calls that had not ended by themselves.
    func endAll(with error: LinkError, isFinal: Bool, notify: (@escaping @Sendable () -> Void) -> Void) -> Int {
        let pending = calls.withLock { calls in
            calls.isEnded = isFinal
            return calls.pending.values.map(\.pending)
        }
        return pending.count { $0.end(with: error, notify: notify) }
    }
}
