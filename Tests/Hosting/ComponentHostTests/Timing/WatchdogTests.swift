import ComponentHost
import ComponentKit
import FixtureContract
import Foundation
import TestSupport
import Testing

@Suite("The report of slow calls")
struct WatchdogTests {
    private func host(
        _ depth: Depth, _ log: CollectedLog, threshold: Duration = .milliseconds(100)
    ) throws -> LinkHost {
        var options = log.options
        options.slowCallThreshold = threshold
        let host = try depth.host(options: options)
        try host.load("FixtureComponent")
        return host
    }

    @Test("a call that holds its thread is reported with its name and the thread", arguments: Depth.allCases)
    func blocking(depth: Depth) async throws {
        // On a busy machine, a call may have ended before the host looks.
        try await withMorePatience(from: .milliseconds(800)) { time in
            let log = CollectedLog()
            let host = try self.host(depth, log)
            Thread.detachNewThread {
                _ = try? host.callAndWait("FixtureLink", "sleep", ["seconds": .double(time / .seconds(1))])
            }
            func reports() -> [String] { log.lines.all.filter { $0.hasPrefix("FixtureLink.sleep has ") } }
            _ = await holds(within: time + .seconds(5)) { !reports().isEmpty }
            await host.stop()
            guard let report = reports().first else { return false }
            #expect(report.hasPrefix("FixtureLink.sleep has been running for "))
            #expect(report.contains(" ms on the thread ") && report.hasSuffix(")"))
            // Once only.
            #expect(reports().count == 1)
            return true
        }
    }

    @Test("a call that is answered later is reported, and a handler with its event", arguments: Depth.allCases)
    func answersLater(depth: Depth) async throws {
        let log = CollectedLog()
        let host = try host(depth, log)
        let call = Task { await answer { try await host.call("FixtureLink", "asyncSleep", ["seconds": 3600]) } }
        #expect(await holds { log.lines.all.contains { $0.hasPrefix("FixtureLink.asyncSleep has not answered for ") } })
        call.cancel()
        #expect(await call.value.error?.code == .cancelled)
        host.events.post(Stalled())
        #expect(
            await holds {
                log.lines.all.contains {
                    $0.hasPrefix("EventLink.hangs, a handler of \(Stalled.eventName), has not answered for ")
                }
            }, "\(log.lines.all)")
        await host.stop(timeout: .zero)
    }

    @Test("many short calls on one thread are not taken for a long one", arguments: Depth.allCases)
    func busy(depth: Depth) async throws {
        // Again with a longer threshold if a busy machine has kept one of the calls from going on, which made it a long one.
        try await withMorePatience(from: TestPatience.limit(.seconds(1))) { threshold in
            let log = CollectedLog()
            let host = try self.host(depth, log, threshold: threshold)
            let end = ContinuousClock.now + threshold * 1.5
            var longest = Duration.zero
            while ContinuousClock.now < end, longest < threshold {
                let start = ContinuousClock.now
                _ = try host.callAndWait("FixtureLink", "sum", ["a": 1, "b": 2, "c": 3])
                longest = max(longest, ContinuousClock.now - start)
            }
            await host.stop()
            guard longest < threshold else { return false }
            #expect(log.lines.all.filter { $0.contains("FixtureLink.sum has") } == [])
            return true
        }
    }
}
