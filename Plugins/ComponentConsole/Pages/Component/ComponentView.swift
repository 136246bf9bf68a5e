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
                card(component, status).key("card")
                if let change = status.change { changing(change, of: component, isAllowed).key("change") }
            } else {
                missing(status.name).key("missing")
            }
        }
    }

    /// The view in place of a component that is not there.
    static func missing(_ name: String) -> Placeholder {
        Placeholder("There is no component \(name.oneLine(120)) now.")
    }

    private static func card(_ component: ComponentRow, _ status: ComponentStatus) -> Card {
        // The title of the page is the name.
        Card(subtitle: subtitle(of: component)) {
            Text(component.stateText.oneLine(200).sentence, style: component.style).key("state")
            if !component.reason.isEmpty { Text(component.reason.printable(2000).sentence).key("reason") }
            if let recovery = component.recovery {
                Text("To recover: \(recovery.printable(2000))").key("recovery")
            }
            if !status.isObserver {
                Grid(columns: 3) {
                    Stat("In flight", "\(component.callsInFlight)").key("in flight")
                    Stat("Stuck", "\(component.stuckCalls)").key("stuck")
                    Stat("Open work", "\(component.openWork)").key("work")
                }.key("figures")
            }
            if let file = component.file { Text(file.oneLine(500), style: .code).key("file") }
            if !status.services.isEmpty { services(status.services).key("services") }
        }
    }

    private static func subtitle(of component: ComponentRow) -> String {
        [component.version, component.layer, component.file == nil ? "linked into the program" : nil]
            .compactMap(\.self).listed()
    }

    private static func services(_ services: [ServiceRow]) -> LongTable {
        LongTable(["Service", "Class", "Used by default", "Reason"], services, most: 50, empty: "", key: \.service) {
            TableRow([
                $0.service.oneLine(), $0.className.oneLine(), $0.isChosen ? "yes" : "no", $0.reason.oneLine(500),
            ])
        }
    }

    private static func changing(
        _ change: ComponentStatus.Change, of component: ComponentRow, _ isAllowed: Bool
    ) -> ViewNode {
        guard isAllowed else { return Text(Permission.changes.refusal, style: .caption).node }
        let title = change == .load ? "Load" : "Try again"
        return Button(title, .call(change.rawValue, ["component": .string(component.name)])).node
    }
}

extension ComponentRow {
    /// How the state is meant.
    fileprivate var style: TextStyle {
        switch state {
        case "running": .success
        case "failed": .failure
        case "shadowed", "disabled", "stopping", "stopped": .warning
        default: .body
        }
    }
}
