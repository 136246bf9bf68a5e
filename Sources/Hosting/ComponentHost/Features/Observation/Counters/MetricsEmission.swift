import ComponentKit
import CoreMetrics

/// Passes what the host has counted to swift-metrics, from time to time and outside of calls.
///
/// The metrics have the names of ``PrometheusText``, so that a dashboard works with either. Backends of swift-metrics
/// add up what they are told, so counters are told what has been added since the last time.
final class MetricsEmission: Sendable {
    /// How many durations of a method are passed on at a time. A timer is told every one by itself, and the busiest
    /// methods have millions.
    static let durationLimit = 128

    /// What has been told of one method, and the metrics for it.
    private struct Method {
        let labels: [(String, String)]
        let calls: Counter
        let lateReplies: Counter
        let durations: Timer
        let inFlight: Meter
        let stuck: Meter
        var failures: [LinkError.Code: Counter] = [:]
        var told = CallCounters()

        init(_ row: SelectorCounters, _ factory: any MetricsFactory) {
            labels = row.labels
            calls = Counter(label: "hslink_calls_total", dimensions: labels, factory: factory)
            lateReplies = Counter(label: "hslink_late_replies_total", dimensions: labels, factory: factory)
            durations = Timer(label: "hslink_call_duration_seconds", dimensions: labels, factory: factory)
            inFlight = Meter(label: "hslink_calls_in_flight", dimensions: labels, factory: factory)
            stuck = Meter(label: "hslink_calls_stuck", dimensions: labels, factory: factory)
        }

        mutating func tell(_ counters: CallCounters, _ factory: any MetricsFactory) {
            calls.increment(by: counters.calls - told.calls)
            if counters.lateReplies > told.lateReplies {
                lateReplies.increment(by: counters.lateReplies - told.lateReplies)
            }
            for (code, count) in counters.failures where count > told.failures[code, default: 0] {
                let labels = labels + [("code", code.countedName)]
                let counter =
                    failures[code]
                    ?? Counter(label: "hslink_call_failures_total", dimensions: labels, factory: factory)
                failures[code] = counter
                counter.increment(by: count - told.failures[code, default: 0])
            }
            for (nanoseconds, count) in counters.durations.since(told.durations).picked(atMost: durationLimit) {
                for _ in 0..<count { durations.recordNanoseconds(nanoseconds) }
            }
            inFlight.set(counters.inFlight)
            stuck.set(counters.stuck)
            told = counters
        }
    }

    private let factory: any MetricsFactory
    private let methods = Lock<[MethodCounters.Key: Method]>([:])

    /// - Returns: Nil if the application has not chosen a backend.
    init?() {
        let factory = MetricsSystem.factory
        guard !(factory is NOOPMetricsHandler) else { return nil }
        self.factory = factory
    }

    /// Passes on what has been counted since the last time.
    func tell(_ rows: [SelectorCounters]) {
        methods.withLock { methods in
            for row in rows {
                let key = MethodCounters.Key(
                    component: row.component, className: row.className, selector: row.selector, kind: row.kind)
                methods[key, default: Method(row, factory)].tell(row.counters, factory)
            }
        }
    }
}

extension DurationHistogram {
    /// Returns durations that are spread as these are, at most `limit` of them: the middle of each bucket, and how
    /// often.
    func picked(atMost limit: Int) -> [(nanoseconds: Int64, count: Int)] {
        let all = count
        guard all > 0 else { return [] }
        let share = all > limit ? Double(limit) / Double(all) : 1
        var (sum, picked) = (0, 0)
        return counts.enumerated().compactMap { index, count in
            sum += count
            // Rounds the sum rather than each number, so that nothing is lost or added.
            let more = Int((Double(sum) * share).rounded()) - picked
            guard more > 0 else { return nil }
            picked += more
            return (DurationHistogram.middle(of: index), more)
        }
    }

    private static func middle(of bucket: Int) -> Int64 {
        guard bucket < limits.count else { return Int64(limits[limits.count - 1]) }
        return Int64(((bucket == 0 ? 0 : limits[bucket - 1]) + limits[bucket]) / 2)
    }
}
