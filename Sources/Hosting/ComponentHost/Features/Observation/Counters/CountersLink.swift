package import ComponentKit

/// The host's own class `hslink.Counters`, which says what the host has counted of calls.
///
/// | class method | payload | answer |
/// |---|---|---|
/// | `all` | nothing | `{"counters": [{"component", "class", "selector", "kind", "calls", "failures", "inFlight", "stuck", "lateReplies", "durations"}]}` |
/// | `prometheus` | nothing | `{"type": "text/plain; version=0.0.4; charset=utf-8", "text": "…"}` |
///
/// `failures` maps the names of codes to numbers. `durations` is `{"calls", "sum", "p50", "p90", "p99", "buckets":
/// [{"upTo", "calls"}]}` with times in seconds; quantiles are missing without calls, buckets without calls are left
/// out, and the bucket for everything above 100 s has no `upTo`. `kind` is "class" for a class method and missing
/// otherwise. Rows with the most calls come first.
final class CountersLink: LinkClass {
    static let provided = ProvidedClass(CountersLink.self, name: SelectorCounters.hostClass)

    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<CountersLink>] = [
        .classMethod("all") { payload, call -> Payload in
            ["counters": .array(try HostCore.of(call.context).sortedCounters().map(\.payload))]
        },
        .classMethod("prometheus") { payload, call -> Payload in
            [
                "type": .string(PrometheusText.contentType),
                "text": .string(PrometheusText(try HostCore.of(call.context).sortedCounters()).text),
            ]
        },
    ]
}

extension SelectorCounters {
    /// The name of the host's class that answers counters.
    package static let hostClass = "hslink.Counters"

    var payload: Payload {
        var entries: [(String, Payload)] = [
            ("component", .string(component)), ("class", .string(className)), ("selector", .string(selector)),
        ]
        if kind == .class { entries.append(("kind", "class")) }
        let failures = counters.failures.map { ($0.countedName, Payload($1)) }.sorted { $0.0 < $1.0 }
        entries += [
            ("calls", Payload(counters.calls)), ("failures", .map(failures)),
            ("inFlight", Payload(counters.inFlight)), ("stuck", Payload(counters.stuck)),
            ("lateReplies", Payload(counters.lateReplies)), ("durations", counters.durations.payload),
        ]
        return .map(entries)
    }

    /// Reads what the class answers.
    package init(_ payload: Payload) throws(PayloadError) {
        component = try payload.string("component")
        className = try payload.string("class")
        selector = try payload.string("selector")
        kind = try payload.stringIfPresent("kind") == "class" ? .class : .object
        var counters = CallCounters()
        counters.calls = try payload.int("calls")
        for (name, count) in try payload.value("failures").entries() {
            counters.failures[LinkError.Code(countedName: name), default: 0] += try count.int()
        }
        counters.inFlight = try payload.int("inFlight")
        counters.stuck = try payload.int("stuck")
        counters.lateReplies = try payload.int("lateReplies")
        counters.durations = try DurationHistogram(try payload.value("durations"))
        self.counters = counters
    }
}

extension DurationHistogram {
    fileprivate var payload: Payload {
        var entries: [(String, Payload)] = [("calls", Payload(count)), ("sum", .double(sum.inSeconds))]
        for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
            if let duration = quantile(share) { entries.append((name, .double(duration.inSeconds))) }
        }
        let buckets = counts.enumerated().filter { $1 > 0 }.map { index, count -> Payload in
            guard index < DurationHistogram.bounds.count else { return ["calls": Payload(count)] }
            return ["upTo": .double(DurationHistogram.bounds[index].inSeconds), "calls": Payload(count)]
        }
        return .map(entries + [("buckets", .array(buckets))])
    }

    fileprivate init(_ payload: Payload) throws(PayloadError) {
        var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
        for bucket in try payload.value("buckets").items() {
            // The next bound above half of it: a newer host may have other ones.
            let bound = try bucket.doubleIfPresent("upTo")
            let index = bound.flatMap { bound in
                DurationHistogram.bounds.firstIndex { $0.inSeconds > bound * 0.75 }
            }
            counts[index ?? DurationHistogram.bounds.count] += try bucket.int("calls")
        }
        // As counted, in whole nanoseconds.
        let nanoseconds = (try payload.double("sum") * 1e9).rounded()
        self.init(counts: counts, sum: .nanoseconds(Int64(min(max(nanoseconds, 0), 9e18))))
    }
}

extension LinkError.Code {
    /// Finds a code by its name in counters; others share one.
    fileprivate init(countedName name: String) {
        let numbers = Array(Int32(0)..<24) + Array(Int32(100)..<116)
        self = numbers.lazy.map { LinkError.Code(rawValue: $0) }.first { $0.countedName == name } ?? .other
    }
}
