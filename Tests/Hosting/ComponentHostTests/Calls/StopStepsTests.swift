import ComponentKit
import Foundation
import Logging
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The two steps of a stop")
struct StopStepsTests {
    @Test("a call in flight may call other components, even one that is not loaded yet", arguments: Depth.allCases)
    func othersGoOn(depth: Depth) async throws {
        try await withPlugins("CGood", "CxxGood") { directory async throws in
            if depth == .file { try directory.add("FixtureComponent") }
            let host = LinkHost(
                components: [directory.path], includesBuiltIn: depth == .builtIn, provides: [], options: .quiet)
            _ = try await host.value("CGoodLink", "state")
            let valve = Valve()
            let call: Payload = [
                "class": "CGoodLink", "selector": "sum", "kind": "class", "payload": ["a": 40, "b": 2],
            ]
            let echo: Payload = ["class": "CxxGoodLink", "selector": "echo", "kind": "class", "payload": 7]
            let closure = host.link.closure { _ -> Payload in
                valve.pass()
                return [
                    try host.callAndWait("FixtureLink", "callOther", call),
                    try host.callAndWait("FixtureLink", "callOther", echo),
                ]
            }
            async let answer = CallForm.blocking.perform(host, "apply", ["closure": closure])
            #expect(await holds { valve.arrivals == 1 })
            async let report = host.stop(timeout: .seconds(300))
            // Components close one after the other.
            #expect(await holds { !host.isLoaded("CGoodLink") && !host.isLoaded("FixtureLink") })
            // New calls from outside are refused.
            for form in CallForm.allCases {
                #expect(await form.perform(host, "nothing").error?.code == .stopped)
            }
            #expect(await host.blockingCall("CGoodLink", "sum", ["a": 1, "b": 1]).error?.code == .stopped)
            valve.open()
            #expect(await answer.returnValue == [42, 7])
            #expect(await report == StopReport())
            #expect(await host.blockingCall("CGoodLink", "sum", ["a": 1, "b": 1]).error?.code == .stopped)
        }
    }

    @Test(
        "a call of an object in flight may call others too, on whatever thread", arguments: Depth.allCases,
        [false, true])
    func objectsGoOn(depth: Depth, isInPlace: Bool) async throws {
        let host = try depth.host()
        let valve = Valve()
        let sum: Payload = ["class": "FixtureLink", "selector": "sum", "payload": ["a": 40, "b": 1, "c": 1]]
        let inner = host.link.closure { _ -> Payload in
            valve.pass()
            return try host.callAndWait("FixtureLink", "callOther", sum)
        }
        // An object of the component, which calls that component.
        let closure = try await host.call("FixtureLink", "passing", ["closure": inner]).object()
        async let value = answer {
            if isInPlace { return try await onThread { try closure.callAndWait() } }
            return try await host.link.call(closure)
        }
        #expect(await holds { valve.arrivals == 1 })
        async let report = host.stop(timeout: .seconds(300))
        #expect(await holds { !host.isLoaded("FixtureLink") })
        // A stop that did not wait would soon reach its second step.
        _ = await holds(within: .milliseconds(200)) { host.state(of: "FixtureComponent")?.description == "stopped" }
        valve.open()
        #expect(await value.returnValue == 42)
        #expect(await report == StopReport())
    }

    @Test("the host waits for a starting component, and reports one that does not finish", arguments: Depth.allCases)
    func starting(depth: Depth) async throws {
        let valve = Valve()
        var options = HostOptions.quiet
        options.logger = Logger(label: "test") { _ in ValveLog(valve: valve, text: "fixture starts") }
        options.logger.logLevel = .debug
        let data = try ProductFolder.fresh().path
        unsafe chmod(data, 0o700)
        options.dataDirectory = data
        let host = try depth.host(options: options)
        try host.claimDataDirectory()
        async let first = CallForm.blocking.perform(host, "count")
        #expect(await holds { valve.arrivals == 1 })
        async let second = CallForm.blocking.perform(host, "count")
        let third = Task { await CallForm.async.perform(host, "count") }
        #expect(await holds { (try? host.fixture.callsInFlight) == 1 })
        let report = await host.stop(timeout: .milliseconds(50))
        #expect(report.stillRunning == ["FixtureComponent"])
        // Callers that wait for the start are released.
        #expect([.stopped, .cancelled].contains(await second.error?.code))
        #expect([.stopped, .cancelled].contains(await third.value.error?.code))
        // It may still write.
        let other = LinkHost(components: [], includesBuiltIn: false, options: options)
        #expect(throws: LinkError.self) { try other.claimDataDirectory() }
        valve.open()
        #expect(await first.error?.code == .stopped)
        #expect(!host.isLoaded("FixtureLink"))
    }

    @Test("a component whose start ends in time is stopped in order", arguments: Depth.allCases)
    func startingInTime(depth: Depth) async throws {
        let valve = Valve()
        var options = HostOptions.quiet
        options.logger = Logger(label: "test") { _ in ValveLog(valve: valve, text: "fixture starts") }
        options.logger.logLevel = .debug
        let host = try depth.host(options: options)
        async let call = CallForm.blocking.perform(host, "count")
        #expect(await holds { valve.arrivals == 1 })
        async let report = host.stop(timeout: .seconds(300))
        #expect(await holds { host.core.engine.isClosing })
        valve.open()
        #expect(await report == StopReport())
        // It began before the stop, so it was performed or refused, but never left without an answer.
        let answer = await call
        #expect(answer.returnValue == 1 || answer.error?.code == .stopped)
    }

    @Test("an asynchronous method that ignores cancellation keeps its component", arguments: Depth.allCases)
    func tasks(depth: Depth) async throws {
        let host = try depth.host()
        let directory = try TemporaryDirectory()
        let file = directory.path(of: "end")
        let call = Task { await answer { try await host.call("WhoseLink", "waitForFile", ["path": .string(file)]) } }
        #expect(await holds { try host.fixture.openWork == 1 })
        let report = await host.stop(timeout: .milliseconds(50))
        #expect(report == StopReport(cancelled: 1, stillRunning: ["FixtureComponent"]))
        #expect(await call.value.error?.code == .cancelled)
        // Its work ends before the directory is removed, or it would look for the file for ever.
        _ = try directory.write("", to: "end")
        #expect(await holds { try host.fixture.openWork == 0 })
    }

    @Test(
        "the stop ends a call of the program's closure at its deadline",
        arguments: Depth.allCases)
    func closures(depth: Depth) async throws {
        let host = try depth.host()
        let valve = AsyncValve()
        let closure = host.link.asyncClosure { _ -> Payload in
            await valve.pass()
            return "passed"
        }
        let call = Task { await answer { try await host.call("FixtureLink", "applyLater", ["closure": closure]) } }
        #expect(await holds { valve.arrivals == 1 })
        let report = await host.stop(timeout: .milliseconds(50))
        #expect(report.cancelledCalls == 2)
        #expect(await call.value.error?.code == .cancelled)
        valve.open()
    }

    @Test(
        "the host waits for work that continues after stopping(), and lists it", arguments: Depth.allCases
    )
    func openWork(depth: Depth) async throws {
        let log = CollectedLog()
        let host = try depth.host(options: log.options)
        let valve = AsyncValve()
        let closure = host.link.asyncClosure { _ -> Payload in
            await valve.pass()
            return "passed"
        }
        let call = Task { await answer { try await host.call("FixtureLink", "applyLater", ["closure": closure]) } }
        #expect(await holds { valve.arrivals == 1 })
        call.cancel()
        #expect(await call.value.error?.code == .cancelled)
        async let report = host.stop(timeout: .seconds(300))
        #expect(await holds { log.lines.all.contains("fixture is stopping") })
        #expect(host.components.filter { $0.openWork == 1 }.map(\.name) == ["FixtureComponent"])
        valve.open()
        #expect(await report == StopReport())
        #expect(host.components.allSatisfy { $0.openWork == 0 })
    }

    @Test("a method is not performed for a caller whose deadline has passed", arguments: Depth.allCases)
    func deadlineWhileLoading(depth: Depth) async throws {
        let valve = Valve()
        var options = HostOptions.quiet
        options.logger = Logger(label: "test") { _ in ValveLog(valve: valve, text: "fixture starts") }
        options.logger.logLevel = .debug
        let host = try depth.host(options: options)
        let codes = Collected<LinkError.Code?>()
        // Until one of them has begun to load in time.
        await withMorePatience(from: .milliseconds(50)) {
            codes.add(await CallForm.async.perform(host, "count", timeout: $0).error?.code)
            return valve.arrivals > 0
        }
        #expect(codes.all.allSatisfy { $0 == .deadlineExceeded })
        valve.open()
        #expect(await holds { host.isLoaded("FixtureLink") })
        #expect(await CallForm.blocking.perform(host, "count").returnValue == 1)
        for timeout in [Duration.zero, .seconds(-5)] {
            for form in CallForm.allCases {
                let passed = await form.perform(host, "count", timeout: timeout)
                #expect(passed.error?.code == .deadlineExceeded)
            }
        }
        #expect(await CallForm.blocking.perform(host, "count").returnValue == 2)
        await host.stop()
    }

    @Test("replaced components are released")
    func replaced() async throws {
        try await withPlugins("VersionedOld") { directory async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            weak let unit = host.core.registry.unit(named: "Versioned")
            #expect(unit != nil)
            try directory.add("VersionedNew")
            host.rescan()
            #expect(unit == nil)
            #expect(try await host.value("VersionedLink", "version") == "2.0.0")
            await host.stop()
        }
    }
}
