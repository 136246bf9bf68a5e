import ComponentKit
import HostContract
import PageKit

/// How the log looks.
enum LogView {
    static func log(_ state: LogState, in context: PageContext? = nil) -> some View {
        Stack {
            Stack(.horizontal) {
                for level in LogChoice.allCases {
                    // The sign is for those who do not see colours, and for terminals.
                    let title = "\(level == state.level ? "✓ " : "")\(level.title) (\(state.counts[level] ?? 0))"
                    Button(
                        title, .call("choose", ["level": level.payload]),
                        role: level == state.level ? .primary : .normal
                    ).key(level.rawValue)
                }
                if state.isPaused {
                    let new = state.newer == 0 ? "" : " (\(state.newer) new)"
                    Button("Resume\(new)", .call("resume")).key("pause")
                } else {
                    Button("Pause", .call("pause")).key("pause")
                }
            }.key("levels")
            Form("Search", .call("search")) {
                Field(
                    "text", "Search", .text(longest: 200),
                    value: state.text.isEmpty ? .null : .string(state.text.oneLine()))
            }.key("search")
            LongTable(
                ["Time", "Level", "Component", "Message"], state.lines, in: context, most: LogState.most,
                empty: state.text.isEmpty ? "There are no lines of this level." : "No line contains this text.",
                key: \.number.description
            ) { line in
                TableRow([
                    .time(line.time), .badge(line.level.oneLine(40), line.tone), TableCell(line.component.oneLine(120)),
                    TableCell(line.message.printable(2000)),
                ])
            }.key("lines")
        }
    }
}

extension LogLine {
    /// What the level means to an operator.
    fileprivate var tone: Tone {
        switch LogChoice(rawValue: level) {
        case .error: .failure
        case .warning: .warning
        case .info: .accent
        case .debug, nil: .neutral
        }
    }
}
