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
        let log = CollectedLog()
        let host = try host(depth, log)
        let thread = Thread {
            _ = try? host.callAndWait("FixtureLink", "sleep", ["seconds": 0.8])
        }
        thread.start()
        #expect(
            await holds {
                log.lines.all.contains {
                    $0.hasPrefix("FixtureLink.sleep has been running for ")
                        && $0.contains(" ms on the thread ") && $0.hasSuffix(")")
                }
            }, "\(log.lines.all)")
        await host.stop()
        // Once only.
        #expect(log.lines.all.count { $0.hasPrefix("FixtureLink.sleep has ") } == 1)
    }

    @Test("a call that is answered later is reported, and a handler with its event", arguments: Depth.allCases)
    func answersLater(depth: Depth) async throws {
        let log = CollectedLog()
        let host = try host(depth, log)
        async let slept = host.call("FixtureLink", "asyncSleep", ["seconds": 0.8])
        #expect(await holds { log.lines.all.contains { $0.hasPrefix("FixtureLink.asyncSleep has not answered for ") } })
        _ = try await slept
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
        let log = CollectedLog()
        // Longer than a busy machine keeps one of the calls from going on.
        let threshold = TestPatience.limit(.seconds(1))
        let host = try host(depth, log, threshold: threshold)
        let end = ContinuousClock.now + threshold * 1.5
        while ContinuousClock.now < end {
            _ = try host.callAndWait("FixtureLink", "sum", ["a": 1, "b": 2, "c": 3])
        }
        await host.stop()
        #expect(log.lines.all.filter { $0.contains("FixtureLink.sum has") } == [])
    }
}
