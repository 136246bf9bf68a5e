import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The timer of deadlines")
struct DeadlineTimerTests {
    @Test("actions run once, in the order of their times")
    func order() async {
        await withMorePatience(from: .milliseconds(100)) { time in
            let timer = DeadlineTimer()
            defer { timer.end() }
            let ran = Collected<Int>()
            // The last is the earliest; the first to be due is scheduled while the timer waits for a later one.
            let start = Deadline.after(time)
            let deadlines = (0..<50).compactMap { Deadline(boundary: start.nanoseconds + UInt64($0) * 1_000_000) }
            for (index, deadline) in deadlines.enumerated().reversed() { timer.schedule(deadline) { ran.add(index) } }
            // Some may have run before others were scheduled.
            guard !start.hasPassed else { return false }
            #expect(await ran.first(50) == Array(0..<50))
            return true
        }
    }

    @Test("many in random order come out sorted")
    func random() async {
        await withMorePatience(from: .milliseconds(200)) { time in
            var generator = SystemRandomNumberGenerator()
            let timer = DeadlineTimer()
            defer { timer.end() }
            let ran = Collected<UInt64>()
            // All are due at once: the timer runs due actions in order of time once it gets to them.
            let start = Deadline.after(time)
            for _ in 0..<1000 {
                let time = start.nanoseconds + UInt64.random(in: 0..<1000, using: &generator)
                guard let deadline = Deadline(boundary: time) else { continue }
                timer.schedule(deadline) { ran.add(time) }
            }
            // Some may have run before others were scheduled.
            guard !start.hasPassed else { return false }
            let times = await ran.first(1000)
            #expect(times.count == 1000)
            #expect(times == times.sorted())
            return true
        }
    }

    @Test(
        "actions in the far future do not run, and are released at the end",
        arguments: [Duration.seconds(3600), .seconds(Int64.max)])
    func far(duration: Duration) async {
        let timer = DeadlineTimer()
        let ran = Collected<Int>()
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            timer.schedule(.after(duration)) { [kept] in ran.add(kept.text.count) }
        }
        timer.schedule(.after(.zero)) { ran.add(0) }
        #expect(await ran.first(1) == [0])
        #expect(token != nil)
        timer.end()
        #expect(await holds { token == nil })
        #expect(ran.all == [0])
    }

    @Test("actions may schedule actions")
    func nested() async {
        let timer = DeadlineTimer()
        let ran = Collected<Int>()
        @Sendable func step(_ count: Int) {
            ran.add(count)
            if count < 20 { timer.schedule(.after(.microseconds(100))) { step(count + 1) } }
        }
        timer.schedule(.after(.zero)) { step(1) }
        #expect(await ran.first(20) == Array(1...20))
        timer.end()
    }

    @Test("its thread exists before it is needed, because the system may run out of threads")
    func thread() async {
        await #expect(processExitsWith: .success) {
            let timer = DeadlineTimer()
            let hasThread = await holds { threadNames.contains("hslink-timer") }
            exit(withExtendedLifetime(timer) { hasThread } ? 0 : 1)
        }
    }
}

/// The names of this process's threads.
private var threadNames: Set<String> {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return Set(
        threads.compactMap {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?
                .trimmingCharacters(in: .newlines)
        })
}
