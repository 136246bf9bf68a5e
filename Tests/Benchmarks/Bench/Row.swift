import Glibc

/// How long a row may take.
enum Goal {
    /// Nanoseconds a call.
    case nanoseconds(Double)
    /// As many times what the row of this name takes, which is measured beside it.
    case times(Double, String)
}

/// Calls of one kind, which are timed beside others or run alone.
struct Row {
    /// What the command line calls it.
    let identifier: String
    let name: String
    /// How many calls a pass makes.
    let count: Int
    let goal: Goal?
    /// Of the thread, or of the process where others work for the call too.
    let clock: clockid_t
    /// Makes as many calls.
    let body: (Int) throws -> Void

    init(
        _ identifier: String, _ name: String, count: Int, goal: Goal? = nil,
        clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, _ body: @escaping (Int) throws -> Void
    ) {
        self.identifier = identifier
        self.name = name
        self.count = count
        self.goal = goal
        self.clock = clock
        self.body = body
    }
}

/// Calls that are awaited, timed in the CPU time of the whole process.
struct AwaitedRow {
    let identifier: String
    let name: String
    let count: Int
    let goal: Goal?
    /// Makes as many calls.
    let body: @Sendable (Int) async throws -> Void

    init(
        _ identifier: String, _ name: String, count: Int, goal: Goal? = nil,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) {
        self.identifier = identifier
        self.name = name
        self.count = count
        self.goal = goal
        self.body = body
    }

    /// Runs rows side by side, as ``Measurement/run(_:)-([Row])`` does.
    static func run(_ rows: [AwaitedRow]) async throws -> [Measurement] {
        for row in rows { try await row.body(max(row.count / 10, 1)) }
        var passes = rows.map { _ in [Pass]() }
        for _ in 0..<Measurement.passCount {
            for (index, row) in rows.enumerated() {
                let before = cpuTime(CLOCK_PROCESS_CPUTIME_ID)
                try await row.body(row.count)
                let time = Double(cpuTime(CLOCK_PROCESS_CPUTIME_ID) - before) / Double(row.count)
                passes[index].append(Pass(nanoseconds: time, allocations: .nan))
            }
        }
        return zip(rows, passes).map { Measurement($0.name, $1) }.reaching(rows.map(\.goal))
    }
}
