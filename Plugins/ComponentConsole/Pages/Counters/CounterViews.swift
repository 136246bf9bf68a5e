import ComponentKit
import HostContract
import PageKit

/// How counters and times look.
enum CounterViews {
    /// The most methods in a chart.
    private static let mostBars = 10

    private static let mostFailing = 10
    /// How many methods are listed unless people ask for all.
    static let mostAtFirst = 20

    /// The methods that are called most, those with failures, and all.
    ///
    /// - Parameter showsAll: whether the reader has asked for all.
    static func counters(_ counters: CounterList, showsAll: Bool = false, in context: PageContext? = nil) -> some View {
        let others = counters.others.prefix(mostBars)
        let failing = counters.methods.filter { $0.failed > 0 }.sorted { $1.failed < $0.failed }
        let methods = counters.othersFirst
        let isCut = !showsAll && methods.count > mostAtFirst
        return Stack {
            if !failing.isEmpty {
                Card("Methods with failed calls") { failures(failing).key("failures") }.key("failed")
            }
            if !others.isEmpty {
                Chart(
                    .bar, title: "Calls of the most called methods", labels: others.map { $0.call.oneLine(120) },
                    [ChartSeries(name: "calls", values: others.map { Double($0.calls) })]
                ).key("chart")
                Text("The chart does not count \(CounterList.leftOut).", style: .caption).key("remark")
            }
            table(
                isCut ? Array(methods.prefix(mostAtFirst)) : methods, most: LongTable.mostRows,
                isOfOneComponent: false, in: context
            ).key("table")
            if isCut {
                Button("Show all \(methods.count) methods", .call("showAll")).key("all")
            }
        }
    }

    private static func failures(_ methods: [CounterRow]) -> LongTable {
        LongTable(
            [
                "Method", "Component", .init("Failed", alignment: .trailing), .init("Calls", alignment: .trailing),
                "Why",
            ],
            methods, most: mostFailing, empty: "", key: \.identity
        ) { method in
            TableRow([
                .code(method.call.oneLine()), TableCell(method.component.oneLine(120).orDash),
                .badge("\(method.failed)", .failure), "\(method.calls)", TableCell(method.failureTexts.listed(most: 5)),
            ])
        }
    }

    /// Methods in a table, as they are given.
    ///
    /// - Parameters:
    ///   - most: how many are listed at first.
    ///   - isOfOneComponent: whether all methods are of one component. Then a column says why calls have failed instead
    ///     of which component it is.
    static func table(
        _ methods: [CounterRow], most: Int = 100, isOfOneComponent: Bool = true, in context: PageContext? = nil
    ) -> LongTable {
        let counts = ["Calls", "Failed", "Cancelled", "In flight", "Stuck", "Late", "Median", "99 % within"]
        var columns: [TableColumn] = isOfOneComponent ? ["Method"] : ["Method", "Component"]
        columns += counts.map { TableColumn($0, alignment: .trailing) }
        if isOfOneComponent { columns.append("Why") }
        return LongTable(
            columns, methods, in: context, most: most, empty: "No method has been called.", key: \.identity
        ) { method in
            var cells: [TableCell] = [.code(method.call.oneLine())]
            if !isOfOneComponent { cells.append(TableCell(method.component.oneLine(120).orDash)) }
            cells += [
                "\(method.calls)",
                method.failed > 0 ? .badge("\(method.failed)", .failure) : "–", TableCell(method.cancelled.orDash),
                TableCell(method.inFlight.orDash),
                method.stuck > 0 ? .badge("\(method.stuck)", .warning) : "–", TableCell(method.lateReplies.orDash),
                TableCell(method.durations.p50?.durationText ?? "–"),
                TableCell(method.durations.p99?.durationText ?? "–"),
            ]
            if isOfOneComponent { cells.append(TableCell(method.failureTexts.listed(most: 5))) }
            return TableRow(cells)
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
                }.submittedOnChange().key("form")
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
                        time.component.isEmpty ? "the program" : TableCell(time.component.oneLine(120)),
                        .code(time.activity.oneLine()), "\(time.count)", TableCell(time.total.durationText),
                        TableCell(time.longest.durationText),
                    ])
                }.key("times")
            } else {
                Placeholder(
                    "The host does not record how long components take to start, to handle events and to stop. To see "
                        + "that, start it with hslink run --profile, or set HostOptions.recordsTimes in a program."
                ).key("times")
            }
        }
    }
}
