import ComponentHost
import ComponentKit
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Many threads at once")
struct ConcurrencyTests {
    @Test(
        "eight threads of ten thousand calls, stopped in the middle: one callback each",
        arguments: Depth.allCases, [nil, Duration.seconds(300)])
    func stoppedInTheMiddle(depth: Depth, timeout: Duration?) async throws {
        let host = try depth.host()
        let (threads, calls) = (8, timeout == nil ? 10_000 : 1_000)
        let outcomes = Outcomes(count: threads * calls)
        let running = Atomic<Int>(threads)
        for thread in 0..<threads {
            Thread.detachNewThread {
                for call in 0..<calls {
                    let number = thread * calls + call
                    let selector = ["sum", "echo", "asyncSum", "count"][number % 4]
                    host.link.call("FixtureLink", selector, ["a": 1, "b": 2, "c": 3], timeout: timeout) {
                        outcomes.add(number, $0)
                    }
                }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        #expect(await holds { outcomes.performed > threads * calls / 8 })
        let report = await host.stop(timeout: .seconds(120))
        #expect(report == StopReport())
        #expect(await holds { running.load(ordering: .sequentiallyConsistent) == 0 })
        #expect(await holds { outcomes.isComplete })
        #expect(outcomes.codes.isSubset(of: [.stopped]))
        #expect(outcomes.repeated == 0)
    }

    @Test("the first calls of many threads load once", arguments: Depth.allCases)
    func firstCalls(depth: Depth) async throws {
        for _ in 0..<20 {
            let host = try depth.host()
            let values = Collected<Int>()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        let answer = await CallForm.blocking.perform(host, "count")
                        values.add((try? answer.returnValue?.int()) ?? 0)
                    }
                }
            }
            #expect(values.all.sorted() == Array(1...16))
            await host.stop()
        }
    }

    @Test("deadline, cancellation and reply race: every call ends once", arguments: Depth.allCases)
    func races(depth: Depth) async throws {
        let host = try depth.host()
        let ended = Collected<Int>()
        let unexpected = Collected<LinkError.Code>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let task = Task {
                        await CallForm.async.perform(
                            host, number.isMultiple(of: 2) ? "keep" : "asyncSleep", ["seconds": 0.0005],
                            timeout: .microseconds(500 + number))
                    }
                    if number.isMultiple(of: 3) { task.cancel() }
                    if number.isMultiple(of: 5) { _ = await CallForm.async.perform(host, "answerKept") }
                    let code = await task.value.error?.code
                    if let code, code != .cancelled, code != .deadlineExceeded { unexpected.add(code) }
                    ended.add(number)
                }
            }
        }
        #expect(ended.all.sorted() == Array(0..<2000))
        #expect(unexpected.all == [])
        #expect(await host.stop(timeout: .seconds(300)) == StopReport())
    }

    @Test("rescans while calls run", arguments: Depth.allCases)
    func rescan(depth: Depth) async throws {
        let host = try depth.host()
        let failures = Collected<LinkError.Code>()
        let isOver = Atomic<Bool>(false)
        let running = Atomic<Int>(4)
        for _ in 0..<4 {
            Thread.detachNewThread {
                while !isOver.load(ordering: .relaxed) {
                    do throws(LinkError) {
                        _ = try host.callAndWait("FixtureLink", "count")
                        _ = try host.bind("FixturePerCall", "count")(.null)
                    } catch {
                        failures.add(error.code)
                    }
                }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        #expect(await holds { host.isLoaded("FixtureLink") })
        let count = try await host.call("FixtureLink", "count").int()
        for _ in 0..<TestLength.rounds(10, long: 30) { host.rescan() }
        isOver.store(true, ordering: .relaxed)
        #expect(await holds { running.load(ordering: .sequentiallyConsistent) == 0 })
        #expect(failures.all == [])
        // The same instance as before.
        #expect(try await host.call("FixtureLink", "count").int() > count)
        await host.stop()
    }
}

/// Counts one answer for each number.
final class Outcomes: Sendable {
    private struct State {
        var seen: [Bool]
        var repeated = 0
        var performed = 0
        var remaining: Int
        var codes: Set<LinkError.Code> = []
    }

    private let state: Lock<State>

    init(count: Int) { state = Lock(State(seen: Array(repeating: false, count: count), remaining: count)) }

    func add(_ number: Int, _ answer: Answer) {
        state.withLock { state in
            if state.seen[number] { state.repeated += 1 } else { state.remaining -= 1 }
            state.seen[number] = true
            if let code = answer.error?.code { state.codes.insert(code) } else { state.performed += 1 }
        }
    }

    var isComplete: Bool { state.withLock { $0.remaining == 0 } }
    var repeated: Int { state.withLock { $0.repeated } }
    var performed: Int { state.withLock { $0.performed } }
    var codes: Set<LinkError.Code> { state.withLock { $0.codes } }
}
