import ComponentKit

/// The calls of one component that await a later reply or run on a thread of the host. `stop` ends them at its
/// deadline.
final class OpenCalls: Sendable {
    private struct OpenCall {
        let pending: PendingReply
        /// Counts the calls to the method; nil for a call to an object.
        let counters: MethodCounters?
        /// The method and when the call began, until it has been reported; nil without a watchdog.
        var watched: (name: String, since: ContinuousClock.Instant)?
    }

    private struct Calls {
        var next: UInt64 = 0
        var pending: [UInt64: OpenCall] = [:]
        var isEnded = false
    }

    private let calls = Lock(Calls())
    /// Whether a watchdog asks for calls that take long.
    private let isWatched: Bool

    init(isWatched: Bool) { self.isWatched = isWatched }

    var count: Int { calls.withLock { $0.pending.count } }

    /// The number of calls to each method.
    var counts: [ObjectIdentifier: Int] {
        calls.withLock { calls in
            calls.pending.values.reduce(into: [:]) { counts, call in
                if let counters = call.counters { counts[ObjectIdentifier(counters), default: 0] += 1 }
            }
        }
    }

    /// Whether ``endAll(with:notify:)`` has been called. Calls that are added afterwards are not ended.
    var isEnded: Bool { calls.withLock { $0.isEnded } }

    /// Adds a call and returns its key for ``remove(_:)``.
    ///
    /// - Parameters:
    ///   - counters: counts the calls to the method; nil for a call to an object.
    ///   - name: the method as it is shown.
    func add(_ pending: PendingReply, _ counters: MethodCounters?, name: @autoclosure () -> String) -> UInt64 {
        let call = OpenCall(pending: pending, counters: counters, watched: isWatched ? (name(), .now) : nil)
        return calls.withLock { calls in
            calls.next += 1
            calls.pending[calls.next] = call
            return calls.next
        }
    }

    func remove(_ key: UInt64) {
        calls.withLock { _ = $0.pending.removeValue(forKey: key) }
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
    /// - Parameter notify: runs the cancellation handlers of their methods.
    /// - Returns: The number of calls that had not ended by themselves.
    func endAll(with error: LinkError, notify: (@escaping @Sendable () -> Void) -> Void) -> Int {
        let pending = calls.withLock { calls in
            calls.isEnded = true
            return calls.pending.values.map(\.pending)
        }
        return pending.count { $0.end(with: error, notify: notify) }
    }
}
