import ComponentHost
import ComponentKit
import TestSupport
import Testing

@Suite("Instances that are released")
struct ReleaseTargetTests {
    @Test("the next call makes a new one", arguments: Depth.allCases, TargetForm.allCases)
    func again(depth: Depth, form: TargetForm) async throws {
        let host = try depth.host()
        #expect(!host.releaseTarget("Counted"))
        for round in 1...3 {
            for _ in 1...2 {
                #expect(await form.perform(host, "Counted", "number").value == Payload(round))
                #expect(await form.perform(host, "Counted", "quickNumber").value == Payload(round))
            }
            // A method may reply before its thread has left it, so the release may be a little late.
            #expect(host.releaseTarget("Counted"))
            #expect(await holds { try await host.released == round })
            #expect(!host.releaseTarget("Counted"))
        }
        #expect(try await host.made == 3)
        await host.stop()
        #expect(!host.releaseTarget("Counted"))
    }

    @Test("at once if no thread runs a method of the class", arguments: Depth.allCases)
    func atOnce(depth: Depth) async throws {
        let host = try depth.host()
        let released = try await onThread {
            _ = try host.performAndWait(target: "Counted", action: "number")
            host.releaseTarget("Counted")
            return try host.performAndWait(target: "Counted", action: "released")
        }
        #expect(released == 1)
        await host.stop()
    }

    @Test("a bound call gets the new one", arguments: Depth.allCases)
    func bound(depth: Depth) async throws {
        let host = try depth.host()
        let numbers = try await onThread {
            let bound = try host.bind("CountedLink", "number")
            return try (1...3).map { _ in
                defer { host.releaseTarget("Counted") }
                return try bound(.null)
            }
        }
        #expect(numbers == [1, 2, 3])
        await host.stop()
    }

    @Test("only when the last method that runs on it has returned", arguments: Depth.allCases)
    func inside(depth: Depth) async throws {
        let host = try depth.host()
        let valve = Valve()
        let closure = valve.closure(host.link)
        async let slow = TargetForm.blocking.perform(host, "Counted", "numberAfter", ["closure": closure])
        #expect(await holds { valve.arrivals == 1 })
        #expect(host.releaseTarget("Counted"))
        // New calls get a new instance. It is released together with the first one, because the thread inside might
        // use both.
        #expect(await TargetForm.blocking.perform(host, "Counted", "number").value == 2)
        #expect(host.releaseTarget("Counted"))
        #expect(await TargetForm.blocking.perform(host, "Counted", "number").value == 3)
        #expect(try await host.released == 0)
        valve.open()
        #expect(await slow.value == 1)
        #expect(await holds { try await host.released == 2 })
        await host.stop()
    }

    @Test("a method that answers later keeps its instance", arguments: Depth.allCases)
    func later(depth: Depth) async throws {
        let host = try depth.host()
        let valve = AsyncValve()
        let closure = host.link.asyncClosure { _ -> Payload in
            await valve.pass()
            return .null
        }
        async let slow = TargetForm.async.perform(host, "Counted", "numberLater", ["closure": closure])
        #expect(await holds { valve.arrivals == 1 })
        #expect(host.releaseTarget("Counted"))
        #expect(await TargetForm.blocking.perform(host, "Counted", "number").value == 2)
        #expect(try await host.released == 0)
        valve.open()
        #expect(await slow.value == 1)
        #expect(await holds { try await host.released == 1 })
        await host.stop()
    }

    @Test("a method may release its own instance", arguments: Depth.allCases)
    func own(depth: Depth) async throws {
        let host = try depth.host()
        let closure = host.link.closure { [weak host] _ in host?.releaseTarget("Counted") == true }
        #expect(await TargetForm.blocking.perform(host, "Counted", "numberAfter", ["closure": closure]).value == 1)
        #expect(await holds { try await host.released == 1 })
        #expect(await TargetForm.blocking.perform(host, "Counted", "number").value == 2)
        await host.stop()
    }

    @Test("an instance that a stopping host cannot release yet is released by the stop, once")
    func stopped() async throws {
        let tally = Tally()
        let host = hostProviding([tally.provided(.shared)])
        let valve = Valve()
        let closure = valve.closure(host.link)
        async let slow = TargetForm.blocking.perform(host, "Slow", "wait", ["closure": closure])
        #expect(await holds { valve.arrivals == 1 })
        #expect(host.releaseTarget("Slow"))
        async let report = host.stop(timeout: .seconds(300))
        #expect(tally.released == 0)
        valve.open()
        #expect(await slow.performSuccess)
        #expect(await report.stillRunning == [])
        #expect(await holds { tally.released == 1 })
        #expect(tally.made == 1)
    }

    @Test("all consumers' instances of a class", arguments: [1, 2])
    func consumers(rounds: Int) async throws {
        let log = CollectedLog()
        try await withHost(["PerConsumer", "CGood"], options: log.options) { host, _ async throws in
            let viaHost: Payload = ["class": "PerConsumerLink", "selector": "count", "kind": "object"]
            for round in 1...rounds {
                for count in 1...2 {
                    #expect(try await host.value("PerConsumerLink", "count", kind: .object) == Payload(count))
                    #expect(try await host.value("CGoodLink", "viaHost", viaHost) == Payload(count))
                }
                #expect(host.releaseTarget("PerConsumer"))
                #expect(await holds { try await host.value("PerConsumerLink", "live") == 0 })
                #expect(try await host.value("PerConsumerLink", "made") == Payload(2 * round))
            }
            _ = await host.stop()
            #expect(!log.lines.all.contains { $0.contains("an instance is left") })
        }
    }

    @Test("not the instances of a class that keeps none, and of no class")
    func none() async throws {
        let tally = Tally()
        let host = hostProviding([tally.provided(.perCall), providing("PlainLink", class: ["run"])])
        #expect(await TargetForm.async.perform(host, "Slow", "run").performSuccess)
        #expect(await TargetForm.async.perform(host, "Plain", "run").performSuccess)
        for target in ["Slow", "Plain", "Missing", ""] { #expect(!host.releaseTarget(target)) }
        #expect(await holds { tally.released == 1 })
    }

    @Test("while ten threads call the class", arguments: Depth.allCases)
    func threads(depth: Depth) async throws {
        let host = try depth.host()
        let ended = Collected<Void>()
        let wrong = Collected<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<10 {
                group.addTask {
                    try await onThread {
                        let action = index % 2 == 0 ? "number" : "quickNumber"
                        while ended.all.isEmpty {
                            let number = try host.performAndWait(target: "Counted", action: action).int()
                            if number < 1 { wrong.add(number) }
                        }
                    }
                }
            }
            group.addTask {
                try await onThread {
                    defer { ended.add(()) }
                    var releases = 0
                    while releases < 500 { releases += host.releaseTarget("Counted") ? 1 : 0 }
                }
            }
            try await group.waitForAll()
        }
        #expect(wrong.all == [])
        host.releaseTarget("Counted")
        #expect(await holds { try await host.released == host.made })
        #expect(try await host.made >= 500)
        await host.stop()
    }
}

extension LinkHost {
    fileprivate var made: Int { get async throws { try await value("CountedLink", "made").int() } }
    fileprivate var released: Int { get async throws { try await value("CountedLink", "released").int() } }
}

/// Counts the instances of a class of the host.
private final class Tally: Sendable {
    private let counts = Lock((made: 0, released: 0))

    var made: Int { counts.withLock { $0.made } }
    var released: Int { counts.withLock { $0.released } }

    func provided(_ policy: InstancePolicy) -> ProvidedClass {
        ProvidedClass(Slow.self, name: "SlowLink", instances: policy) { [self] _ in
            counts.withLock { $0.made += 1 }
            return Slow { self.counts.withLock { $0.released += 1 } }
        }
    }

    private final class Slow: LinkClass {
        private let whenReleased: @Sendable () -> Void

        init(_ context: ComponentContext) throws { throw CancellationError() }
        init(_ whenReleased: @escaping @Sendable () -> Void) { self.whenReleased = whenReleased }
        deinit { whenReleased() }

        static let methods: [LinkMethod<Slow>] = [
            .method("run") { _, _ in },
            .method("wait") { _, payload in try payload.copy().object("closure").callAndWait() },
        ]
    }
}
