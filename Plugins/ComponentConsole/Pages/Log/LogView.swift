import ComponentKit
import HostContract
import PageKit

/// How the log looks.
enum LogView {
    static func log(_ state: LogState) -> some View {
        Stack {
            Stack(.horizontal) {
                for level in LogChoice.allCases {
                    Button(
                        level == .error ? "Errors" : "From \(level.rawValue)",
                        .call("choose", ["level": level.payload]), role: level == state.level ? .primary : .normal
                    ).key(level.rawValue)
                }
            }.key("levels")
            LongTable(
                ["Time (UTC)", "Level", "Component", "Message"], state.lines, most: LogState.most,
                empty: "There are no lines of this level.", key: \.number.description
            ) { line in
                TableRow([
                    line.time.clockText, line.level.oneLine(40), line.component.oneLine(120),
                    line.message.printable(2000),
                ])
            }.key("lines")
            if state.more > 0 { Text("\(state.more) older ones are left out.", style: .caption).key("more") }
        }
    }
}
