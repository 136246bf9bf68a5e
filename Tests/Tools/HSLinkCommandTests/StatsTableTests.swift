import HostContract
import Testing

@testable import hslink

@Suite("The table of hslink stats")
struct StatsTableTests {
    private static func row(_ calls: Int, _ failures: [String: Int]) -> CounterRow {
        let buckets = [DurationBucket(upTo: 1, calls: calls), DurationBucket(upTo: 1, calls: calls)]
        return CounterRow(
            component: "A", class: "B", selector: "c", calls: calls, failures: failures, inFlight: calls, stuck: calls,
            lateReplies: calls, durations: CallDurations(calls: calls, sum: Double(calls), buckets: buckets))
    }

    @Test("shows whatever numbers a host answers", arguments: [Int.max, .min, 0], [Int.max, .min, 1])
    func numbers(before: Int, now: Int) {
        let rows = [before, now].map { Self.row($0, ["a": $0, "b": $0, "c": .max]) }
        let change = StatsTable.Change(since: [rows[0]], within: .seconds(1))
        let lines = StatsTable([rows[1]], change).lines(on: Terminal())
        #expect(lines.count == 4, "\(lines)")
        #expect(lines[1].contains("B.c") && lines[1].contains("\(now)"), "\(lines)")
        #expect(StatsTable([rows[1]]).lines(on: Terminal()).count == 4)
    }
}
