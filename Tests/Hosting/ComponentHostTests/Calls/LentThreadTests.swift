import ComponentKit
import FixtureContract
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

/// AsksOthers has callbacks that block, or make calls of their own, on the thread of whoever answers.
@Suite("Threads that are lent to callbacks")
struct LentThreadTests {
    /// Calls `body` with a host, and an object that lets callbacks go on.
    private func withAsker(
        _ fixtures: [String] = [], options: HostOptions = .quiet, _ body: (LinkHost, LinkObject) async throws -> Void
    ) async throws {
        try await withPlugins { directory in
            for fixture in fixtures + ["AsksOthers"] { try directory.add(fixture) }
            let host = LinkHost(
                components: [directory.path, try ProductFolder.plugin("FixtureComponent").path],
                includesBuiltIn: false, options: options)
            _ = try await host.call("WhoseLink", "now")
            try await body(host, try await host.value("AsksOthersLink", "object").object())
        }
    }

    private func ask(_ host: LinkHost, _ payload: Payload) async throws {
        _ = try await host.call("AsksOthersLink", "ask", payload, kind: .class)
    }

    @Test("what blocks them counts against the component that made the call, not against the one that answers")
    func blame() async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        try await withAsker(options: options) { host, object in
            for count in 1...2 {
                try await ask(host, ["class": "WhoseLink", "selector": "hold", "mode": "stay"])
                #expect(await holds { try await host.call("WhoseLink", "heldCount") == 1 })
                let task = Task { await answer { try await host.call("WhoseLink", "letGo") } }
                #expect(await holds { try await host.value("AsksOthersLink", "inside") == Payload(count) })
                task.cancel()
                #expect(await task.value.error?.code == .cancelled)
            }
            #expect(await holds { host.info("AsksOthers")?.stuckCalls == 2 })
            #expect(host.info("FixtureComponent")?.stuckCalls == 0)
            #expect(try await host.call("WhoseLink", "now") == "nobody")
            let refused = await answer { try await host.call("AsksOthersLink", "now", kind: .class) }
            #expect(refused.error?.code == .stuck)
            try await onThread { _ = invokeDirectly(object, "release") }
            #expect(await holds { host.info("AsksOthers")?.stuckCalls == 0 })
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    @Test("a callback that sleeps until a call of its own has ended keeps no slot of the component that answers")
    func slot() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 1
        try await withAsker(options: options) { host, _ in
            for _ in 0..<3 { try await ask(host, ["class": "WhoseLink", "selector": "hold", "mode": "call"]) }
            #expect(await holds { try await host.call("WhoseLink", "heldCount") == 3 })
            #expect(try await host.call("WhoseLink", "letGo", timeout: .seconds(300)) == 3)
            #expect(try await host.value("AsksOthersLink", "answered") == 3)
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    @Test("are not those of Swift's tasks, which all tasks of the process share")
    func tasks() async throws {
        try await withAsker { host, _ in
            try await ask(
                host, ["class": "FixtureLink", "selector": "asyncSleep", "payload": ["seconds": 0.01]])
            #expect(await holds { try await host.value("AsksOthersLink", "answered") == 1 })
            // If the task has ended before the call returned, the callback runs on the thread that has made the call.
            let thread = try await host.value("AsksOthersLink", "thread").string()
            #expect(thread.hasPrefix("hslink-"), "\(thread)")
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    @Test("a call that outlives its method ends with the time of a stop, before what the caller requires is stopped")
    func pendingAtStop() async throws {
        try await withAsker(["NeverReplies"]) { host, _ in
            try await ask(
                host, ["class": "NeverRepliesLink", "selector": "run", "kind": "class", "works": true])
            #expect(await holds { try await host.value("NeverRepliesLink", "begun") == 1 })
            var expected = StopReport()
            expected.cancelledCalls = 1
            #expect(await host.stop(timeout: .milliseconds(50)) == expected)
        }
    }

    @Test("a component is not destroyed while the handler of a call that the stop has ended is running")
    func handlerAtStop() async throws {
        try await withPlugins("Blocks") { directory async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let gift = try await host.value("BlocksLink", "gift").object()
            let call = Task { await answer { try await host.call("BlocksLink", "run", kind: .class) } }
            #expect(await holds { try await host.value("BlocksLink", "begun") == 1 })
            var expected = StopReport()
            (expected.cancelledCalls, expected.stillRunning) = (1, ["Blocks"])
            #expect(await host.stop(timeout: .zero) == expected)
            #expect(await call.value.error?.code == .cancelled)
            try await onThread { _ = invokeDirectly(gift, "release") }
        }
    }

    @Test("the handlers of an event that is being delivered when the stop begins are all called")
    func eventAtStop() async throws {
        // The time may pass before the first one begins, or before the next one ends.
        try await withMorePatience(from: .seconds(1)) { timeout in
            var options = HostOptions.quiet
            options.handlerTimeout = timeout
            var isInTime = false
            try await withAsker(options: options) { host, _ in
                async let delivered = host.events.deliver(Stalled())
                let patience = timeout + .seconds(5)
                isInTime = await holds(within: patience) { try await host.call("EventLink", "told") == ["stalled"] }
                async let report = host.stop(timeout: .seconds(300))
                let isRefused = await holds {
                    await answer { try await host.call("WhoseLink", "now") }.error?.code == .stopped
                }
                #expect(isRefused)
                let outcome = await delivered
                #expect(outcome.failures.first?.error.code == .deadlineExceeded)
                isInTime = isInTime && outcome.failures.count == 1 && outcome.handled == 1
                #expect(await report == StopReport())
            }
            return isInTime
        }
    }

    @Test("a handler may stop the host, and does not wait for its own delivery to end")
    func handlerStops() async throws {
        var options = HostOptions.quiet
        options.handlerTimeout = .seconds(60)
        try await withAsker(options: options) { host, _ in
            let reports = Lock([StopReport]())
            host.events.on("a/b", priority: 1) { [host] _ in
                let report = await host.stop(timeout: .seconds(300))
                reports.withLock { $0.append(report) }
            }
            host.events.on("a/b") { _ in }
            let outcome = await host.events.deliver("a/b", .null)
            #expect(outcome.failures.allSatisfy { $0.error.code != .deadlineExceeded })
            // The handler's own call is still open when the stop ends.
            var expected = StopReport()
            expected.cancelledCalls = 1
            // It goes on after its call has ended.
            #expect(await holds { reports.withLock { $0 } == [expected] })
        }
    }
}
