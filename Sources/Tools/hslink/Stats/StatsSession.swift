import ComponentKit
import HostContract
import HostControl
import SystemSupport

/// Asks a host for its counters, and shows them.
struct StatsSession: Sendable {
    /// The components and classes to show; empty for all.
    let names: [String]
    let isJSON: Bool

    private static let interval = Duration.seconds(1)

    func show(on client: ControlClient) async throws {
        let answer = try await counters(of: client)
        if isJSON { return try Output.json(answer.json()) }
        let rows = try rows(answer)
        try Output.result(StatsTable(rows).lines(on: Terminal()).joined(separator: "\n"))
        let counted = Set(rows.flatMap { [ExactText($0.component), ExactText($0.class)] })
        for name in names where !counted.contains(ExactText(name)) {
            Output.note("no calls of \(name.quoted()) have been counted")
        }
    }

    func printPrometheusText(of client: ControlClient) async throws {
        let answer = try await client.ask("hslink.Counters", "prometheus")
        let lines = ((try? answer.string("text")) ?? "").split(separator: "\n", omittingEmptySubsequences: true)
        try Output.result(lines.map { String($0).escaped }.joined(separator: "\n"))
    }

    /// Shows the counters each second, until the task is cancelled or the output has lost its reader.
    ///
    /// - Returns: the exit status.
    func watch(on client: ControlClient) async throws -> Int32 {
        let redraws = !isJSON && Terminal.canRedraw
        var last: (rows: [CounterRow], time: ContinuousClock.Instant)?
        let clock = ContinuousClock()
        var due = clock.now
        while !Output.hasLostReader() {
            let answer = try await counters(of: client)
            let now = clock.now
            if isJSON {
                try Output.json(answer.json())
            } else {
                let rows = try rows(answer)
                let change = last.map { StatsTable.Change(since: $0.rows, within: now - $0.time) }
                let lines = StatsTable(rows, change ?? StatsTable.Change(since: rows, within: .zero))
                    .lines(on: Terminal())
                if redraws {
                    try Terminal.draw(lines)
                } else {
                    try Output.result(((last == nil ? [] : [""]) + lines).joined(separator: "\n"))
                }
                last = (rows, now)
            }
            // A slow host must not be asked without a pause.
            due = max(due + StatsSession.interval, now + StatsSession.interval / 2)
            try await clock.sleep(until: due)
        }
        return 0
    }

    /// Returns the host's answer with the wanted rows only.
    private func counters(of client: ControlClient) async throws -> Payload {
        let answer = try await client.ask("hslink.Counters", "all")
        let rows = (try? answer["counters"]?.items()) ?? []
        return ["counters": .array(rows.filter(isWanted))]
    }

    private func isWanted(_ row: Payload) -> Bool {
        guard !names.isEmpty else { return true }
        return ["component", "class"].contains { key in
            (try? row[key]?.string()).map { names.containsExactly($0) } ?? false
        }
    }

    private func rows(_ answer: Payload) throws -> [CounterRow] {
        do throws(PayloadError) {
            return try answer.value(as: CountedMethods.self).counters
        } catch {
            throw ControlError(.malformed, "the host's counters cannot be understood: \(error)")
        }
    }
}
