import ComponentHost
import ComponentKit
import Foundation
import Testing

@Suite("Work that is requested faster than it runs")
struct MergedRunsTests {
    private struct State {
        var runs = 0
        var isBlocked = true
    }

    /// Waits until the work has begun this many times.
    private static func wait(for runs: Int, _ state: borrowing Lock<State>) async throws {
        for _ in 0..<5000 where state.withLock({ $0.runs }) < runs { try await Task.sleep(for: .milliseconds(2)) }
        #expect(state.withLock { $0.runs } == runs)
    }

    private final class Work: Sendable {
        let state = Lock(State())
    }

    @Test("requests that arrive while the work runs are answered by one more run")
    func merging() async throws {
        let work = Work()
        let merged = MergedRuns(named: "merged-runs") {
            work.state.withLock { $0.runs += 1 }
            while work.state.withLock({ $0.isBlocked }) { usleep(1000) }
        }
        for _ in 0..<100 { merged.request() }
        try await Self.wait(for: 1, work.state)
        for _ in 0..<100 { merged.request() }
        work.state.withLock { $0.isBlocked = false }
        try await Self.wait(for: 2, work.state)
        try await Task.sleep(for: .milliseconds(50))
        #expect(work.state.withLock { $0.runs } == 2)
        merged.request()
        try await Self.wait(for: 3, work.state)
    }
}
