import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Work that is requested faster than it runs")
struct MergedRunsTests {
    private struct State {
        var runs = 0
        var isBlocked = true
    }

    /// Waits until the work has begun this many times.
    private static func wait(for runs: Int, _ work: Work) async {
        #expect(await holds { work.state.withLock { $0.runs } == runs })
    }

    private final class Work: Sendable {
        let state = Lock(State())
    }

    @Test("requests that arrive while the work runs are answered by one more run")
    func merging() async {
        let work = Work()
        let merged = MergedRuns(named: "merged-runs") {
            work.state.withLock { $0.runs += 1 }
            while work.state.withLock({ $0.isBlocked }) { usleep(1000) }
        }
        for _ in 0..<100 { merged.request() }
        await Self.wait(for: 1, work)
        for _ in 0..<100 { merged.request() }
        work.state.withLock { $0.isBlocked = false }
        await Self.wait(for: 2, work)
        // More runs than requested would be more than these three.
        merged.request()
        await Self.wait(for: 3, work)
    }
}
