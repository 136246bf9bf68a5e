import ComponentHost
import ComponentKit
import Glibc
import Synchronization

/// Makes ten million calls of several kinds: memory must not grow.
struct MemoryRun {
    let host: LinkHost

    func run(calls: Int) async throws {
        print("\nresident memory over \(calls) calls of a mix, kB")
        let closure = host.link.closure { try $0.int() + 1 }
        let nested: Payload = [
            "text": "some text that is longer than fifteen bytes", "list": [1, 2.5, nil, "x"],
            "map": ["a": ["b": ["c": true]]],
        ]
        let apply: Payload = ["closure": closure, "argument": 1]
        let pair: Payload = ["first": 1, "second": 2]
        let failures = Atomic<Int>(0)
        let blocks = 10
        for block in 0...blocks {
            if block > 0 {
                for round in 0..<(calls / blocks / 100) {
                    for _ in 0..<40 { host.link.call("BenchLink", "echo", nested) { (_: Answer) in } }
                    for _ in 0..<20 { host.link.call("BenchLink", "apply", apply) { (_: Answer) in } }
                    for _ in 0..<20 { host.link.call("BenchLink", "fail") { (_: Answer) in } }
                    for _ in 0..<10 {
                        host.link.call("BenchLink", "makeCounter") { (answer: Answer) in
                            if (try? answer.returnValue?.object()) == nil { failures.add(1, ordering: .relaxed) }
                        }
                    }
                    for _ in 0..<9 {
                        if try await host.call("BenchLink", "asyncSum", pair).int() != 3 {
                            failures.add(1, ordering: .relaxed)
                        }
                    }
                    if round % 10 == 0 {
                        _ = try? await host.call("BenchLink", "later", pair, timeout: .nanoseconds(1))
                    } else {
                        _ = try await host.call("BenchLink", "later", pair)
                    }
                }
            }
            print("\(pad("\(block * calls / blocks) calls", 20)) \(residentMemory())")
        }
        print("answers that were not as expected: \(failures.load(ordering: .relaxed))")
    }
}
