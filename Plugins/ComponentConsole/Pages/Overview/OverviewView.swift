import ComponentKit
import HostContract
import NXKit
import PageKit

/// How the overview looks.
enum OverviewView {
    /// Whether the host is well, and the figures.
    static func summary(_ state: SummaryState) -> some View {
        let figures = state.figures
        let counters = Action.show(page: ConsolePage.counters.rawValue)
        let failed = Stat("Failed", "\(figures.failed)", tone: figures.failed > 0 ? .failure : .neutral).key("failed")
        let late = figures.late > 0 ? figures.late.counted("late reply") : nil
        return Stack {
            Stack {
                if state.problems.isEmpty { wellness(state).key("well") }
                for (index, problem) in state.problems.enumerated() { note(problem).key("problem \(index)") }
            }.key("health")
            Grid(columns: 5) {
                Stat("Running", "\(state.running) of \(state.usable)").key("running")
                Stat("Calls", "\(figures.calls)").key("calls")
                if figures.failed > 0 { failed.action(counters) } else { failed }
                Stat("In flight", "\(figures.inFlight)").key("in flight")
                Stat("Stuck", "\(figures.stuck)", change: late, tone: figures.stuck > 0 ? .warning : .neutral)
                    .key("stuck")
            }.key("figures")
            Text(
                "Not counted: \(CounterList.leftOut). \(SystemInfo.current.summary.oneLine(200).sentence)",
                style: .caption
            ).key("remark")
        }
    }

    private static func wellness(_ state: SummaryState) -> Text {
        let (running, waiting) = (state.running, state.usable - state.running)
        guard state.usable > 0 else { return Text("The host has found no components.", style: .warning) }
        guard running > 0 else {
            return Text("All is well. No component runs yet; each starts when it is needed.", style: .success)
        }
        let loaded = running == 1 ? "The only loaded component runs" : "All \(running) loaded components run"
        let rest = waiting > 0 ? "; \(waiting) more \(waiting == 1 ? "starts" : "start") when needed" : ""
        return Text("\(loaded)\(rest).", style: .success)
    }

    private static func note(_ problem: HostProblem) -> Text {
        let text = Text(problem.text, style: problem.isFailure ? .failure : .warning)
        return problem.page.map { text.action(.show(page: $0)) } ?? text
    }

    /// The calls of the last quarter of an hour.
    static func activity(_ history: ActivityHistory) -> some View {
        let (intervals, seconds) = (history.intervals, ActivityHistory.seconds)
        let minutes = max(intervals.count * seconds / 60, 1)
        let time = minutes == 1 ? "minute" : "\(minutes) minutes"
        return Stack {
            if intervals.isEmpty {
                Placeholder("Calls are counted from now on. The chart begins in \(seconds) seconds.").key("chart")
            } else {
                Chart(
                    .line, title: "Calls in the last \(time), every \(seconds) seconds",
                    labels: history.labels,
                    [
                        ChartSeries(name: "calls", values: intervals.map { Double($0.calls) }),
                        ChartSeries(name: "failed", values: intervals.map { Double($0.failed) }),
                    ]
                ).key("chart")
            }
        }
    }

    /// The components.
    ///
    /// - Parameter isAllowed: whether people may rescan the directories.
    static func components(
        _ list: ComponentList, isAllowed: Bool = false, in context: PageContext? = nil
    ) -> some View {
        Stack {
            Stack(.horizontal) {
                Text("All components", style: .title).key("title")
                if isAllowed { Button("Scan again", .call("rescan")).key("rescan") }
            }.key("head")
            LongTable(
                [
                    "Component", "State", "Version", "Layer", TableColumn("In flight", alignment: .trailing),
                    TableColumn("Stuck", alignment: .trailing), "Reason", "What to do",
                ], list.components, in: context, empty: "The host has found no components.", key: \.name
            ) { component in
                row(component)
            }.key("components")
            if !isAllowed { Text(Permission.changes.refusal, style: .caption).key("refusal") }
        }
    }

    private static func row(_ component: ComponentRow) -> TableRow {
        let row = TableRow([
            TableCell(component.name.oneLine(120)), .badge(component.stateText.oneLine(120), component.tone),
            TableCell(component.version.oneLine(60)), TableCell((component.layer ?? "").asWords.oneLine(60)),
            TableCell(component.callsInFlight.orDash), TableCell(component.stuckCalls.orDash),
            TableCell(component.reason.oneLine(500)), TableCell((component.recovery ?? "").oneLine(500)),
        ])
        // A file that is not used has the name of the one that is.
        guard component.state != "shadowed", let page = ConsolePage.id(of: component.name) else { return row }
        return row.action(.show(page: page))
    }

    /// What is not used; nothing if the host uses all that it has found.
    static func unused(_ state: UnusedState) -> some View {
        Stack {
            if !state.directories.isEmpty {
                rejections("Directories that are not searched", state.directories).key("directories")
            }
            if !state.files.isEmpty { rejections("Files that are not used", state.files).key("files") }
            if !state.conflicts.isEmpty {
                Card("Classes that are declared more than once") {
                    LongTable(
                        ["Class", "Used from", "Not used from"], state.conflicts, empty: "", key: \.className
                    ) { conflict in
                        TableRow([
                            .code(conflict.className.oneLine()),
                            TableCell((conflict.winner ?? "the host itself").oneLine()),
                            TableCell(conflict.loser.oneLine()),
                        ])
                    }
                }.key("conflicts")
            }
            if !state.routes.isEmpty {
                Card("Routes that are not used") { RouteViews.refused(state.routes) }.key("routes")
            }
        }
    }

    private static func rejections(_ title: String, _ rows: [RejectionRow]) -> Card {
        Card(title) {
            LongTable(["Path", "Problem", "Reason"], rows, empty: "", key: \.path) { row in
                TableRow([
                    .code(row.path.oneLine(500)), .badge(row.code.asWords.oneLine(60), .failure),
                    TableCell(row.reason.oneLine(500)),
                ])
            }
        }
    }
}

extension ComponentRow {
    /// The state, with what the list of states does not say.
    var stateText: String {
        var words = [state]
        if isFileGone { words.append("its file is gone") }
        if let restartVersion { words.append("a restart loads \(restartVersion)") }
        return words.joined(separator: ", ")
    }

    /// What the state means to an operator.
    var tone: Tone {
        switch state {
        case "running": isFileGone || restartVersion != nil ? .warning : .success
        case "starting": .accent
        case "failed", "stuck": .failure
        case "shadowed", "disabled", "stopping", "stopped": .warning
        default: .neutral
        }
    }
}
