import ComponentKit
import HostContract
import PageKit

/// How counters and times look.
enum CounterViews {
    /// The most methods in a chart.
    private static let mostBars = 10

    /// All methods.
    static func counters(_ counters: CounterList) -> some View {
        let others = counters.others.prefix(mostBars)
        return Stack {
            if !others.isEmpty {
                Chart(
                    .bar, title: "Calls of the most called methods", labels: others.map { $0.call.oneLine(120) },
                    [ChartSeries(name: "calls", values: others.map { Double($0.calls) })]
                ).key("chart")
                Text("The chart leaves out \(CounterList.leftOut).", style: .caption).key("remark")
            }
            table(counters.othersFirst).key("table")
        }
    }

    /// Methods in a table, as they are given.
    static func table(_ methods: [CounterRow]) -> LongTable {
        LongTable(
            ["Method", "Component"]
                + ["Calls", "Failed", "In flight", "Stuck", "Late", "P50", "P99"].map {
                    TableColumn($0, alignment: .trailing)
                } + ["Failures"], methods, most: 100, empty: "No method has been called.", key: \.identity
        ) { method in
            TableRow([
                method.call.oneLine(), method.component.oneLine(120).orDash, "\(method.calls)", method.failed.orDash,
                method.inFlight.orDash, method.stuck.orDash, method.lateReplies.orDash,
                method.durations.p50?.durationText ?? "–", method.durations.p99?.durationText ?? "–",
                method.failureTexts.listed(most: 5),
            ])
        }
    }

    /// The durations of a method, and a form that chooses another one.
    static func histogram(_ state: HistogramState) -> some View {
        Stack {
            if let shown = state.shown {
                let buckets = shown.durations.buckets
                Form("Show", .call("choose")) {
                    Field(
                        "method", "Method",
                        .choice(state.methods.map { FieldChoice(value: $0, title: $0) }),
                        value: .string(shown.call)
                    ).required()
                }.key("form")
                if buckets.isEmpty {
                    Placeholder("No call of this method has been timed yet.").key("chart")
                } else {
                    Chart(
                        .bar, title: "How long calls of \(shown.call.oneLine(120)) took",
                        labels: buckets.map { $0.upTo.map { "up to \($0.durationText)" } ?? "longer" },
                        [ChartSeries(name: "calls", values: buckets.map { Double($0.calls) })]
                    ).key("chart")
                }
            } else {
                Placeholder("No method has been called.").key("empty")
            }
        }
    }

    /// How long components took.
    static func times(_ times: [ActivityTime]?) -> some View {
        Stack {
            if let times {
                LongTable(
                    ["Component", "Activity"]
                        + ["Count", "Total", "Longest"].map { TableColumn($0, alignment: .trailing) }, times,
                    empty: "No component has started or handled an event yet.",
                    key: { "\($0.component) \($0.activity)" }
                ) { time in
                    TableRow([
                        time.component.isEmpty ? "the program" : time.component.oneLine(120), time.activity.oneLine(),
                        "\(time.count)", time.total.durationText, time.longest.durationText,
                    ])
                }.key("times")
            } else {
                Placeholder(
                    "The host does not record how long components take. To have it do so, start it with 'hslink run "
                        + "--profile', or set HostOptions.recordsTimes in a program."
                ).key("times")
            }
        }
    }
}
