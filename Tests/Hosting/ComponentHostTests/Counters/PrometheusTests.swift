import ComponentKit
import CoreMetrics
import Foundation
import MetricsTestKit
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The text format of Prometheus")
struct PrometheusTests {
    private func row(_ names: [String], _ counters: CallCounters, _ kind: SelectorKind = .object) -> SelectorCounters {
        SelectorCounters(
            component: names[0], className: names[1], selector: names[2], kind: kind, counters: counters)
    }

    @Test("names each metric with its type, and the series of each method")
    func text() {
        var counters = CallCounters()
        counters.calls = 12
        counters.failures = [.stuck: 1, .methodFailed: 2, .other: 3]
        (counters.inFlight, counters.stuck, counters.lateReplies) = (4, 5, 6)
        var counts = Array(repeating: 0, count: DurationHistogram.bucketCount)
        (counts[1], counts[28]) = (10, 2)
        counters.durations = DurationHistogram(counts: counts, sum: .nanoseconds(201_000_002_500))
        let text = PrometheusText([row(["Video", "VideoLink", "probe"], counters, .class)]).text
        let lines = text.split(separator: "\n").map(String.init)
        let labels = #"component="Video",class="VideoLink",selector="probe",kind="class""#
        #expect(text.hasSuffix("\n"))
        #expect(lines[0].hasPrefix("# HELP hslink_calls_total "))
        #expect(lines[1] == "# TYPE hslink_calls_total counter")
        #expect(lines[2] == "hslink_calls_total{\(labels)} 12")
        for line in [
            "# TYPE hslink_call_failures_total counter",
            #"hslink_call_failures_total{\#(labels),code="methodFailed"} 2"#,
            #"hslink_call_failures_total{\#(labels),code="other"} 3"#,
            #"hslink_call_failures_total{\#(labels),code="stuck"} 1"#,
            "# TYPE hslink_call_duration_seconds histogram",
            #"hslink_call_duration_seconds_bucket{\#(labels),le="0.0000001"} 0"#,
            #"hslink_call_duration_seconds_bucket{\#(labels),le="0.0000002"} 10"#,
            #"hslink_call_duration_seconds_bucket{\#(labels),le="100"} 10"#,
            #"hslink_call_duration_seconds_bucket{\#(labels),le="+Inf"} 12"#,
            "hslink_call_duration_seconds_sum{\(labels)} 201.0000025",
            "hslink_call_duration_seconds_count{\(labels)} 12",
            "# TYPE hslink_calls_in_flight gauge", "hslink_calls_in_flight{\(labels)} 4",
            "# TYPE hslink_calls_stuck gauge", "hslink_calls_stuck{\(labels)} 5",
            "# TYPE hslink_late_replies_total counter", "hslink_late_replies_total{\(labels)} 6",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        // Every series stands behind the type of its metric, and no name has two types.
        let types = lines.filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(types).count == types.count)
    }

    @Test(
        "hostile names cannot end a label or a line",
        arguments: [
            ("a\"b", #"a\"b"#), (#"a\"#, #"a\\"#), ("a\nhslink_calls_total 7", #"a\nhslink_calls_total 7"#),
            ("a\r\nb", "a\u{FFFD}\\nb"), ("{a=\"b\"}", #"{a=\"b\"}"#), ("é 🎬", "é 🎬"), ("", ""),
        ])
    func hostile(name: String, expected: String) {
        var counters = CallCounters()
        counters.calls = 1
        let text = PrometheusText([row([name, name, name], counters)]).text
        let line = text.split(separator: "\n").first { $0.hasPrefix("hslink_calls_total") }
        #expect(
            line.map(String.init)
                == #"hslink_calls_total{component="\#(expected)",class="\#(expected)",selector="\#(expected)",kind="object"} 1"#
        )
        #expect(text.split(separator: "\n").count { !$0.hasPrefix("#") } == 4)
    }

    @Test("numbers of seconds are exact and have no exponent")
    func numbers() {
        for (duration, text) in [
            (Duration.zero, "0"), (.nanoseconds(100), "0.0000001"), (.seconds(100), "100"),
            (.milliseconds(1500), "1.5"), (.nanoseconds(1_000_000_001), "1.000000001"),
        ] {
            #expect(PrometheusText.number(duration) == text)
        }
    }
}

@Suite("Counters in swift-metrics")
struct MetricsEmissionTests {
    @Test("the application's backend is told what has been added, with the labels of the method")
    func told() async throws {
        let metrics = TestMetrics()
        var options = HostOptions.quiet
        options.metricsInterval = nil
        let host = try withMetricsFactory(metrics) { try Depth.file.host(options: options) }
        func labels(_ selector: String) -> [(String, String)] {
            [("component", "FixtureComponent"), ("class", "FixtureLink"), ("selector", selector), ("kind", "object")]
        }
        for _ in 0..<3 { _ = try await host.call("FixtureLink", "echo", 1) }
        _ = await answer { try await host.call("FixtureLink", "throwOwn") }
        try await onThread { host.call("FixtureLink", "keep") { (_: Answer) in } }
        #expect(metrics.counters.isEmpty)
        host.emitMetrics()
        #expect(try metrics.expectCounter("hslink_calls_total", labels("echo")).values == [3])
        #expect(
            try metrics.expectCounter(
                "hslink_call_failures_total", labels("throwOwn") + [("code", "methodFailed")]
            ).values == [1])
        #expect(try metrics.expectTimer("hslink_call_duration_seconds", labels("echo")).values.count == 3)
        #expect(try metrics.expectMeter("hslink_calls_in_flight", labels("keep")).values == [1])
        _ = try await host.call("FixtureLink", "echo", 1)
        _ = try await host.call("FixtureLink", "answerKept")
        host.emitMetrics()
        #expect(try metrics.expectCounter("hslink_calls_total", labels("echo")).values == [3, 1])
        #expect(
            try metrics.expectCounter(
                "hslink_call_failures_total", labels("throwOwn") + [("code", "methodFailed")]
            ).values == [1])
        #expect(try metrics.expectTimer("hslink_call_duration_seconds", labels("echo")).values.count == 4)
        #expect(try metrics.expectMeter("hslink_calls_in_flight", labels("keep")).values == [1, 0])
        // What is left is told when the host has stopped.
        _ = try await host.call("FixtureLink", "echo", 1)
        await host.stop()
        #expect(try metrics.expectCounter("hslink_calls_total", labels("echo")).totalValue == 5)
    }

    @Test("it is told in intervals, without being asked")
    func intervals() async throws {
        let metrics = TestMetrics()
        var options = HostOptions.quiet
        options.metricsInterval = .milliseconds(20)
        let host = try withMetricsFactory(metrics) { try Depth.builtIn.host(options: options) }
        for count in 1...3 {
            _ = try await host.call("FixtureLink", "echo", 1)
            #expect(
                await holds {
                    metrics.counters(label: "hslink_calls_total").reduce(0) { $0 + $1.totalValue } == count
                })
        }
        await host.stop()
    }
}
