import ComponentHost
import ComponentKit
import Glibc
import Synchronization

/// The rows for one call at a time, on the calling thread.
struct CallRows: Sendable {
    let host: LinkHost
    /// nil if it was not compiled.
    let baseline: Baseline?

    @inline(never)
    static func direct(_ first: Int, _ second: Int, _ third: Int) -> Int { first &+ second &+ third }

    /// The arguments for both sides: a short text, a number and a Boolean.
    static let payload: Payload = ["name": "Ada", "limit": 10, "active": true]

    /// Rows that belong together are measured together.
    func groups() throws -> [[Row]] {
        try [bound(), named(), missing(), others()]
    }

    private func yardstick(_ function: String, _ name: String) throws -> [Row] {
        guard let baseline else { return [] }
        return [try baseline.row(function, name)]
    }

    private func bound() throws -> [Row] {
        let payload = CallRows.payload
        let mixed = try host.bind("BenchLink", "mixed")
        return try yardstick("bound", Baseline.bound) + [
            Row("bound", CallRows.bound, count: 1_000_000, goal: .times(0.75, Baseline.bound)) { count in
                for _ in 0..<count { _ = try mixed(payload) }
            }
        ]
    }

    private func named() throws -> [Row] {
        let payload = CallRows.payload
        return try yardstick("named", Baseline.named) + yardstick("built", Baseline.built) + [
            Row("named", "by name, prepared payload", count: 1_000_000, goal: .times(1, Baseline.named)) { count in
                for _ in 0..<count { _ = try host.callAndWait("BenchLink", "mixed", payload) }
            },
            Row("perform", "by target and action", count: 1_000_000, goal: .nanoseconds(200)) { count in
                for _ in 0..<count { _ = try host.performAndWait(target: "Bench", action: "mixed", payload) }
            },
            Row("built", CallRows.built, count: 1_000_000, goal: .times(0.85, Baseline.built)) { count in
                for index in 0..<count {
                    _ = try host.callAndWait(
                        "BenchLink", "mixed", ["name": "Ada", "limit": .int(Int64(index)), "active": true])
                }
            },
            Row("callback", "the same with a callback", count: 1_000_000, goal: .times(1.5, CallRows.built)) { count in
                for index in 0..<count {
                    host.link.call(
                        "BenchLink", "mixed", ["name": "Ada", "limit": .int(Int64(index)), "active": true]
                    ) { _, performSuccess, _ in
                        if !performSuccess { CallRows.unexpected.add(1, ordering: .relaxed) }
                    }
                }
            },
        ]
    }

    static let bound = "bound, prepared payload"
    private static let built = "by name, literal built per call"
    /// The number of wrong answers.
    static let unexpected = Atomic<Int>(0)

    private func missing() throws -> [Row] {
        let payload = CallRows.payload
        let goal = Goal.times(2.5, Baseline.missingClass)
        return try yardstick("missing_class", Baseline.missingClass)
            + yardstick("missing_selector", Baseline.missingSelector) + [
                Row("missing-class", "missing class, callback", count: 1_000_000, goal: goal) { count in
                    for _ in 0..<count {
                        host.link.call("MissingLink", "mixed", payload) { _, _, classIsLoad in
                            if classIsLoad { CallRows.unexpected.add(1, ordering: .relaxed) }
                        }
                    }
                },
                Row("missing-selector", "missing selector, callback", count: 1_000_000, goal: goal) { count in
                    for _ in 0..<count {
                        host.link.call("BenchLink", "missing", payload) { _, performSuccess, _ in
                            if performSuccess { CallRows.unexpected.add(1, ordering: .relaxed) }
                        }
                    }
                },
            ]
    }

    private func others() throws -> [Row] {
        let three: Payload = ["first": 1, "second": 2, "third": 3]
        let sum = try host.bind("BenchLink", "sum")
        let perCall = try host.bind("BenchPerCall", "sum")
        let length = try host.bind("BenchLink", "length")
        let text: Payload = ["text": .string(String(repeating: "x", count: 30))]
        return [
            Row("direct", "direct call of a function", count: 10_000_000) { count in
                var sum = 0
                for index in 0..<count { sum &+= CallRows.direct(index, 2, sum) }
                if sum == 1 { print("") }
            },
            Row("sum", "bound, three numbers", count: 1_000_000, goal: .nanoseconds(60)) { count in
                for _ in 0..<count { _ = try sum(three) }
            },
            Row("sum-built", "by name, three numbers built per call", count: 1_000_000, goal: .nanoseconds(200)) {
                count in
                for index in 0..<count {
                    _ = try host.callAndWait(
                        "BenchLink", "sum", ["first": .int(Int64(index)), "second": 2, "third": 3])
                }
            },
            Row("literal", "the literal of three numbers alone", count: 1_000_000) { count in
                for index in 0..<count {
                    CallRows.take(["first": .int(Int64(index)), "second": 2, "third": 3])
                }
            },
            Row("per-call", "bound, new instance per call", count: 1_000_000) { count in
                for _ in 0..<count { _ = try perCall(three) }
            },
            Row("counters", "the counters of all methods, read", count: 1000) { count in
                for _ in 0..<count { if host.counters.isEmpty { CallRows.unexpected.add(1, ordering: .relaxed) } }
            },
            Row("length", "bound, 30-byte string read as String", count: 1_000_000) { count in
                for _ in 0..<count { _ = try length(text) }
            },
            Row(
                "deadline", "bound, with a deadline (CPU of the process)", count: 20_000, goal: .nanoseconds(4000),
                clock: CLOCK_PROCESS_CPUTIME_ID
            ) { count in
                for _ in 0..<count { _ = try sum(three, timeout: .seconds(10)) }
            },
        ]
    }

    @inline(never)
    private static func take(_ payload: Payload) { if payload.isNull { unexpected.add(1, ordering: .relaxed) } }

    /// The bound row on two threads at once: one payload, one instance.
    ///
    /// - Parameter bound: The measurement on one thread.
    func twoThreads(bound: Double) throws -> Measurement {
        let mixed = try host.bind("BenchLink", "mixed")
        let payload = CallRows.payload
        let times = Lock<[Double]>([])
        let ready = Atomic<Int>(0)
        let body: @Sendable () -> Void = {
            ready.add(1, ordering: .sequentiallyConsistent)
            while ready.load(ordering: .sequentiallyConsistent) < 2 {}
            let row = Measurement.run("", count: 1_000_000) { count in
                for _ in 0..<count { _ = try? mixed(payload) }
            }
            times.withLock { $0.append(row.nanoseconds) }
        }
        let first = try BenchThread(body)
        let second = try BenchThread(body)
        first.join()
        second.join()
        let worst = times.withLock { $0.max() ?? 0 }
        var row = Measurement("bound, on two threads at once", [Pass(nanoseconds: worst, allocations: .nan)])
        row.target = bound * 1.5
        row.yardstick = (1.5, "one thread", bound)
        return row
    }
}
