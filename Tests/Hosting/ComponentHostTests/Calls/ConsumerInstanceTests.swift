import ComponentHost
import ComponentKit
import Testing

@Suite("One instance for each consumer")
struct ConsumerInstanceTests {
    @Test("each calling component has an instance, and so has the host's own code")
    func consumers() async throws {
        try await withHost(["PerConsumer", "CGood"]) { host, _ async throws in
            let viaHost: Payload = ["class": "PerConsumerLink", "selector": "count", "kind": "object"]
            for count in 1...3 {
                #expect(try await host.value("PerConsumerLink", "count", kind: .object) == Payload(count))
                #expect(try await host.value("CGoodLink", "viaHost", viaHost) == Payload(count))
            }
            #expect(try await host.value("PerConsumerLink", "count", kind: .object, timeout: .seconds(300)) == 4)
            #expect(try await host.value("PerConsumerLink", "made") == 2)
            #expect(try await host.value("PerConsumerLink", "live") == 2)
        }
    }

    @Test("first calls of eight threads at once make one instance")
    func threads() async throws {
        try await withHost(["PerConsumer", "CGood"]) { host, _ async throws in
            let viaHost: Payload = ["class": "PerConsumerLink", "selector": "count", "kind": "object"]
            let counts = try await withThrowingTaskGroup(of: (Bool, Int).self) { group in
                for index in 0..<8 {
                    group.addTask {
                        let own = index % 2 == 0
                        let value =
                            own
                            ? try await host.value("PerConsumerLink", "count", kind: .object)
                            : try await host.value("CGoodLink", "viaHost", viaHost)
                        return (own, try value.int())
                    }
                }
                return try await group.reduce(into: [(Bool, Int)]()) { $0.append($1) }
            }
            #expect(counts.filter(\.0).map(\.1).sorted() == [1, 2, 3, 4])
            #expect(counts.filter { !$0.0 }.map(\.1).sorted() == [1, 2, 3, 4])
            #expect(try await host.value("PerConsumerLink", "made") == 2)
        }
    }

    @Test("calls through an object go to its instance, whichever component calls")
    func objects() async throws {
        try await withHost(["PerConsumer"]) { host, _ async throws in
            let object = try await host.value("PerConsumerLink", "itself", kind: .object).object()
            _ = try await host.value("PerConsumerLink", "count", kind: .object)
            #expect(try await onThread { try object.callAndWait("count") } == 2)
            #expect(try await host.value("PerConsumerLink", "count", kind: .object) == 3)
            #expect(try await host.value("PerConsumerLink", "made") == 1)
        }
    }

    @Test("an object that a caller keeps outlives its component")
    func kept() async throws {
        let log = CollectedLog()
        try await withHost(["PerConsumer"], options: log.options) { host, _ async throws in
            let object = try await host.value("PerConsumerLink", "itself", kind: .object).object()
            await host.stop()
            #expect(log.lines.all.contains { $0.contains("an instance is left") })
            let ended = await answer { try await onThread { try object.callAndWait("count") } }
            #expect(ended.error?.code == .stopped)
        }
    }

    @Test("instances are released before the component stops")
    func ended() async throws {
        let log = CollectedLog()
        try await withHost(["PerConsumer", "CGood"], options: log.options) { host, _ async throws in
            _ = try await host.value("PerConsumerLink", "count", kind: .object)
            let report = await host.stop()
            #expect(report.stillRunning.isEmpty)
            #expect(!log.lines.all.contains { $0.contains("an instance is left") })
            #expect(
                await host.blockingCall("PerConsumerLink", "count", kind: .object).error?.code == .stopped)
        }
    }
}
