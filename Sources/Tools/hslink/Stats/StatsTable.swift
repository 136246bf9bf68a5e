import ComponentHost
import HostContract
import SystemSupport

/// The output of `hslink stats`: a row for each method, and below the table with which errors calls have failed.
struct StatsTable {
    /// What has happened between two answers of the host.
    struct Change {
        fileprivate let earlier: [String: CounterRow]
        private let seconds: Double

        init(since rows: [CounterRow], within time: Duration) {
            earlier = Dictionary(firstOf: rows.map { ($0.identity, $0) })
            seconds = time / .seconds(1)
        }

        func rate(_ count: Int) -> Double { seconds > 0 ? Double(count) / seconds : 0 }
    }

    private struct Line {
        let row: CounterRow
        /// The durations to show.
        let durations: DurationHistogram
        /// Calls and failures per second.
        let rates: (calls: Double, failed: Double)
    }

    private let lines: [Line]
    private let hasRates: Bool

    /// - Parameter change: what has happened in the last second; nil to show everything since the host was made.
    init(_ rows: [CounterRow], _ change: Change? = nil) {
        hasRates = change != nil
        let lines = rows.map { row in
            let durations = DurationHistogram(row.durations)
            guard let change else { return Line(row: row, durations: durations, rates: (0, 0)) }
            let earlier = change.earlier[row.identity]
            return Line(
                row: row,
                durations: earlier.map { durations.since(DurationHistogram($0.durations)) } ?? durations,
                // A host may answer any numbers.
                rates: (
                    change.rate(row.calls &- (earlier?.calls ?? 0)), change.rate(row.failed &- (earlier?.failed ?? 0))
                ))
        }
        // The host's order, with the most calls first, stays for those with the same rate.
        self.lines = lines.enumerated().sorted {
            ($1.element.rates.calls, $0.offset) < ($0.element.rates.calls, $1.offset)
        }.map(\.element)
    }

    func lines(on terminal: Terminal) -> [String] {
        var columns: [Column] = [
            Column("COMPONENT", .atEnd) { $0.row.component.isEmpty ? "-" : $0.row.component },
            Column("METHOD", .atEnd) { $0.row.method },
            Column("CALLS") { "\($0.row.calls)" },
        ]
        if hasRates { columns.append(Column("CALLS/S") { StatsTable.rate($0.rates.calls) }) }
        columns.append(Column("FAILED", color: .bad) { StatsTable.count($0.row.failed) })
        if hasRates { columns.append(Column("FAILED/S", color: .bad) { StatsTable.rate($0.rates.failed) }) }
        columns += [
            Column("IN FLIGHT") { StatsTable.count($0.row.inFlight) },
            Column("STUCK", color: .bad) { StatsTable.count($0.row.stuck) },
            Column("LATE", color: .bad) { StatsTable.count($0.row.lateReplies) },
            Column("P50") { StatsTable.quantile(0.5, of: $0.durations) },
            Column("P90") { StatsTable.quantile(0.9, of: $0.durations) },
            Column("P99") { StatsTable.quantile(0.99, of: $0.durations) },
        ]
        let cells = columns.map { $0.cells(of: lines) }
        var table = ListingTable(zip(columns, cells).map { .init(title: $1.title, shortening: $0.shortening) })
        table.rows = lines.indices.map { index in cells.map { $0.cells[index] } }
        let failures = lines.compactMap { StatsTable.failures(of: $0.row) }
        return table.text(on: terminal).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            + (failures.isEmpty ? [] : [""] + failures)
    }

    // MARK: - Columns

    private struct Column {
        let title: String
        let shortening: ListingTable.Shortening
        let color: ListingTable.Color
        let text: (Line) -> String

        init(
            _ title: String, _ shortening: ListingTable.Shortening = .none, color: ListingTable.Color = .none,
            text: @escaping (Line) -> String
        ) {
            self.title = title
            self.shortening = shortening
            self.color = color
            self.text = text
        }

        /// Returns the title and the cells; those of numbers are aligned at their last digit.
        func cells(of lines: [Line]) -> (title: String, cells: [ListingTable.Cell]) {
            let texts = lines.map(text)
            guard shortening == .none else { return (title, texts.map { ListingTable.Cell(text: $0) }) }
            let width = max(title.width, texts.map(\.width).max() ?? 0)
            func aligned(_ text: String) -> String { String(repeating: " ", count: width - text.width) + text }
            return (
                aligned(title),
                texts.map { ListingTable.Cell(text: aligned($0), color: $0 == "-" ? .faint : color) }
            )
        }
    }

    private static func count(_ count: Int) -> String { count == 0 ? "-" : "\(count)" }

    /// A number per second, with one digit after the point if it is small.
    private static func rate(_ rate: Double) -> String {
        guard rate > 0 else { return "-" }
        guard rate < 10 else { return "\(Int(min(rate, 1e15).rounded()))" }
        let tenths = max(Int((rate * 10).rounded()), 1)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func quantile(_ share: Double, of durations: DurationHistogram) -> String {
        durations.quantile(share).map(short) ?? "-"
    }

    /// A bound of a histogram, as in "200 µs".
    static func short(_ duration: Duration) -> String {
        let nanoseconds = Int64(duration / .nanoseconds(1))
        for (unit, size) in [("s", Int64(1_000_000_000)), ("ms", 1_000_000), ("µs", 1000)] where nanoseconds >= size {
            return "\(nanoseconds / size) \(unit)"
        }
        return "\(nanoseconds) ns"
    }

    /// A line with the codes of a method's failures, those with the most first; nil if no call has failed.
    private static func failures(of row: CounterRow) -> String? {
        guard !row.failures.isEmpty else { return nil }
        let texts = row.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        let name = row.class.isEmpty ? "missing classes" : row.method
        return "\(name): \(texts.joined(separator: ", "))".escaped
    }
}

extension CounterRow {
    fileprivate var identity: String { "\(component)\u{0}\(`class`)\u{0}\(selector)\u{0}\(kind)" }

    fileprivate var failed: Int { failures.values.reduce(0, &+) }

    /// The class and the selector, as they are shown.
    fileprivate var method: String {
        guard !`class`.isEmpty else { return "-" }
        return selector.isEmpty ? "\(`class`).-" : "\(`class`).\(selector)"
    }
}
