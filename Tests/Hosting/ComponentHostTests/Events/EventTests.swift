import ComponentKit
import FixtureContract
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Events")
struct EventTests {
    private func told(_ host: LinkHost) async throws -> [String] {
        try await host.call("EventLink", "told").value()
    }

    /// A host whose component with the handlers is loaded.
    private func loaded(_ depth: Depth, options: HostOptions = .quiet) async throws -> LinkHost {
        let host = try depth.host(options: options)
        try host.load("FixtureComponent")
        return host
    }

    @Test("handlers are called in the order of their priorities", arguments: Depth.allCases)
    func order(depth: Depth) async throws {
        let host = try await loaded(depth)
        let outcome = await host.events.deliver(Changed(value: 3))
        #expect(outcome.handled == 3)
        #expect(outcome.isSuccess)
        #expect(try await told(host) == ["soon 3", "changed 3", "late 3"])
        await host.stop()
    }

    @Test("a rescan that finds changes is one, whose handlers may rescan")
    func componentsChanged() async throws {
        try await withHost(["CGood"]) { host, directory async throws in
            let seen = Lock<[[String]]>([])
            host.events.on(ComponentsChanged.self) { [host] event in
                seen.withLock { $0.append(event.components) }
                host.rescan()
            }
            host.rescan()
            try directory.add("VersionedOld")
            try directory.add("CxxGood")
            host.rescan()
            #expect(await holds { seen.withLock { $0 } == [["CxxGood", "Versioned"]] })
            try FileManager.default.removeItem(atPath: directory.file("libVersionedOld.so"))
            host.rescan()
            #expect(await holds { seen.withLock { $0 } == [["CxxGood", "Versioned"], ["Versioned"]] })
        }
    }

    @Test("one that fails is named, and stops no other", arguments: Depth.allCases)
    func failure(depth: Depth) async throws {
        let host = try await loaded(depth)
        let outcome = await host.events.deliver(Changed(value: -1))
        #expect(outcome.handled == 2)
        #expect(outcome.failures.map(\.component) == ["FixtureComponent"])
        #expect(outcome.failures.map(\.className) == ["EventLink"])
        #expect(outcome.failures.map(\.selector) == ["changed"])
        #expect(outcome.failures.first?.error.original as? Refusal == .notNow)
        #expect(try await told(host).last == "late -1")
        await host.stop()
    }

    @Test("an event loads its listeners only if they say so", arguments: Depth.allCases)
    func loading(depth: Depth) async throws {
        let host = try depth.host()
        let outcome = await host.events.deliver(Changed(value: 1))
        #expect(outcome.handled == 0)
        #expect(outcome.notLoaded == ["FixtureComponent"])
        #expect(outcome.isSuccess)
        #expect(!host.isLoaded("EventLink"))
        #expect(await host.events.deliver(Woken()).handled == 1)
        #expect(host.isLoaded("EventLink"))
        #expect(try await told(host) == ["woken"])
        await host.stop()
    }

    @Test("one that hangs costs its own time, and the next is called", arguments: Depth.allCases)
    func hanging(depth: Depth) async throws {
        try await withMorePatience(from: .seconds(1)) { timeout in
            var options = HostOptions.quiet
            options.handlerTimeout = timeout
            let host = try await loaded(depth, options: options)
            let outcome = await host.events.deliver(Stalled())
            #expect(outcome.failures.first?.error.code == .deadlineExceeded)
            let seen = try await told(host)
            await host.stop()
            // The time may pass before the first one begins, or before the next one ends.
            return seen == ["stalled", "after"] && outcome.failures.count == 1 && outcome.handled == 1
        }
    }

    @Test("what a handler posts is delivered after the event under way", arguments: Depth.allCases)
    func reentrant(depth: Depth) async throws {
        let host = try await loaded(depth)
        #expect(await host.events.deliver(Began()).handled == 2)
        let all = await holds { try await told(host).count == 5 }
        #expect(all)
        #expect(try await told(host) == ["began", "has posted", "began too", "ended 1", "ended 2"])
        await host.stop()
    }

    /// Opens a delivery in a line of its own.
    private func open(
        _ deliveries: OpenDeliveries, during number: Int? = nil
    ) throws(LinkError) -> EventDelivery {
        let handler = EventHandler(
            .sink { _ in }, parameter: "event", loads: false, isConcurrent: false, priority: 0, number: 1,
            line: EventLine())
        let delivery = EventDelivery(
            EventRequest(event: "t/x", payload: .null), to: [handler], causes: [], timeout: .seconds(1))
        _ = try deliveries.open(delivery, during: number, isAwaited: false)
        return delivery
    }

    @Test("all events that one leads to are counted together")
    func cascade() throws {
        let deliveries = OpenDeliveries()
        let first = try open(deliveries)
        let second = try open(deliveries, during: first.number)
        let cascade = try #require(second.cascade)
        // One expectation for all: each costs a millisecond.
        let others = try (1..<EventCascade.limit).count { _ in
            try open(deliveries, during: second.number).cascade !== cascade
        }
        #expect(others == 0)
        for number in [first.number, second.number] {
            let error = #expect(throws: LinkError.self) { try open(deliveries, during: number) }
            #expect(error?.code == .tooDeep)
        }
        // Another event begins anew.
        let other = try open(deliveries)
        #expect(try open(deliveries, during: other.number).isHeld)
        var ready: [EventDelivery] = []
        #expect(deliveries.end(second, &ready).count == EventCascade.limit - 1)
        #expect(try !open(deliveries, during: second.number).isHeld)
    }

    @Test("the number of a delivery cannot be guessed from others")
    func numbers() throws {
        let deliveries = OpenDeliveries()
        // More than are read from the system at once.
        let numbers = try (0..<1000).map { _ in try open(deliveries).number }
        #expect(Set(numbers).count == numbers.count)
        #expect(numbers.allSatisfy { $0 > 0 })
        // Of a thousand random numbers of 63 bits, none is below 2^40, and no two neighbours are closer.
        #expect(numbers.allSatisfy { $0 > 1 << 40 })
        let isClose = zip(numbers, numbers.dropFirst()).contains { abs($0 - $1) < 1 << 40 }
        #expect(!isClose)
        #expect(try open(OpenDeliveries()).number != numbers[0])
    }

    @Test("a handler may post many events", arguments: Depth.allCases)
    func flood(depth: Depth) async throws {
        let host = try await loaded(depth)
        #expect(await host.events.deliver(Flooded(count: 2_000)).handled == 1)
        let all = await holds { try await told(host).count == 2_000 }
        #expect(all)
        #expect(try await told(host) == (0..<2_000).map { "ended \($0)" })
        await host.stop()
    }

    @Test("events in the host's life that load a component reach it once each", arguments: Depth.allCases)
    func once(depth: Depth) async throws {
        for _ in 0..<10 {
            let host = try depth.host()
            _ = await host.start()
            let urls = (0..<8).map { "a://\($0)" }
            for url in urls {
                host.events.post(URLOpened(url: url))
                host.rescan()
            }
            let all = await holds { try await told(host).count >= 9 }
            #expect(all)
            let received = try await told(host)
            #expect(received.filter { $0 != "started" } == urls.map { "opened \($0)" })
            #expect(received.count == urls.count + 1)
            await host.stop()
        }
    }

    @Test("a circle of events ends", arguments: Depth.allCases)
    func circle(depth: Depth) async throws {
        let host = try await loaded(depth)
        host.events.post(Repeated())
        let isOver = await holds { try await told(host).count == 16 }
        #expect(isOver)
        try await Task.sleep(for: .milliseconds(50))
        #expect(try await told(host).count == 16)
        await host.stop()
    }

    @Test("a component posts and delivers, and asks for the last one", arguments: Depth.allCases)
    func fromComponent(depth: Depth) async throws {
        let host = try await loaded(depth)
        #expect(try await host.call("EventLink", "lastChange").isNull)
        _ = try await host.call("EventLink", "postChange", ["value": 4, "sticky": true])
        let all = await holds { try await told(host) == ["soon 4", "changed 4", "late 4"] }
        #expect(all)
        #expect(try await host.call("EventLink", "lastChange").int() == 4)
        #expect(try host.events.last(Changed.self) == Changed(value: 4))
        #expect(try await host.call("EventLink", "deliverChange", ["value": -5]) == [2, 1, 0])
        await host.stop()
    }

    @Test(
        "names that are not valid, or belong to hosts, are refused",
        arguments: [
            ("hslink.host/started", "only hosts post"), ("nothing", "expected letters"), ("", "expected letters"),
            ("a/b/c", "expected letters"), ("a b/c", "expected letters"), ("a/", "expected letters"),
            ("a.b/" + String(repeating: "x", count: 300), "expected letters"), ("a.b/fine", "delivered"),
        ])
    func names(name: String, words: String) async throws {
        let host = try await loaded(.builtIn)
        let message = try await host.call("EventLink", "deliverNamed", ["name": .string(name)]).string()
        #expect(message.contains(words))
        await host.stop()
    }

    @Test("a handler of an event that cannot be posted is reported in the log, and removed like any other")
    func unpostable() async throws {
        let log = CollectedLog()
        let host = LinkHost(components: [], options: log.options)
        let seen = Collected<String>()
        let handler = host.events.on("signed in") { _ in seen.add("called") }
        #expect(log.lines.all.contains { $0.contains(#"the handled event "signed in" cannot be posted"#) })
        host.events.post("signed in", .null)
        #expect(await host.events.deliver("signed in", .null).refusal?.code == .payloadMismatch)
        await handler.remove()
        await host.stop()
        #expect(seen.all == [])
    }

    @Test("an event can be handled by its name", arguments: Depth.allCases)
    func byName(depth: Depth) async throws {
        let host = try await loaded(depth)
        #expect(await host.events.deliver("org.hslink.fixture/named", ["x": "y"]).handled == 1)
        #expect(try await told(host) == ["named \"y\""])
        await host.stop()
    }

    @Test("closures of the program are called after components until they are removed")
    func closures() async throws {
        let host = try await loaded(.builtIn)
        let seen = Collected<String>()
        let first = host.events.on(Changed.self) { event in seen.add("typed \(event.value)") }
        let second = host.events.on("org.hslink.fixture/changed", priority: 20) { payload in
            seen.add("named \(try payload.int("value"))")
            if try payload.int("value") == 7 { throw Refusal.notNow }
        }
        let outcome = await host.events.deliver(Changed(value: 7))
        #expect(seen.all == ["named 7", "typed 7"])
        #expect(outcome.handled == 4)
        #expect(outcome.failures.map(\.component) == [""])
        await second.remove()
        #expect(await host.events.deliver(Changed(value: 8)).handled == 4)
        await first.remove()
        #expect(await host.events.deliver(Changed(value: 9)).handled == 3)
        #expect(seen.all == ["named 7", "typed 7", "typed 8"])
        await host.stop()
    }

    @Test("a closure that is removed during the delivery is not called afterwards")
    func removal() async throws {
        let host = try Depth.builtIn.host()
        let seen = Collected<String>()
        let second = Collected<Registration>()
        let first = host.events.on("a/b", priority: 1) { _ in
            for registration in second.all { await registration.remove() }
        }
        second.add(host.events.on("a/b") { _ in seen.add("called") })
        #expect(await host.events.deliver("a/b", .null).handled == 1)
        #expect(seen.all == [])
        await first.remove()
        await host.stop()
    }

    @Test("a closure and a stream may ask for the last sticky event first")
    func sticky() async throws {
        let host = try Depth.builtIn.host()
        host.events.post(Changed(value: 1), sticky: true)
        host.events.post(Changed(value: 2), sticky: true)
        host.events.post(Changed(value: 3))
        let seen = Collected<Int>()
        host.events.on(Changed.self, sticky: true) { seen.add($0.value) }
        #expect(await seen.first(1) == [2])
        var values = host.events.stream(Changed.self, sticky: true).makeAsyncIterator()
        #expect(await values.next() == Changed(value: 2))
        await host.stop()
        #expect(await values.next() == nil)
    }

    @Test("a stream has the events from now on, and ends with the host")
    func stream() async throws {
        let host = try Depth.builtIn.host()
        let stream = host.events.stream(Changed.self)
        for value in 1...3 { host.events.post(Changed(value: value)) }
        host.events.post("org.hslink.fixture/changed", ["value": "no number"])
        host.events.post(Changed(value: 4))
        await host.stop()
        var values: [Int] = []
        for await event in stream { values.append(event.value) }
        #expect(values == [1, 2, 3, 4])
        var after = host.events.stream(Changed.self).makeAsyncIterator()
        #expect(await after.next() == nil)
        #expect(await host.events.deliver(Changed(value: 5)).refusal?.code == .stopped)
    }

    @Test("the program is told when the host starts and stops")
    func life() async throws {
        let host = try Depth.builtIn.host()
        let seen = Collected<String>()
        host.events.on(HostStarted.self) { _ in seen.add("started") }
        host.events.on(HostWillStop.self) { [weak host] _ in
            seen.add("will stop, \(host?.isAvailable("EventLink") == true)")
        }
        host.events.on(HostStopped.self) { _ in seen.add("stopped") }
        _ = await host.start()
        _ = await host.start()
        await host.stop()
        #expect(await seen.first(3) == ["started", "will stop, true", "stopped"])
    }

    @Test("a handler that starts or stops a host that is about to do so is answered at once")
    func lifeInHandlers() async throws {
        var options = HostOptions.quiet
        // Longer than the test waits.
        options.handlerTimeout = .seconds(3600)
        let host = LinkHost(components: [], includesBuiltIn: false, options: options)
        let seen = Collected<String>()
        host.events.on(HostStarted.self) { [host] _ in seen.add("started \(await host.start().started)") }
        host.events.on(HostWillStop.self) { [host] _ in
            let isEmpty = await host.stop(timeout: .seconds(3600)) == StopReport()
            seen.add("stops \(isEmpty)")
        }
        async let report = host.start()
        #expect(await seen.first(1) == ["started []"])
        #expect(await report.failures.isEmpty)
        async let end = host.stop(timeout: .seconds(3600))
        #expect(await seen.first(2) == ["started []", "stops true"])
        #expect(await end == StopReport())
    }

    @Test("why a component cannot be loaded for an event is logged once, and the event it may have meant is named")
    func notLoadedOnce() async throws {
        let log = CollectedLog()
        let event = "org.hslink.fixture/chagned"
        try await withPlugins("StartsBadly", "FixtureComponent") { (directory: PluginDirectory) async throws in
            let host = LinkHost(components: [directory.path], includesBuiltIn: false, options: log.options)
            for _ in 0..<3 {
                let outcome = await host.events.deliver(event, .null)
                #expect(outcome.failures.map(\.error.code) == [.notLoaded])
            }
            #expect(log.lines.all.count { $0.contains("the handler StartsBadlyLink.run") } == 1)
            let problems = host.events.all.first { $0.name == event }?.problems
            #expect(problems == ["no component posts it; did you mean org.hslink.fixture/changed?"])
            await host.stop()
        }
    }

    @Test("a component that is loaded later first receives the host's events that it missed", arguments: Depth.allCases)
    func missed(depth: Depth) async throws {
        let host = try depth.host()
        _ = await host.start()
        host.events.post(ApplicationActivated())
        host.events.post(MemoryPressure(level: .full))
        #expect(!host.isLoaded("EventLink"))
        // Memory need not be short any more.
        #expect(try await told(host) == ["started", "activated"])
        host.events.post(MemoryPressure(level: .some))
        let all = await holds { try await told(host).last == "pressure some" }
        #expect(all)
        #expect(try await told(host).count == 3)
        await host.stop()
    }

    @Test("events and their handlers are listed without loading anything", arguments: Depth.allCases)
    func listed(depth: Depth) async throws {
        let host = try depth.host()
        let events = host.events.all
        let changed = try #require(events.first { $0.name == "org.hslink.fixture/changed" })
        #expect(changed.handlers.map(\.selector) == ["changedSoon", "changed", "changedLate"])
        #expect(changed.posters == ["FixtureComponent"])
        #expect(changed.problems == [])
        let named = try #require(events.first { $0.name == "org.hslink.fixture/named" })
        #expect(named.problems == ["no component posts it"])
        let woken = try #require(events.first { $0.name == "org.hslink.fixture/woken" })
        #expect(woken.handlers.map(\.loads) == [true])
        #expect(woken.handlers.map(\.isConcurrent) == [false])
        let pressed = try #require(events.first { $0.name == MemoryPressure.eventName })
        #expect(pressed.handlers.map(\.isConcurrent) == [true])
        #expect(events.first { $0.name == "hslink.host/started" }?.posters == ["host"])
        #expect(!host.isLoaded("EventLink"))
        await host.stop()
    }
}
