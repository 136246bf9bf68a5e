import ComponentKit
import HostContract
import NXKit
import PageKit

/// How the overview looks.
enum OverviewView {
    /// The figures.
    static func summary(_ state: SummaryState) -> some View {
        let figures = state.figures
        var keys = SiblingKeys()
        return Stack {
            Grid(columns: 5) {
                for item in state.states {
                    Stat("Components \(item.state.oneLine(60))", "\(item.count)").key(keys.key(item.state))
                }
            }.key("states")
            Grid(columns: 5) {
                Stat("Calls", "\(figures.calls)").key("calls")
                Stat("Failed calls", "\(figures.failed)").key("failed")
                Stat("In flight", "\(figures.inFlight)").key("in flight")
                Stat("Stuck", "\(figures.stuck)").key("stuck")
                Stat("Late replies", "\(figures.late)").key("late")
            }.key("calls")
            Text("Without \(CounterList.leftOut).", style: .caption).key("remark")
            Text(SystemInfo.current.summary.oneLine(200), style: .caption).key("system")
        }
    }

    /// The components.
    static func components(_ list: ComponentList) -> some View {
        LongTable(
            [
                "Component", "State", "Reason", "To recover", "Version", "Layer",
                TableColumn("In flight", alignment: .trailing), TableColumn("Stuck", alignment: .trailing),
            ], list.components, most: 500, empty: "The host has found no components.", key: \.name
        ) { component in
            row(component)
        }
    }

    private static func row(_ component: ComponentRow) -> TableRow {
        let row = TableRow([
            component.name.oneLine(120), component.stateText.oneLine(120), component.reason.oneLine(500),
            (component.recovery ?? "").oneLine(500), component.version.oneLine(60), (component.layer ?? "").oneLine(60),
            component.callsInFlight.orDash, component.stuckCalls.orDash,
        ])
        // A file that is not used has the name of the one that is.
        guard component.state != "shadowed", let page = ConsolePage.id(of: component.name) else { return row }
        return row.action(.show(page: page))
    }

    /// What is not used.
    static func unused(_ state: UnusedState) -> some View {
        Stack {
            if state.isEmpty { Placeholder("The host uses everything that it has found.").key("nothing") }
            if !state.directories.isEmpty { rejections("Directories", state.directories).key("directories") }
            if !state.files.isEmpty { rejections("Files", state.files).key("files") }
            if !state.conflicts.isEmpty {
                Card("Classes that are declared more than once") {
                    LongTable(
                        ["Class", "Called in", "Not called in"], state.conflicts, empty: "", key: \.className
                    ) { conflict in
                        TableRow([
                            conflict.className.oneLine(), (conflict.winner ?? "the host itself").oneLine(),
                            conflict.loser.oneLine(),
                        ])
                    }
                }.key("conflicts")
            }
            if !state.routes.isEmpty {
                Card("Routes") { RouteViews.refused(state.routes) }.key("routes")
            }
        }
    }

    private static func rejections(_ title: String, _ rows: [RejectionRow]) -> Card {
        Card(title) {
            LongTable(["Path", "Code", "Reason"], rows, empty: "", key: \.path) { row in
                TableRow([row.path.oneLine(500), row.code.oneLine(60), row.reason.oneLine(500)])
            }
        }
    }

    /// The button that rescans the directories.
    static func rescanning(isAllowed: Bool) -> some View {
        Stack {
            if isAllowed {
                Button("Scan the directories again", .call("rescan")).key("rescan")
            } else {
                Text(Permission.changes.refusal, style: .caption).key("refusal")
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
}
