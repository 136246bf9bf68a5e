import ComponentHost
import ComponentKit
import Glibc
import Synchronization

/// The rows that are about one call at a time.
struct CallRows {
    let host: LinkHost

    @inline(never)
    static func direct(_ first: Int, _ second: Int, _ third: Int) -> Int { first &+ second &+ third }

    func run() throws -> [Measurement] {
        var rows: [Measurement] = []
        var sink = 0
        rows.append(
            .run("direct call of a function", count: 20_000_000) { count in
                for index in 0..<count { sink &+= CallRows.direct(index, 2, sink) }
            })
        let payload: Payload = ["first": 1, "second": 2, "third": 3]
        let sum = try host.bind("BenchLink", "sum")
        rows.append(
            try .run("bound, prepared payload", count: 2_000_000, target: 60) { count in
                for _ in 0..<count { sink &+= try sum(payload).int() }
            })
        let perCall = try host.bind("BenchPerCall", "sum")
        rows.append(
            try .run("bound, new instance per call", count: 1_000_000) { count in
                for _ in 0..<count { sink &+= try perCall(payload).int() }
            })
        let length = try host.bind("BenchLink", "length")
        let text: Payload = ["text": .string(String(repeating: "x", count: 30))]
        rows.append(
            try .run("bound, 30-byte string read as String", count: 1_000_000) { count in
                for _ in 0..<count { sink &+= try length(text).int() }
            })
        rows.append(
            try .run("named, literal of 3 keys", count: 1_000_000, target: 200) { count in
                for index in 0..<count {
                    sink &+= try host.callAndWait(
                        "BenchLink", "sum", ["first": .int(Int64(index)), "second": 2, "third": 3]
                    ).int()
                }
            })
        let total = Atomic<Int>(0)
        rows.append(
            .run("callback, literal of 3 keys", count: 1_000_000, target: 250) { count in
                for index in 0..<count {
                    host.link.call(
                        "BenchLink", "sum", ["first": .int(Int64(index)), "second": 2, "third": 3]
                    ) { returnValue, performSuccess, classIsLoad in
                        if performSuccess, let value = try? returnValue?.int() {
                            total.add(value, ordering: .relaxed)
                        }
                    }
                }
            })
        rows.append(
            .run("missing class, callback", count: 1_000_000, target: 60) { count in
                for _ in 0..<count {
                    host.link.call("MissingLink", "sum", payload) { _, _, classIsLoad in
                        if classIsLoad { total.add(1, ordering: .relaxed) }
                    }
                }
            })
        rows.append(
            .run("missing selector, callback", count: 1_000_000, target: 60) { count in
                for _ in 0..<count {
                    host.link.call("BenchLink", "missing", payload) { _, performSuccess, _ in
                        if performSuccess { total.add(1, ordering: .relaxed) }
                    }
                }
            })
        rows.append(
            try .run("bound, with a deadline (CPU of the caller)", count: 20_000) { count in
                for _ in 0..<count { sink &+= try sum(payload, timeout: .seconds(10)).int() }
            })
        if sink &+ total.load(ordering: .relaxed) == 1 { print("") }
        return rows
    }

    /// Nothing but calls of one form, for a profiler.
    func profile(_ row: String) throws {
        let sum = try host.bind("BenchLink", "sum")
        let payload: Payload = ["first": 1, "second": 2, "third": 3]
        for index in 0..<10_000_000 {
            switch row {
            case "bound": _ = try sum(payload)
            case "named":
                _ = try host.callAndWait(
                    "BenchLink", "sum", ["first": .int(Int64(index)), "second": 2, "third": 3])
            default: host.link.call("MissingLink", "sum", payload) { _, _, _ in }
            }
        }
    }

    /// The bound row on two threads at once: one payload, one instance.
    func twoThreads() throws -> [Measurement] {
        let sum = try host.bind("BenchLink", "sum")
        let payload: Payload = ["first": 1, "second": 2, "third": 3]
        let times = Lock<[Double]>([])
        let ready = Atomic<Int>(0)
        let body: @Sendable () -> Void = {
            ready.add(1, ordering: .sequentiallyConsistent)
            while ready.load(ordering: .sequentiallyConsistent) < 2 {}
            let row = Measurement.run("", count: 1_000_000) { count in
                for _ in 0..<count { _ = try? sum(payload) }
            }
            times.withLock { $0.append(row.nanoseconds) }
        }
        let first = try BenchThread(body)
        let second = try BenchThread(body)
        first.join()
        second.join()
        let worst = times.withLock { $0.max() ?? 0 }
        return [Measurement(name: "bound, on two threads at once", nanoseconds: worst, allocations: 0)]
    }
}
