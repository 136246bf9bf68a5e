import ComponentKit
package import HostContract

/// The host's own class `hslink.Counters`, which says what the host has counted of calls. Swift code uses
/// `HostCountersServiceClient` of `HostContract`, where the answers are described.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `all` | nothing | `{"counters": [{"component", "class", "selector", "kind", "calls", "failures", "inFlight", "stuck", "lateReplies", "durations"}]}` |
/// | `prometheus` | nothing | `{"type": "text/plain; version=0.0.4; charset=utf-8", "text": "…"}` |
final class CountersLink: LinkClass, HostCountersService {
    static let provided = ProvidedClass(CountersLink.self, name: "hslink.Counters")
    static let services = [HostCountersServiceClient.__service.name]
    static let methods = HostCountersServiceTable<CountersLink>.methods

    private let core: HostCore

    init(_ context: ComponentContext) throws { core = try HostCore.of(context) }

    func all() -> CountedMethods { CountedMethods(counters: core.sortedCounters().map { CounterRow($0) }) }

    func prometheus() -> MetricsText {
        MetricsText(type: PrometheusText.contentType, text: PrometheusText(core.sortedCounters()).text)
    }
}

extension CounterRow {
    fileprivate init(_ row: SelectorCounters) {
        let counters = row.counters
        let failures = counters.failures.map { ($0.countedName, $1) }
        self.init(
            component: row.component, class: row.className, selector: row.selector, kind: row.kind.rawValue,
            calls: counters.calls, failures: Dictionary(failures, uniquingKeysWith: +), inFlight: counters.inFlight,
            stuck: counters.stuck, lateReplies: counters.lateReplies, durations: CallDurations(counters.durations))
    }
}

extension CallDurations {
    fileprivate init(_ durations: DurationHistogram) {
        let bounds = DurationHistogram.bounds.map { Optional($0.inSeconds) } + [nil]
        self.init(
            calls: durations.count, sum: durations.sum.inSeconds, p50: durations.quantile(0.5)?.inSeconds,
            p90: durations.quantile(0.9)?.inSeconds, p99: durations.quantile(0.99)?.inSeconds,
            buckets: zip(bounds, durations.counts).filter { $1 > 0 }.map { DurationBucket(upTo: $0, calls: $1) })
    }
}

extension DurationHistogram {
    /// Creates the histogram of a host's answer, which may be of another version.
    package init(_ durations: CallDurations) {
        var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
        for bucket in durations.buckets {
            // The next bound above half of it: a newer host may have other ones.
            let index = bucket.upTo.flatMap { bound in
                DurationHistogram.bounds.firstIndex { $0.inSeconds > bound * 0.75 }
            }
            counts[index ?? DurationHistogram.bounds.count] &+= bucket.calls
        }
        // As counted, in whole nanoseconds.
        let nanoseconds = (durations.sum * 1e9).rounded()
        self.init(counts: counts, sum: .nanoseconds(Int64(min(max(0, nanoseconds), 9e18))))
    }
}
