import ComponentKit
import HostContract
import PageKit

/// How the state of a component looks.
enum ComponentView {
    /// The state.
    ///
    /// - Parameter isAllowed: whether people may load and retry components.
    static func status(_ status: ComponentStatus, isAllowed: Bool) -> some View {
        Stack {
            if let component = status.component {
                head(component, status, isAllowed: isAllowed).key("head")
                if !component.reason.isEmpty {
                    Text(component.reason.printable(2000).sentence, style: component.reasonStyle).key("reason")
                }
                if let recovery = component.recovery {
                    Text("What to do: \(recovery.printable(2000).sentence)").key("recovery")
                }
                if !status.isObserver { figures(component).key("figures") }
                if !status.services.isEmpty { services(status.services).key("services") }
                if let file = component.file { Text(file.oneLine(500), style: .caption).key("file") }
                if status.change != nil, !isAllowed {
                    Text(Permission.changes.refusal, style: .caption).key("refusal")
                }
            } else {
                missing(status.name).key("missing")
            }
        }
    }

    /// The view in place of a component that is not there.
    static func missing(_ name: String) -> Placeholder {
        Placeholder("There is no component \(name.oneLine(120)) now.")
    }

    /// The state, what it is, and what can be done about it, in one line. The title of the page is the name.
    private static func head(_ component: ComponentRow, _ status: ComponentStatus, isAllowed: Bool) -> Stack {
        Stack(.horizontal) {
            Badge(component.stateText.oneLine(200), component.tone).key("state")
            Text(subtitle(of: component), style: .caption).key("subtitle")
            if isAllowed, let change = status.change {
                Button(change.title, .call(change.rawValue, ["component": .string(component.name)])).key("change")
            }
        }
    }

    private static func figures(_ component: ComponentRow) -> Grid {
        let stuck: Tone = component.stuckCalls > 0 ? .warning : .neutral
        return Grid(columns: 3) {
            Stat("Calls in flight", "\(component.callsInFlight)").key("in flight")
            Stat("Stuck calls", "\(component.stuckCalls)", tone: stuck).key("stuck")
            Stat("Open work", "\(component.openWork)").key("work")
        }
    }

    private static func subtitle(of component: ComponentRow) -> String {
        [
            "version \(component.version)", component.layer.map { "layer \($0.asWords)" },
            component.file == nil ? "linked into the program" : nil,
        ].compactMap(\.self).listed()
    }

    private static func services(_ services: [ServiceRow]) -> LongTable {
        LongTable(["Provides", "Class", "Chosen", "Reason"], services, most: 50, empty: "", key: \.service) {
            TableRow([
                .code($0.service.oneLine()), .code($0.className.oneLine()), $0.isChosen ? "by default" : "",
                TableCell($0.reason.oneLine(500)),
            ])
        }
    }
}

extension ComponentStatus.Change {
    fileprivate var title: String {
        switch self {
        case .load: "Load"
        case .retry: "Try again"
        }
    }
}

extension ComponentRow {
    /// How the reason is meant.
    fileprivate var reasonStyle: TextStyle {
        switch state {
        case "failed": .failure
        case "shadowed", "disabled", "stopping", "stopped": .warning
        default: .body
        }
    }
}
