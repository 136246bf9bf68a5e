import ComponentHost
import ComponentKit
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@Suite("A host in a service group")
struct ServiceGroupTests {
    /// Calls the host until its group shuts down, and once more after that.
    private struct Caller: Service {
        let host: LinkHost
        let answers: Collected<Answer>

        func run() async throws {
            answers.add(await answer { try await host.call("FixtureLink", "echo", ["x": 1]) })
            try? await gracefulShutdown()
            answers.add(await answer { try await host.call("FixtureLink", "echo", ["x": 2]) })
        }
    }

    private struct Failing: Service {
        struct Failure: Error {}

        func run() async throws { throw Failure() }
    }

    private static var logger: Logger {
        var logger = Logger(label: "group")
        logger.logLevel = .critical
        return logger
    }

    private func isStopped(_ host: LinkHost) async -> Bool {
        await answer { try await host.call("FixtureLink", "echo") }.error?.code == .stopped
    }

    @Test("is stopped after the services that use it", arguments: Depth.allCases)
    func order(_ depth: Depth) async throws {
        let host = try depth.host()
        let answers = Collected<Answer>()
        let group = ServiceGroup(
            services: [host, Caller(host: host, answers: answers)], logger: Self.logger)
        async let ended: Void = group.run()
        #expect(await answers.first(1).count == 1)
        await group.triggerGracefulShutdown()
        try await ended
        #expect(answers.all.count == 2)
        #expect(answers.all.allSatisfy { $0.error == nil }, "\(answers.all)")
        #expect(await isStopped(host))
    }

    @Test("is stopped when another service fails")
    func failure() async throws {
        let host = try Depth.builtIn.host()
        let group = ServiceGroup(services: [host, Failing()], logger: Self.logger)
        await #expect(throws: Failing.Failure.self) { try await group.run() }
        #expect(await isStopped(host))
    }

    @Test("is stopped when its task is cancelled, and cancels calls after its time for stopping")
    func cancellation() async throws {
        var options = HostOptions.quiet
        options.stopTimeout = .milliseconds(50)
        let host = try Depth.builtIn.host(options: options)
        let running = Task { try await host.run() }
        // Loaded first, because the stop may begin before a call has loaded its component.
        _ = try await host.call("FixtureLink", "nothing")
        let call = Task { await answer { try await host.call("FixtureLink", "keep") } }
        #expect(await holds { host.components.contains { $0.callsInFlight > 0 } })
        running.cancel()
        try await running.value
        #expect(await call.value.error?.code == .cancelled)
        #expect(await isStopped(host))
    }
}
