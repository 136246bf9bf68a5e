import Glibc

/// The maximum duration of a row.
enum Goal {
    /// Nanoseconds per call.
    case nanoseconds(Double)
    /// A multiple of another row, which is measured in the same run.
    case times(Double, String)
    /// Nanoseconds more than another row, which is measured in the same run.
    case above(String, Double)
}

/// Calls of one kind, which are timed together with others or run alone.
struct Row {
    /// Its name on the command line.
    let identifier: String
    let name: String
    /// The number of calls in a pass.
    let count: Int
    let goal: Goal?
    /// The clock of the thread, or of the process if other threads work for the call too.
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
