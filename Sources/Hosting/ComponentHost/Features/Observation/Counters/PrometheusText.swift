import ComponentKit

/// What a host has counted, in the text format of Prometheus, version 0.0.4.
///
///     let text = PrometheusText(host.counters).text
///     // hslink_calls_total{component="ComponentVideo",class="VideoLink",selector="probe",kind="object"} 12
///
/// | metric | type | labels besides component, class, selector and kind |
/// |---|---|---|
/// | `hslink_calls_total` | counter | |
/// | `hslink_call_failures_total` | counter | `code`, such as "deadlineExceeded" |
/// | `hslink_call_duration_seconds` | histogram | `le` |
/// | `hslink_calls_in_flight` | gauge | |
/// | `hslink_calls_stuck` | gauge | |
/// | `hslink_late_replies_total` | counter | |
///
/// A web server answers the text with the type ``contentType``.
public struct PrometheusText: Sendable, Hashable {
    /// The media type of the text.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The text; it ends with a line feed. Methods are in the order in which they were given.
    public let text: String

    /// - Parameter rows: what has been counted of each method, each at most once.
    public init(_ rows: [SelectorCounters]) {
        var lines = Lines()
        lines.begin("hslink_calls_total", "counter", "Calls that have begun, including refused ones.")
        for row in rows { lines.add("hslink_calls_total", row.labels, row.counters.calls) }

        lines.begin("hslink_call_failures_total", "counter", "Calls that have failed, by the code of the error.")
        for row in rows {
            let failures = row.counters.failures.map { (code: $0.countedName, count: $1) }
            for failure in failures.sorted(by: { $0.code < $1.code }) {
                lines.add("hslink_call_failures_total", row.labels + [("code", failure.code)], failure.count)
            }
        }

        lines.begin(
            "hslink_call_duration_seconds", "histogram",
            "How long calls took. Of calls that run on the thread of a busy caller, one in 64 counts for 64.")
        for row in rows { lines.add("hslink_call_duration_seconds", row.labels, row.counters.durations) }

        lines.begin("hslink_calls_in_flight", "gauge", "Calls that have begun and not ended.")
        for row in rows { lines.add("hslink_calls_in_flight", row.labels, row.counters.inFlight) }

        lines.begin("hslink_calls_stuck", "gauge", "Calls that have ended while their methods are still running.")
        for row in rows { lines.add("hslink_calls_stuck", row.labels, row.counters.stuck) }

        lines.begin("hslink_late_replies_total", "counter", "Replies that came after their calls had ended.")
        for row in rows { lines.add("hslink_late_replies_total", row.labels, row.counters.lateReplies) }
        text = lines.text
    }

    /// The lines of the text.
    private struct Lines {
        private(set) var text = ""

        mutating func begin(_ name: String, _ type: String, _ help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        }

        mutating func add(_ name: String, _ labels: [(String, String)], _ value: Int) {
            add(name, labels, "\(value)")
        }

        mutating func add(_ name: String, _ labels: [(String, String)], _ durations: DurationHistogram) {
            let count = durations.count
            // A method without an instance, or a class that no component has, has never been timed.
            guard count > 0 else { return }
            var sum = 0
            for (bound, calls) in zip(DurationHistogram.bounds, durations.counts) {
                sum += calls
                add("\(name)_bucket", labels + [("le", PrometheusText.number(bound))], "\(sum)")
            }
            add("\(name)_bucket", labels + [("le", "+Inf")], "\(count)")
            add("\(name)_sum", labels, PrometheusText.number(durations.sum))
            add("\(name)_count", labels, "\(count)")
        }

        private mutating func add(_ name: String, _ labels: [(String, String)], _ value: String) {
            let labels = labels.map { "\($0)=\"\(PrometheusText.escaped($1))\"" }.joined(separator: ",")
            text += "\(name){\(labels)} \(value)\n"
        }
    }

    /// The value of a label: backslashes, quotation marks and line feeds are escaped. A carriage return is replaced,
    /// because some readers take it for the end of a line and the format cannot escape it.
    static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            case "\r": text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// A number of seconds, without rounding and without an exponent.
    static func number(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds > 0 else { return "\(seconds)" }
        let digits = String(attoseconds)
        var fraction = String(repeating: "0", count: 18 - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(seconds).\(fraction)"
    }
}

extension SelectorCounters {
    /// The names of the method, as labels of a metric.
    var labels: [(String, String)] {
        [("component", component), ("class", className), ("selector", selector), ("kind", "\(kind)")]
    }
}
