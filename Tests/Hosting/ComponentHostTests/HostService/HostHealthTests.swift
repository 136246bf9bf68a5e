import ComponentKit
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Whether a host can take calls")
struct HostHealthTests {
    @Test("it is ready from the end of its start to the beginning of its stop")
    func phases() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let service = try host.service(HostServiceClient.self)
            let seen = Lock<[HostHealth]>([])
            for event in [HostStarted.eventName, HostWillStop.eventName] {
                host.events.on(event) { _ in
                    guard let health = try? await service.health() else { return }
                    seen.withLock { $0.append(health) }
                }
            }
            #expect(try await service.health() == HostHealth(phase: "starting", isReady: false))
            await host.start()
            #expect(try await service.health() == HostHealth(phase: "running", isReady: true))
            await host.stop()
            #expect(seen.withLock { $0.map(\.phase) } == ["starting", "stopping"])
            #expect(seen.withLock { $0.allSatisfy { !$0.isReady } })
        }
    }

    @Test("it is not while a component that starts with it has failed")
    func failed() async throws {
        try await withHost(["StartsWell", "StartsBadly", "NeedsMissing"]) { host, _ async throws in
            await host.start()
            let service = try host.service(HostServiceClient.self)
            #expect(
                try await service.health() == HostHealth(phase: "running", failures: ["StartsBadly"], isReady: false))
            // Its next call may succeed.
            host.retry("StartsBadly")
            #expect(try await service.health() == HostHealth(phase: "running", isReady: true))
        }
    }
}
