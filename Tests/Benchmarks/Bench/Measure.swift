import CAllocations
import Glibc

/// One row of the result: CPU time and allocations of the calling thread for each call.
struct Measurement {
    var name: String
    var nanoseconds: Double
    /// NaN if allocations are not counted.
    var allocations: Double
    /// The goal of the row.
    var target: Double?
    /// The row and the factor of a relative goal, as in "C++, bound".
    var yardstick: (factor: Double, name: String, nanoseconds: Double)?

    /// Runs `body` for `count` calls in each of seven passes, after one that does not count.
    ///
    /// - Returns: The median pass.
    static func run(
        _ name: String, count: Int, target: Double? = nil, _ body: (Int) throws -> Void
    ) rethrows -> Measurement {
        try body(max(count / 10, 1))
        var passes: [Pass] = []
        for _ in 0..<passCount { passes.append(try Pass.run(count, CLOCK_THREAD_CPUTIME_ID, body)) }
        return Measurement(name, passes, target: target)
    }

    /// Runs rows side by side: every pass runs each row once, so that a temporary load of the machine affects all rows.
    ///
    /// - Returns: The median pass of each row; the goals of rows refer to these.
    static func run(_ rows: [Row]) throws -> [Measurement] {
        for row in rows { try row.body(max(row.count / 10, 1)) }
        var passes = rows.map { _ in [Pass]() }
        for _ in 0..<passCount {
            for (index, row) in rows.enumerated() {
                passes[index].append(try Pass.run(row.count, row.clock, row.body))
            }
        }
        return zip(rows, passes).map { Measurement($0.name, $1) }.reaching(rows.map(\.goal))
    }

    static let passCount = 7
}

extension Measurement {
    init(_ name: String, _ passes: [Pass], target: Double? = nil) {
        let times = passes.map(\.nanoseconds).sorted()
        self.init(
            name: name, nanoseconds: times[times.count / 2], allocations: passes.last?.allocations ?? .nan,
            target: target)
    }
}

/// The average cost of consecutive calls.
struct Pass {
    var nanoseconds: Double
    var allocations: Double

    /// - Parameter clock: The clock of the thread, or of the process if other threads work for the call too.
    ///   Allocations are those of the calling thread.
    static func run(_ count: Int, _ clock: clockid_t, _ body: (Int) throws -> Void) rethrows -> Pass {
        let allocationsBefore = allocations_of_this_thread()
        let before = cpuTime(clock)
        try body(count)
        let time = cpuTime(clock) - before
        let allocations =
            clock == CLOCK_THREAD_CPUTIME_ID
            ? Double(allocations_of_this_thread() - allocationsBefore) / Double(count) : .nan
        return Pass(nanoseconds: Double(time) / Double(count), allocations: allocations)
    }
}

extension [Measurement] {
    /// Returns the same rows with their goals, some of which are multiples of other rows.
    func reaching(_ goals: [Goal?]) -> [Measurement] {
        zip(self, goals).map { row, goal in
            var row = row
            switch goal {
            case nil: break
            case .nanoseconds(let target): row.target = target
            case .times(let factor, let name):
                guard let base = first(where: { $0.name == name }) else { break }
                row.target = base.nanoseconds * factor
                row.yardstick = (factor, name, base.nanoseconds)
            case .above(let name, let nanoseconds):
                row.target = first { $0.name == name }.map { $0.nanoseconds + nanoseconds }
            }
            return row
        }
    }
}

/// Returns the nanoseconds of a clock.
func cpuTime(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// The resident memory of the process in kB.
func residentMemory() -> Int {
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard unsafe fgets(&line, 128, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
}
