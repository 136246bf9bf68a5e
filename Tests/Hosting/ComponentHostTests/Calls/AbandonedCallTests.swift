import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Calls that ended while their methods are still running")
struct AbandonedCallTests {
    @Test("cancelled calls count until they return, and at the limit the component is stuck", arguments: Depth.allCases)
    func cancelled(depth: Depth) async throws {
        let log = CollectedLog()
        var options = log.options
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = valve.closure(host.link)
        _ = try await host.call("FixtureLink", "nothing")
        for count in 1...2 {
            let task = Task { await answer { try await host.call("FixtureLink", "apply", ["closure": closure]) } }
            #expect(await holds { valve.arrivals == count })
            task.cancel()
            #expect(await task.value.error?.code == .cancelled)
            #expect(try host.fixture.stuckCalls == count)
            #expect(try host.fixture.callsInFlight == 0)
        }
        // They count once they have been running for a moment.
        let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
        #expect(await holds { limiter.isStuck })
        for form in CallForm.allCases { #expect(await form.perform(host, "nothing").error?.code == .stuck) }
        #expect(await holds { log.lines.all.contains { $0.contains("it is stuck: 2 or more threads are still") } })
        valve.open()
        #expect(await holds { (try? host.fixture.stuckCalls) == 0 })
        #expect(await CallForm.async.perform(host, "nothing").returnValue == .null)
        #expect(await holds { log.lines.all.contains { $0.contains("it has recovered and accepts calls again") } })
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test(
        "impatient callers do not make a component stuck whose methods are about to return", arguments: Depth.allCases)
    func impatient(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 2
        options.stuckPatience = .seconds(300)
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = valve.closure(host.link)
        _ = try await host.call("FixtureLink", "nothing")
        for count in 1...4 {
            let task = Task { await answer { try await host.call("FixtureLink", "apply", ["closure": closure]) } }
            #expect(await holds { valve.arrivals == count })
            task.cancel()
            #expect(await task.value.error?.code == .cancelled)
        }
        // Longer than many methods take.
        try await Task.sleep(for: .milliseconds(200))
        #expect(try host.fixture.stuckCalls == 4)
        for form in CallForm.allCases { #expect(await form.perform(host, "nothing").returnValue == .null) }
        valve.open()
        #expect(await host.stop(timeout: .seconds(300)) == StopReport())
    }

    @Test("a component whose methods reply and then hang gets stuck")
    func staying() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        // A limit above the number of slots would never be reached.
        options.stuckLimit = 16
        try await withHost(["Hangs"], options: options) { host, _ async throws in
            for _ in 0..<2 {
                #expect(try await host.call("HangsLink", "stay", kind: .class, timeout: .seconds(300)) == true)
            }
            #expect(await holds { host.info("Hangs")?.stuckCalls == 2 })
            let answer = await answer { try await host.call("HangsLink", "stay", kind: .class) }
            #expect(answer.error?.code == .stuck)
            #expect(await host.blockingCall("HangsLink", "inside").error?.code == .stuck)
            try await stopHanging(host)
        }
    }

    @Test("calls that wait behind stuck calls are refused")
    func waitingBehind() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        options.stuckLimit = 2
        try await withHost(["Hangs"], options: options) { host, _ async throws in
            let hanging = (0..<2).map { _ in
                Task { await answer { try await host.call("HangsLink", "hang", kind: .class) } }
            }
            #expect(await holds { try await host.value("HangsLink", "inside") == 2 })
            let waiting = (0..<3).map { _ in
                Task { await answer { try await host.call("HangsLink", "hang", kind: .class) } }
            }
            #expect(await holds { host.info("Hangs")?.callsInFlight == 5 })
            for task in hanging { task.cancel() }
            for task in waiting { #expect(await task.value.error?.code == .stuck) }
            try await stopHanging(host)
        }
    }

    /// Stops a host whose component hangs.
    private func stopHanging(_ host: LinkHost) async throws {
        #expect(await host.stop(timeout: .zero).stillRunning == ["Hangs"])
    }

    @Test("hung objects of one component do not stop those of another")
    func objects() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        options.stuckLimit = 2
        try await withHost(["Hangs", "CGood"], options: options) { host, _ async throws in
            let hanging = try await host.value("HangsLink", "makeHanging").object()
            let counter = try await host.value("CGoodLink", "makeCounter").object()
            let limiter = try #require(host.core.registry.unit(named: "Hangs")?.limiter)
            // Those whose deadline passes before they begin do not hang.
            let isStuck = await holds {
                let calls = (0..<4).map { _ in
                    Task { await answer { try await host.link.call(hanging, "hang", timeout: .milliseconds(100)) } }
                }
                for call in calls { #expect([.deadlineExceeded, .stuck].contains(await call.value.error?.code)) }
                return limiter.isStuck
            }
            #expect(isStuck)
            // Calls to another component have their own slots.
            #expect(try await host.link.call(counter, "increment", timeout: .seconds(300)) == 1)
            // Calls to the same component are refused.
            let refused = await answer { try await host.link.call(hanging, "now", timeout: .seconds(300)) }
            #expect(refused.error?.code == .stuck)
            #expect(host.info("Hangs")?.stuckCalls == 2)
            #expect(await host.blockingCall("HangsLink", "inside").error?.code == .stuck)
            let alsoRefused = await ComponentHostTests.answer { try await onThread { try hanging.callAndWait("now") } }
            #expect(alsoRefused.error?.code == .stuck)
            try await onThread { _ = invokeDirectly(hanging, "release") }
            #expect(
                await holds {
                    (try? await host.link.call(hanging, "now", timeout: .seconds(300))) == true
                })
        }
    }

    @Test("calls to objects of a Swift component count against it", arguments: Depth.allCases)
    func swiftObjects(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 1
        options.stuckPatience = .milliseconds(50)
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = try await host.call("FixtureLink", "passing", ["closure": valve.closure(host.link)]).object()
        let call = Task { await answer { try await host.link.call(closure) } }
        #expect(await holds { valve.arrivals == 1 })
        call.cancel()
        #expect(await call.value.error?.code == .cancelled)
        #expect(try host.fixture.stuckCalls == 1)
        let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
        #expect(await holds { limiter.isStuck })
        #expect(await CallForm.async.perform(host, "nothing").error?.code == .stuck)
        valve.open()
        #expect(await holds { (try? host.fixture.stuckCalls) == 0 })
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("deadlines end calls even when no thread is left for methods")
    func fullPool() async throws {
        var options = HostOptions.quiet
        options.threadLimit = 3
        try await withHost(["Hangs", "CGood"], options: options) { host, _ async throws in
            _ = try await host.value("CGoodLink", "state")
            let hanging = (0..<3).map { _ in
                Task { await answer { try await host.call("HangsLink", "hang", kind: .class) } }
            }
            #expect(await holds { try await host.value("HangsLink", "inside") == 3 })
            for form in CallForm.allCases {
                let answer = await form.perform(
                    host, "count", className: "CGoodLink", timeout: .milliseconds(20))
                #expect(answer.error?.code == .deadlineExceeded)
            }
            _ = try await host.value("HangsLink", "release")
            for call in hanging { #expect(await call.value.returnValue == true) }
        }
    }

    @Test("calls that wait for calls of their own component do not wait for one another", arguments: Depth.allCases)
    func nested(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 4
        let host = try depth.host(options: options)
        let arguments: Payload = ["depth": 3, "timeout": 300]
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await answer { try await host.call("FixtureLink", "nest", arguments, timeout: .seconds(300)) }
                }
            }
            for await answer in group { #expect(answer.returnValue == 3) }
        }
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test(
        "waiting calls leave threads to the calls they wait for, however few there are",
        .timeLimit(.minutes(2 * TestPatience.factor)),
        arguments: Depth.allCases)
    func fewThreads(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.threadLimit = 4
        let host = try depth.host(options: options)
        let arguments: Payload = ["depth": 5, "timeout": 300]
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    await answer { try await host.call("FixtureLink", "nest", arguments, timeout: .seconds(300)) }
                }
            }
            for await answer in group { #expect(answer.returnValue == 5) }
        }
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("many calls that wait for their turn can be cancelled", arguments: Depth.allCases)
    func manyWaiting(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 1
        let host = try depth.host(options: options)
        let valve = Valve()
        let arguments: Payload = ["closure": valve.closure(host.link)]
        let first = Task { await answer { try await host.call("FixtureLink", "apply", arguments) } }
        #expect(await holds { valve.arrivals == 1 })
        let answers = Collected<LinkError.Code?>()
        let count = TestLength.rounds(5000, long: 20_000)
        for _ in 0..<count {
            host.link.call("FixtureLink", "count", timeout: .milliseconds(1)) { answers.add($0.error?.code) }
        }
        #expect(await answers.first(count).allSatisfy { $0 == .deadlineExceeded })
        valve.open()
        #expect(await first.value.returnValue == "passed")
        #expect(try await host.call("FixtureLink", "count") == 1)
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }
}
