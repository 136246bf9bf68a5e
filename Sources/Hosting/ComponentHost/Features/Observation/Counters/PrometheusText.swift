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
        lines.begin("hslink_calls_total", type: "counter", help: "Calls that have begun, including refused ones.")
        for row in rows { lines.add("hslink_calls_total", labels: row.labels, value: row.counters.calls) }

        lines.begin(
            "hslink_call_failures_total", type: "counter", help: "Calls that have failed, by the code of the error.")
        for row in rows {
            let failures = row.counters.failures.map { (code: $0.countedName, count: $1) }
            for failure in failures.sorted(by: { $0.code < $1.code }) {
                lines.add(
                    "hslink_call_failures_total", labels: row.labels + [("code", failure.code)], value: failure.count)
            }
        }

        lines.begin(
            "hslink_call_duration_seconds", type: "histogram",
            help: "How long calls took. Of calls that run on the thread of a busy caller, one in 64 counts for 64.")
        for row in rows { lines.add("hslink_call_duration_seconds", labels: row.labels, value: row.counters.durations) }

        lines.begin("hslink_calls_in_flight", type: "gauge", help: "Calls that have begun and not ended.")
        for row in rows { lines.add("hslink_calls_in_flight", labels: row.labels, value: row.counters.inFlight) }

        lines.begin(
            "hslink_calls_stuck", type: "gauge", help: "Calls that have ended while their methods are still running.")
        for row in rows { lines.add("hslink_calls_stuck", labels: row.labels, value: row.counters.stuck) }

        lines.begin(
            "hslink_late_replies_total", type: "counter", help: "Replies that came after their calls had ended.")
        for row in rows { lines.add("hslink_late_replies_total", labels: row.labels, value: row.counters.lateReplies) }
        text = lines.text
    }

    /// The lines of the text.
    private struct Lines {
        private(set) var text = ""

        mutating func begin(_ name: String, type: String, help: String) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        }

        mutating func add(_ name: String, labels: [(String, String)], value: Int) {
            add(name, labels: labels, value: "\(value)")
        }

        mutating func add(_ name: String, labels: [(String, String)], value durations: DurationHistogram) {
            let count = durations.count
            // A method without an instance, or a class that no component has, has never been timed.
            guard count > 0 else { return }
            var sum = 0
            for (bound, calls) in zip(DurationHistogram.bounds, durations.counts) {
                sum += calls
                add("\(name)_bucket", labels: labels + [("le", PrometheusText.number(bound))], value: "\(sum)")
            }
            add("\(name)_bucket", labels: labels + [("le", "+Inf")], value: "\(count)")
            add("\(name)_sum", labels: labels, value: PrometheusText.number(durations.sum))
            add("\(name)_count", labels: labels, value: "\(count)")
        }

        private mutating func add(_ name: String, labels: [(String, String)], value: String) {
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
