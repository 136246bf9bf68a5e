import ComponentKit
import HostContract
import PageKit

/// What the page with the log shows.
@LinkClass("ConsoleLog")
final class LogPages {
    private let console: ComponentConsole
    private let filters = SessionValues<LogFilter>()

    init(_ context: ComponentContext) throws { console = try context.console }

    /// The last lines of the log, newest first.
    @PageModule("console.log")
    func log(_ context: PageContext) async throws -> some View {
        let lines = try await console.watch.follow(context) { [host = console.host] in
            LogLines(lines: try await host.service().log(after: nil))
        }
        return LogView.log(LogState(lines.lines, filters[] ?? LogFilter()), in: context)
    }

    /// Chooses the lowest level that is shown in the session of the caller.
    @Selector func choose(level: LogChoice) { change { $0.level = level } }

    /// Shows only lines that contain a text, in the session of the caller; all lines without one.
    @Selector func search(text: String? = nil) { change { $0.text = text ?? "" } }

    /// Adds no more lines in the session of the caller.
    @Selector func pause() async throws {
        let last = try await console.host.service().log(after: nil).last?.number ?? 0
        change { $0.last = last }
    }

    /// Shows new lines again in the session of the caller.
    @Selector func resume() { change { $0.last = nil } }

    private func change(_ change: (inout LogFilter) -> Void) {
        var filter = filters[] ?? LogFilter()
        change(&filter)
        filters[] = filter
        console.events.postChosen(.log)
    }
}

/// The lowest level of lines to show.
@Model
enum LogChoice: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning, error

    /// What people read.
    var title: String {
        switch self {
        case .debug: "All"
        case .info: "Info"
        case .warning: "Warnings"
        case .error: "Errors"
        }
    }

    /// Whether a line with this level is shown. A level of another name is never left out.
    func includes(_ level: String) -> Bool {
        guard let other = LogChoice(rawValue: level) else { return true }
        return other.rank >= rank
    }

    private var rank: Int { LogChoice.allCases.firstIndex(of: self) ?? 0 }
}

/// Which lines a person wants to see.
struct LogFilter: Hashable, Sendable {
    var level = LogChoice.info
    /// What the lines contain; empty for all.
    var text = ""
    /// The number of the last line, for a log that is paused.
    var last: Int?

    /// Whether a line has the text that is looked for, in its message or as its component; capitals do not count.
    fileprivate func finds(_ line: LogLine) -> Bool {
        guard !text.isEmpty else { return true }
        let text = text.lowercased().utf8
        return [line.message, line.component].contains { $0.lowercased().utf8.contains(text) }
    }
}

/// The lines that the host keeps.
struct LogLines: WatchedState {
    var lines: [LogLine]
}

/// What the log shows.
struct LogState: Hashable, Sendable {
    /// The lines, newest first.
    var lines: [LogLine]
    /// How many lines there would be with each level.
    var counts: [LogChoice: Int]
    var level: LogChoice
    var text: String
    var isPaused: Bool
    /// How many lines have come since the log was paused.
    var newer: Int

    /// How many lines are shown at first.
    static let most = 200

    init(_ lines: [LogLine], _ filter: LogFilter = LogFilter()) {
        let shown = lines.filter { line in filter.last.map { line.number <= $0 } ?? true }
        let found = shown.filter(filter.finds)
        self.lines = found.filter { filter.level.includes($0.level) }.reversed()
        counts = Dictionary(
            uniqueKeysWithValues: LogChoice.allCases.map { level in (level, found.count { level.includes($0.level) }) })
        (level, text) = (filter.level, filter.text)
        isPaused = filter.last != nil
        newer = lines.count - shown.count
    }
}
