import ComponentKit
import HostContract
import PageKit

/// What the page with the log shows.
@LinkClass("ConsoleLog")
final class LogPages {
    private let console: ComponentConsole
    /// The lowest level that people want to see.
    private let levels = SessionValues<LogChoice>()

    init(_ context: ComponentContext) throws { console = try context.console }

    /// The last lines of the log, newest first.
    @PageModule("console.log")
    func log(_ context: PageContext) async throws -> some View {
        let lines = try await console.watch.follow(context) { [host = console.host] in
            LogLines(lines: try await host.service().log(after: nil))
        }
        return LogView.log(LogState(lines.lines, from: levels[] ?? .info))
    }

    /// Chooses the lowest level that is shown in the session of the caller.
    @Selector func choose(level: LogChoice) {
        levels[] = level
        console.events.postChosen(.log)
    }
}

/// The lowest level of lines to show.
@Model
enum LogChoice: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning, error

    /// Whether a line with this level is shown. A level of another name is never left out.
    func includes(_ level: String) -> Bool {
        guard let other = LogChoice(rawValue: level) else { return true }
        return other.rank >= rank
    }

    private var rank: Int { LogChoice.allCases.firstIndex(of: self) ?? 0 }
}

/// The lines that the host keeps.
struct LogLines: WatchedState {
    var lines: [LogLine]
}

/// What the log shows.
struct LogState: Hashable, Sendable {
    /// The lines, newest first.
    var lines: [LogLine]
    var level: LogChoice
    /// How many older ones are left out.
    var more: Int

    /// The most lines that are shown.
    static let most = 200

    init(_ lines: [LogLine], from level: LogChoice) {
        let shown = lines.filter { level.includes($0.level) }
        self.lines = shown.suffix(LogState.most).reversed()
        self.level = level
        more = shown.count - self.lines.count
    }
}
