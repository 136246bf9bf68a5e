import ComponentHost
import ComponentKit
import Foundation
import Logging
import TestSupport
import Testing

@Suite("Stopping a host")
struct StopTests {
    @Test("calls that wait for a reply are cancelled and counted", arguments: Depth.allCases)
    func outstanding(depth: Depth) async throws {
        let host = try depth.host()
        let answers = Collected<Answer>()
        for _ in 0..<3 { host.link.call("FixtureLink", "keep") { answers.add($0) } }
        #expect(answers.all.isEmpty)
        let report = await host.stop(timeout: .zero)
        #expect(report.cancelledCalls == 3)
        #expect(report.stillRunning == [])
        #expect(await answers.first(3).map(\.error?.code) == [.cancelled, .cancelled, .cancelled])
        #expect(answers.all.allSatisfy { $0.error?.className == "FixtureLink" && $0.error?.selector == "keep" })
        // The component releases the kept objects when it stops.
        #expect(try host.fixture.lateReplies == 3)
        #expect(try host.fixture.state.description == "stopped")
    }

    @Test(
        "calls in flight run to completion",
        arguments: Depth.allCases, [CallForm.async, .blocking, .boundAsync, .boundBlocking])
    func inFlight(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let valve = Valve()
        let closure = valve.closure(host.link)
        async let call = form.perform(host, "apply", ["closure": closure])
        #expect(await holds { valve.arrivals == 1 })
        async let report = host.stop(timeout: .seconds(300))
        #expect(await holds { !host.isLoaded("FixtureLink") })
        valve.open()
        #expect(await report == StopReport())
        #expect(await call.returnValue == "passed")
    }

    @Test("a component in which a thread is running is not stopped, but reported", arguments: Depth.allCases)
    func stillRunning(depth: Depth) async throws {
        let host = try depth.host()
        let valve = Valve()
        let closure = valve.closure(host.link)
        async let blocked = CallForm.blocking.perform(host, "apply", ["closure": closure])
        #expect(await holds { valve.arrivals == 1 })
        let report = await host.stop(timeout: .milliseconds(10))
        #expect(report == StopReport(cancelled: 0, stillRunning: ["FixtureComponent"]))
        valve.open()
        #expect(await blocked.returnValue == "passed")
    }

    @Test("a reply that is promised after stop has given up ends its call", arguments: Depth.allCases)
    func promisedTooLate(depth: Depth) async throws {
        let host = try depth.host()
        let valve = Valve()
        let closure = valve.closure(host.link)
        let answers = Collected<Answer>()
        Thread.detachNewThread {
            host.link.call("FixtureLink", "keepLater", ["closure": closure]) { answers.add($0) }
        }
        #expect(await holds { valve.arrivals == 1 })
        #expect(await host.stop(timeout: .zero).stillRunning == ["FixtureComponent"])
        #expect(host.state(of: "FixtureComponent")?.description == "stopping")
        valve.open()
        let ended = await holds { answers.all.count == 1 }
        #expect(ended)
        #expect(answers.all.first?.error?.code == .cancelled)
    }

    @Test("every form of a call is refused after stop", arguments: Depth.allCases, CallForm.allCases)
    func afterStop(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let before = try await onThread { try host.bind("FixtureLink", "count") }
        #expect(try await host.call("FixtureLink", "count") == 1)
        await host.stop()
        for timeout in [nil, Duration.seconds(10)] {
            let answer = await form.perform(host, "count", timeout: timeout)
            #expect(answer.error?.code == .stopped)
            #expect(answer.error?.className == "FixtureLink")
            #expect(!answer.classIsLoad)
            #expect(!answer.performSuccess)
        }
        #expect(await answer { try await before.call(.null) }.error?.code == .stopped)
        #expect(await answer { try await onThread { try before(.null) } }.error?.code == .stopped)
    }

    @Test("a component that was never loaded is stopped, too", arguments: Depth.allCases)
    func neverLoaded(depth: Depth) async throws {
        let host = try depth.host()
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        #expect(await CallForm.async.perform(host, "count").error?.code == .stopped)
        #expect(
            await answer {
                try await onThread {
                    try host.load("FixtureComponent")
                    return .null
                }
            }.error?.code == .stopped)
        #expect(await CallForm.async.perform(host, "x", className: "Missing").error?.code == .classNotFound)
        #expect(!host.isAvailable("FixtureLink"))
        #expect(!host.retry("FixtureComponent"))
        host.rescan()
        #expect(await CallForm.async.perform(host, "count").error?.code == .stopped)
    }

    @Test("a missing selector of a stopped class says stopped", arguments: Depth.allCases)
    func missingSelector(depth: Depth) async throws {
        let host = try depth.host()
        _ = try await host.call("FixtureLink", "count")
        await host.stop()
        let answer = await CallForm.async.perform(host, "missing")
        #expect(answer.error?.code == .stopped)
        #expect(!answer.classIsLoad)
    }

    @Test("stopping twice is stopping once", arguments: Depth.allCases)
    func twice(depth: Depth) async throws {
        let host = try depth.host()
        host.link.call("FixtureLink", "keep") { (_: Answer) in }
        #expect(await host.stop(timeout: .zero).cancelledCalls == 1)
        #expect(await host.stop(timeout: .zero) == StopReport())
    }

    @Test("a second stop returns when the first is done", arguments: Depth.allCases)
    func concurrently(depth: Depth) async throws {
        let host = try depth.host()
        let valve = Valve()
        let closure = valve.closure(host.link)
        async let blocked = CallForm.blocking.perform(host, "apply", ["closure": closure])
        #expect(await holds { valve.arrivals == 1 })
        let reports = Collected<StopReport>()
        let first = Task { reports.add(await host.stop(timeout: .seconds(300))) }
        #expect(await holds { !host.isLoaded("FixtureLink") })
        let second = Task { reports.add(await host.stop(timeout: .seconds(300))) }
        let hasReturned = await holds(within: .milliseconds(300)) { !reports.all.isEmpty }
        #expect(!hasReturned)
        valve.open()
        await first.value
        await second.value
        #expect(await blocked.returnValue == "passed")
    }

    @Test("a component that is starting while its host stops does not become active", arguments: Depth.allCases)
    func duringStart(depth: Depth) async throws {
        let valve = Valve()
        var options = HostOptions.quiet
        options.logger = Logger(label: "test") { _ in ValveLog(valve: valve, text: "fixture starts") }
        options.logger.logLevel = .debug
        let host = try depth.host(options: options)
        async let call = CallForm.blocking.perform(host, "count")
        #expect(await holds { valve.arrivals == 1 })
        await host.stop(timeout: .zero)
        valve.open()
        let answer = await call
        let second = await CallForm.async.perform(host, "count")
        #expect(answer.error?.code == .stopped)
        #expect(!host.isLoaded("FixtureLink"))
        #expect(second.error?.code == .stopped)
    }

    @Test("a call to the host's own object with a deadline ends, even after stop")
    func ownObject() async throws {
        let host = try Depth.builtIn.host()
        let closure = try host.link.asyncClosure { _ -> Payload in
            try await Task.sleep(for: .seconds(3600))
            return .null
        }.object()
        let first = await answer { try await host.link.call(closure, timeout: .milliseconds(10)) }
        #expect(first.error?.code == .deadlineExceeded)
        await host.stop()
        let answers = Collected<Answer>()
        let task = Task {
            answers.add(await answer { try await host.link.call(closure, timeout: .milliseconds(10)) })
        }
        let ended = await holds { answers.all.count == 1 }
        task.cancel()
        #expect(ended)
        _ = await answers.first(1)
    }
}

extension StopReport {
    init(cancelled: Int, stillRunning: [String]) {
        self.init()
        cancelledCalls = cancelled
        self.stillRunning = stillRunning
    }
}

/// A log that blocks the thread that writes a certain line.
struct ValveLog: LogHandler {
    let valve: Valve
    let text: String
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if event.message.description == text { valve.pass() }
    }
}
