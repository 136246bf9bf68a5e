import ComponentKit
import FixtureContract
import Foundation
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The order of events")
struct EventOrderTests {
    private static let event = "org.hslink.fixture/numbered"

    /// How the events are posted.
    enum Poster: CaseIterable {
        case posts, awaits, thread
    }

    @Test(
        "handlers and streams receive events in the order in which they were posted", arguments: Depth.allCases,
        Poster.allCases)
    func inOrder(depth: Depth, poster: Poster) async throws {
        let host = try depth.host()
        try host.load("FixtureComponent")
        let seen = Collected<Int>()
        host.events.on(Changed.self) { event in
            // Without an order, the first would be the last.
            for _ in 0..<(event.value.isMultiple(of: 5) ? 50 : 0) { await Task.yield() }
            seen.add(event.value)
        }
        let stream = host.events.stream(Changed.self)
        let count = 100
        switch poster {
        case .posts: for value in 0..<count { host.events.post(Changed(value: value)) }
        case .awaits: for value in 0..<count { #expect(await host.events.deliver(Changed(value: value)).isSuccess) }
        case .thread: try await onThread { for value in 0..<count { host.events.post(Changed(value: value)) } }
        }
        let expected = Array(0..<count)
        var values: [Int] = []
        for await event in stream {
            values.append(event.value)
            if values.count == count { break }
        }
        #expect(values == expected)
        #expect(seen.all == expected)
        // Quick, asynchronous and synchronous; the last one comes after the stream.
        #expect(await holds { try await EventOrderTests.told(host).count == 3 * count })
        let told = try await EventOrderTests.told(host)
        for word in ["soon", "changed", "late"] {
            #expect(told.filter { $0.hasPrefix(word) } == expected.map { "\(word) \($0)" })
        }
        await host.stop()
    }

    @Test("so does a component in C")
    func inC() async throws {
        try await withPlugins("HandlesChanged") { (directory: PluginDirectory) async throws in
            let log = CollectedLog()
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: log.options)
            try host.load("HandlesChanged")
            for value in 0..<100 { host.events.post(Changed(value: value)) }
            for priority in [7, -7] {
                let said = { log.lines.all.filter { $0.hasPrefix("file, \(priority): ") } }
                #expect(await holds { said().count == 100 })
                #expect(said() == (0..<100).map { "file, \(priority): \($0)" })
            }
            await host.stop()
        }
    }

    private static func told(_ host: LinkHost) async throws -> [String] {
        try await host.call("EventLink", "told").value()
    }

    @Test("those who post at the same time agree on the order with all handlers, whatever comes and goes")
    func sameForAll() async throws {
        let host = try Depth.builtIn.host()
        try host.load("FixtureComponent")
        let (first, second) = (Collected<Int>(), Collected<Int>())
        host.events.on(Changed.self, priority: 20) { event in
            if event.value.isMultiple(of: 3) { await Task.yield() }
            first.add(event.value)
        }
        host.events.on(Changed.self, priority: -20) { event in
            if event.value.isMultiple(of: 7) { await Task.yield() }
            second.add(event.value)
        }
        let (lanes, rounds) = (6, 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for round in 0..<rounds {
                        let event = Changed(value: lane * 1000 + round)
                        if (lane + round).isMultiple(of: 2) {
                            host.events.post(event, sticky: lane == 0)
                        } else {
                            #expect(await host.events.deliver(event).isSuccess)
                        }
                    }
                }
                group.addTask {
                    // Handlers come and go meanwhile.
                    for _ in 0..<rounds {
                        let closure = host.events.on(Changed.self, priority: lane) { _ in await Task.yield() }
                        await closure.remove()
                    }
                }
            }
            try await group.waitForAll()
        }
        let values = await first.first(lanes * rounds)
        #expect(await second.first(lanes * rounds) == values)
        for lane in 0..<lanes {
            #expect(values.filter { $0 / 1000 == lane } == (0..<rounds).map { lane * 1000 + $0 })
        }
        let told = try await EventOrderTests.told(host)
        for word in ["soon", "changed", "late"] {
            #expect(told.filter { $0.hasPrefix(word) } == values.map { "\(word) \($0)" })
        }
        await host.stop()
    }

    @Test(
        "handlers that post and await each other's events at random come to an end, and agree on the order",
        arguments: 0..<UInt64(TestLength.rounds(8, long: 200)))
    func random(seed: UInt64) async throws {
        var options = HostOptions.quiet
        // A handler that waits for itself would not be ended by its time.
        options.handlerTimeout = .seconds(3600)
        let told = RandomEvents(LinkHost(components: [], includesBuiltIn: false, options: options))
        await withTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    var generator = SplitMix64(seed: seed * 100 + UInt64(lane))
                    for _ in 0..<10 { await told.tell(depth: 3, &generator) }
                }
            }
        }
        let isOver = await holds { told.isOver }
        #expect(isOver)
        for name in RandomEvents.names { #expect(told.numbers(name, at: 0) == told.numbers(name, at: 1)) }
        await told.host.stop(timeout: isOver ? .seconds(60) : .zero)
    }

    @Test("one event is handled at a time, unless the handler is concurrent", arguments: [false, true])
    func concurrent(isConcurrent: Bool) async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let begun = Collected<Int>()
        let goesOn = Atomic(false)
        host.events.on(EventOrderTests.event, concurrent: isConcurrent) { number in
            begun.add(try number.int())
            while try number.int() == 0, !goesOn.load(ordering: .acquiring) {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        host.events.post(EventOrderTests.event, 0)
        #expect(await begun.first(1) == [0])
        host.events.post(EventOrderTests.event, 1)
        if isConcurrent { #expect(await begun.first(2) == [0, 1]) } else { #expect(begun.all == [0]) }
        goesOn.store(true, ordering: .releasing)
        #expect(await begun.first(2) == [0, 1])
        await host.stop()
    }

    @Test("a handler that awaits an event for itself is told that it would wait for itself", arguments: [false, true])
    func ownEvent(isIndirect: Bool) async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let outcomes = Collected<EventOutcome>()
        host.events.on("t/other") { [host] _ in
            outcomes.add(await host.events.deliver(EventOrderTests.event, 1))
        }
        host.events.on(EventOrderTests.event) { [host] _ in
            if isIndirect {
                await host.events.deliver("t/other", .null)
            } else {
                outcomes.add(await host.events.deliver(EventOrderTests.event, 1))
            }
        }
        #expect(await host.events.deliver(EventOrderTests.event, 0).isSuccess)
        #expect(outcomes.all.map(\.refusal?.code) == [.wouldDeadlock])
        #expect(outcomes.all.first?.refusal?.message.contains("post the event without waiting") == true)
        await host.stop()
    }

    @Test("a handler that posts an event and then awaits one of its name receives an answer, and both are in order")
    func postThenAwait() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let seen = Collected<Int>()
        host.events.on(EventOrderTests.event) { number in seen.add(try number.int()) }
        host.events.on("t/other") { [host] _ in
            host.events.post(EventOrderTests.event, 1)
            host.events.post(EventOrderTests.event, 2)
            await host.events.deliver(EventOrderTests.event, 3)
            seen.add(4)
        }
        #expect(await host.events.deliver("t/other", .null).isSuccess)
        #expect(seen.all == [1, 2, 3, 4])
        await host.stop()
    }

    @Test("what a handler posts comes before what is posted after it")
    func postOfHandler() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let seen = Collected<Int>()
        let hasPosted = Atomic(false)
        let goesOn = Atomic(false)
        host.events.on(EventOrderTests.event) { number in seen.add(try number.int()) }
        host.events.on("t/other") { [host] _ in
            host.events.post(EventOrderTests.event, 1)
            hasPosted.store(true, ordering: .releasing)
            while !goesOn.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
        }
        host.events.post("t/other", .null)
        #expect(await holds { hasPosted.load(ordering: .acquiring) })
        // The handler has not ended, and does not keep others waiting.
        #expect(await host.events.deliver(EventOrderTests.event, 2).isSuccess)
        #expect(seen.all == [1, 2])
        goesOn.store(true, ordering: .releasing)
        await host.stop()
        #expect(seen.all == [1, 2])
    }

    @Test("a handler whose time is over does not keep the next event", arguments: Depth.allCases)
    func overdue(depth: Depth) async throws {
        try await withMorePatience(from: .seconds(1)) { timeout in
            var options = HostOptions.quiet
            options.handlerTimeout = timeout
            let host = try depth.host(options: options)
            try host.load("FixtureComponent")
            for _ in 0..<2 { host.events.post(Stalled()) }
            let all = await holds(within: timeout * 4 + .seconds(5)) { try await EventOrderTests.told(host).count == 4 }
            let told = try await EventOrderTests.told(host)
            await host.stop(timeout: .zero)
            return all && told.filter { $0 == "stalled" }.count == 2 && told.first == "stalled" && told.last == "after"
        }
    }

    @Test("an event that loads a component comes before those that are posted meanwhile", arguments: Depth.allCases)
    func loading(depth: Depth) async throws {
        let host = try depth.host()
        let urls = (0..<20).map { "a://\($0)" }
        for url in urls { host.events.post(URLOpened(url: url)) }
        #expect(await holds { try await EventOrderTests.told(host).count == urls.count })
        #expect(try await EventOrderTests.told(host) == urls.map { "opened \($0)" })
        await host.stop()
    }

    @Test("the handlers of a component that is replaced have successors, which receive no event a second time")
    func successors() async throws {
        try await withPlugins("FixtureComponent") { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: .quiet)
            let handler = { host.features.events.registry.snapshot.value.handlers(of: URLOpened.eventName).first }
            let former = try #require(handler())
            try FileManager.default.removeItem(atPath: directory.file("libFixtureComponent.so"))
            try directory.add("FixtureComponent")
            host.rescan()
            let successor = try #require(handler())
            #expect(successor !== former)
            // What is queued for the former is not missed by the successor, and comes before what is posted later.
            #expect(successor.identity === former.identity)
            #expect(successor.line === former.line)
            await host.stop()
        }
    }

    @Test("an event that could not load a component is received later, and those that wait behind it once only")
    func inVain() async throws {
        let host = try Depth.builtIn.host()
        let registry = host.features.events.registry
        let deliveries = try (1...2).map { number in
            let request = EventRequest(event: URLOpened.eventName, payload: URLOpened(url: "a://\(number)").payload)
            let opened = try registry.open(request) { handlers throws(LinkError) -> EventRegistry.Opened? in
                let delivery = EventDelivery(request, to: handlers, causes: [], timeout: .seconds(1))
                return (delivery, try registry.deliveries.open(delivery, during: nil, isAwaited: false))
            }
            return try #require(opened?.delivery)
        }
        let handler = try #require(deliveries[0].handlers.first { $0.name == "EventLink.opened" })
        // The time of the first is over before the component is loaded; the second still waits for its turn.
        registry.forgetCall(of: handler, in: deliveries[0])
        try host.load("FixtureComponent")
        #expect(try await EventOrderTests.told(host) == ["opened a://1"])
        await host.stop()
    }

    @Test("what is posted from outside while the host stops reaches no handler, even if it waits for its turn")
    func postedWhileStopping() async throws {
        var options = HostOptions.quiet
        options.handlerTimeout = .seconds(3600)
        let host = LinkHost(components: [], includesBuiltIn: false, options: options)
        let seen = Collected<Int>()
        let goesOn = Atomic(false)
        host.events.on(EventOrderTests.event) { number in
            seen.add(try number.int())
            while !goesOn.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
        }
        // The stop waits for the second, which was posted before it.
        for number in 0..<2 { host.events.post(EventOrderTests.event, Payload(number)) }
        #expect(await seen.first(1) == [0])
        async let end = host.stop(timeout: .seconds(3600))
        #expect(await holds { host.core.engine.isClosing })
        host.events.post(EventOrderTests.event, 2)
        goesOn.store(true, ordering: .releasing)
        _ = await end
        #expect(seen.all == [0, 1])
    }

    @Test("a stop in between leaves no poster without an answer", arguments: [Duration.zero, .seconds(60)])
    func stopping(timeout: Duration) async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let seen = Collected<Int>()
        host.events.on(EventOrderTests.event) { number in
            seen.add(try number.int())
            for _ in 0..<10 { await Task.yield() }
        }
        host.events.on(EventOrderTests.event) { _ in await Task.yield() }
        let posters = (0..<50).map { number in
            Task { await host.events.deliver(EventOrderTests.event, Payload(number)) }
        }
        _ = await seen.first(1)
        await host.stop(timeout: timeout)
        var handled = 0
        for poster in posters {
            let outcome = await poster.value
            handled += outcome.handled
            #expect(outcome.refusal == nil || outcome.handled == 0)
        }
        #expect(handled <= 2 * seen.all.count)
        #expect(Set(seen.all).count == seen.all.count)
    }

    @Test("the last sticky event comes first to a closure, and is the one that was posted last")
    func sticky() async throws {
        let host = LinkHost(components: [], includesBuiltIn: false, options: .quiet)
        let seen = Collected<Int>()
        host.events.on(EventOrderTests.event) { number in seen.add(try number.int()) }
        await withTaskGroup { group in
            for lane in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        host.events.post(EventOrderTests.event, Payload(lane * 100 + number), sticky: true)
                    }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    let own = Collected<Int>()
                    let closure = host.events.on(EventOrderTests.event, sticky: true) { own.add(try $0.int()) }
                    await closure.remove()
                    // Within each lane, the order is that of the posts.
                    for lane in 0..<4 {
                        let values = own.all.filter { $0 / 100 == lane }
                        #expect(values == values.sorted())
                    }
                }
            }
        }
        let values = await seen.first(200)
        #expect(try host.events.last(EventOrderTests.event)?.int() == values.last)
        await host.stop()
    }

    @Test("more events than may wait are refused, and many are reported once")
    func limit() async throws {
        let log = CollectedLog()
        var options = log.options
        options.handlerTimeout = .seconds(3600)
        let host = LinkHost(components: [], includesBuiltIn: false, options: options)
        let count = Atomic(0)
        let goesOn = Atomic(false)
        host.events.on(EventOrderTests.event) { _ in
            while !goesOn.load(ordering: .acquiring) { try await Task.sleep(for: .milliseconds(1)) }
            count.add(1, ordering: .relaxed)
        }
        for _ in 0..<OpenDeliveries.reportedLength { host.events.post(EventOrderTests.event, .null) }
        let reports = { log.lines.all.filter { $0.contains("wait until a closure of the program has handled") } }
        #expect(reports().count == 1)
        for _ in OpenDeliveries.reportedLength..<OpenDeliveries.lineLimit {
            host.events.post(EventOrderTests.event, .null)
        }
        #expect(await host.events.deliver(EventOrderTests.event, .null).refusal?.code == .stuck)
        #expect(reports().count == 1)
        // They are not all handled: the stop ends what waits.
        goesOn.store(true, ordering: .releasing)
        #expect(await holds { count.load(ordering: .relaxed) > 0 })
        await host.stop(timeout: .zero)
    }
}

/// Events with two handlers each, of which the first posts and awaits others at random.
private final class RandomEvents: Sendable {
    static let names = ["t/a", "t/b", "t/c"]

    let host: LinkHost
    /// What the handlers have received, by event and handler.
    private let seen = Lock<[ExactText: [Int]]>([:])
    private let numbers = Atomic(0)
    /// How many events have not reached their second handler, nor were refused.
    private let pending = Atomic(0)

    init(_ host: LinkHost) {
        self.host = host
        for name in RandomEvents.names {
            host.events.on(name, priority: 1) { [self] payload in
                let number = try payload.int("number")
                note(name, at: 0, number: number)
                var generator = SplitMix64(seed: UInt64(number))
                if number.isMultiple(of: 3) { await Task.yield() }
                let depth = try payload.int("depth")
                guard depth > 0 else { return }
                for _ in 0..<Int.random(in: 0...2, using: &generator) { await tell(depth: depth - 1, &generator) }
            }
            host.events.on(name) { [self] payload in
                note(name, at: 1, number: try payload.int("number"))
                pending.subtract(1, ordering: .relaxed)
            }
        }
    }

    /// Posts or awaits an event.
    func tell(depth: Int, _ generator: inout SplitMix64) async {
        let name = RandomEvents.names[Int.random(in: 0...2, using: &generator)]
        let number = numbers.add(1, ordering: .relaxed).newValue
        let payload: Payload = ["number": Payload(number), "depth": Payload(depth)]
        pending.add(1, ordering: .relaxed)
        if Bool.random(using: &generator) { return host.events.post(name, payload) }
        guard let refusal = await host.events.deliver(name, payload).refusal else { return }
        #expect(refusal.code == .wouldDeadlock)
        pending.subtract(1, ordering: .relaxed)
    }

    private func note(_ name: String, at handler: Int, number: Int) {
        seen.withLock { $0[ExactText("\(name) \(handler)"), default: []].append(number) }
    }

    func numbers(_ name: String, at handler: Int) -> [Int] {
        seen.withLock { $0[ExactText("\(name) \(handler)")] ?? [] }
    }

    /// Whether all handlers have received all events.
    var isOver: Bool { pending.load(ordering: .relaxed) == 0 }
}
