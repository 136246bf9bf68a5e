import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Which thread a method runs on")
struct ThreadTests {
    @Test("a quick selector of a loaded component runs in place, others do not", arguments: Depth.allCases)
    func quick(depth: Depth) async throws {
        let host = try depth.host()
        try await onThread { try host.load("FixtureComponent") }
        let quick = try await onThread { try host.bind("FixtureLink", "threadQuick") }
        let slow = try await onThread { try host.bind("FixtureLink", "thread") }
        // The first call makes the instance, which may take long, so it runs on a thread of the host.
        let first = currentThread()
        #expect(try await host.call("FixtureLink", "threadQuick").int() != first)
        // Nothing below suspends the task before the method has run, so the thread is the same.
        for _ in 0..<20 {
            let here = currentThread()
            #expect(try await host.call("FixtureLink", "threadQuick").int() == here)
            let boundHere = currentThread()
            #expect(try await quick.call(.null).int() == boundHere)
            let before = currentThread()
            #expect(try await host.call("FixtureLink", "thread").int() != before)
            let boundBefore = currentThread()
            #expect(try await slow.call(.null).int() != boundBefore)
        }
    }

    @Test("blocking forms and callbacks without a deadline run in place", arguments: Depth.allCases)
    func inPlace(depth: Depth) async throws {
        let host = try depth.host()
        try await onThread { () throws in
            let here = currentThread()
            let threads = Collected<Int>()
            #expect(try host.callAndWait("FixtureLink", "thread").int() == here)
            #expect(try host.bind("FixtureLink", "thread")(.null).int() == here)
            host.link.call("FixtureLink", "thread") { value, _, _ in
                threads.add(currentThread())
                threads.add((try? value?.int()) ?? 0)
            }
            try host.bind("FixtureLink", "thread").call(.null) { answer in
                threads.add(currentThread())
                threads.add((try? answer.returnValue?.int()) ?? 0)
            }
            #expect(threads.all == [here, here, here, here])
        }
    }

    @Test(
        "with a deadline a method runs elsewhere, unless it is quick and its instance exists",
        arguments: Depth.allCases,
        ["thread", "threadAsync", "threadQuick"])
    func detached(depth: Depth, selector: String) async throws {
        let host = try depth.host()
        try await onThread { () throws in
            let here = currentThread()
            #expect(try host.callAndWait("FixtureLink", selector, timeout: .seconds(300)).int() != here)
            let isQuick = selector == "threadQuick"
            let named = try host.callAndWait("FixtureLink", selector, timeout: .seconds(300)).int()
            #expect((named == here) == isQuick)
            let bound = try host.bind("FixtureLink", selector)(.null, timeout: .seconds(300)).int()
            #expect((bound == here) == isQuick)
        }
    }

    @Test("a quick method that misses the deadline is cancelled; one whose deadline has passed is not called")
    func quickDeadline() async throws {
        try await withHost(["NeverReplies"]) { host, _ async throws in
            try await onThread { try host.load("NeverReplies") }
            func begun() async throws -> Int { try await host.call("NeverRepliesLink", "begun", kind: .class).int() }
            func check(_ form: CallForm, _ timeout: Duration) async {
                let answer = await form.perform(
                    host, "runQuick", className: "NeverRepliesLink", kind: .class, timeout: timeout)
                #expect(answer.error?.code == .deadlineExceeded)
                #expect(answer.error?.component == "NeverReplies")
            }
            var expected = 0
            for form in CallForm.allCases {
                try await withMorePatience { timeout in
                    await check(form, timeout)
                    return try await begun() > expected
                }
                expected += 1
                for timeout in [Duration.zero, .seconds(-1)] { await check(form, timeout) }
                #expect(try await begun() == expected)
            }
            // Notified on a thread of the host, possibly a moment later.
            let isTold = await holds {
                try await host.call("NeverRepliesLink", "cancelled", kind: .class).int() == expected
            }
            #expect(isTold)
            #expect(host.info("NeverReplies")?.callsInFlight == 0)
        }
    }

    @Test("blocked methods take no thread from others", arguments: Depth.allCases)
    func manyBlocked(depth: Depth) async throws {
        let host = try depth.host()
        let valve = Valve()
        let closure = valve.closure(host.link)
        let answers = Collected<Answer>()
        for _ in 0..<32 {
            Task { answers.add(await CallForm.async.perform(host, "apply", ["closure": closure])) }
        }
        #expect(await holds { valve.arrivals == 32 })
        #expect(try await host.call("FixtureLink", "sum", ["a": 1, "b": 2, "c": 3]) == 6)
        valve.open()
        #expect(await answers.first(32).allSatisfy { $0.returnValue == "passed" })
        await host.stop()
    }

    @Test("calls beyond the limit wait their turn", arguments: Depth.allCases)
    func concurrencyLimit(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 3
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = valve.closure(host.link)
        let answers = Collected<Answer>()
        for _ in 0..<10 {
            Task { answers.add(await CallForm.async.perform(host, "apply", ["closure": closure])) }
        }
        #expect(await holds { valve.arrivals == 3 })
        // The deadline of a call that waits its turn passes before it begins.
        let late = await CallForm.async.perform(host, "count", timeout: .milliseconds(20))
        #expect(late.error?.code == .deadlineExceeded)
        #expect(valve.arrivals == 3)
        valve.open()
        #expect(await answers.first(10).allSatisfy { $0.returnValue == "passed" })
        #expect(try await host.call("FixtureLink", "count") == 1)
    }

    @Test("a call that is cancelled while it waits its turn releases its payload", arguments: Depth.allCases)
    func givenUp(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 1
        let host = try depth.host(options: options)
        let valve = Valve()
        let closure = valve.closure(host.link)
        let answers = Collected<Answer>()
        Task { answers.add(await CallForm.async.perform(host, "apply", ["closure": closure])) }
        #expect(await holds { valve.arrivals == 1 })
        final class Passenger: Sendable {}
        weak var passenger: Passenger?
        do {
            let boarding = Passenger()
            passenger = boarding
            let payload: Payload = [
                "closure": host.link.closure { [boarding] _ in
                    withExtendedLifetime(boarding) {}
                    return Payload.null
                }
            ]
            let late = await CallForm.async.perform(host, "apply", payload, timeout: .milliseconds(20))
            #expect(late.error?.code == .deadlineExceeded)
        }
        #expect(await holds { passenger == nil })
        valve.open()
        #expect(await answers.first(1).first?.returnValue == "passed")
        await host.stop()
    }

    @Test("the payload of a call is not released on the shared thread", arguments: Depth.allCases)
    func lettingGo(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 1
        let host = try depth.host(options: options)
        let valve = Valve()
        let first = Task {
            await answer { try await host.call("FixtureLink", "apply", ["closure": valve.closure(host.link)]) }
        }
        #expect(await holds { valve.arrivals == 1 })
        final class Passenger: Sendable {
            let ends: Collected<Bool>
            init(_ ends: Collected<Bool>) { self.ends = ends }
            deinit { unsafe ends.add(ThreadContext.current.state.pointee.servesAll) }
        }
        let ends = Collected<Bool>()
        let codes = Collected<LinkError.Code?>()
        // They wait their turn until their deadline; no one else holds their payloads.
        for _ in 0..<10 {
            let passenger = Passenger(ends)
            host.link.call(
                "FixtureLink", "apply",
                [
                    "closure": host.link.closure { _ in
                        withExtendedLifetime(passenger) {}
                        return Payload.null
                    }
                ], timeout: .milliseconds(50)
            ) { codes.add($0.error?.code) }
        }
        #expect(await codes.first(10) == Array(repeating: .deadlineExceeded, count: 10))
        #expect(await ends.first(10) == Array(repeating: false, count: 10))
        valve.open()
        #expect(await first.value.returnValue == "passed")
        await host.stop()
    }

    @Test("a component whose calls all sleep keeps its share of threads, and others continue")
    func share() async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 2
        // A few more calls than its share of threads.
        options.threadLimit = 264
        try await withPlugins("NeverReplies", "CGood", "FixtureComponent") { directory async throws in
            let host = LinkHost(
                components: [directory.path], includesBuiltIn: false, provides: [], options: options)
            let call: Payload = ["class": "NeverRepliesLink", "selector": "run", "kind": "class"]
            let answers = Collected<LinkError.Code?>()
            let calls = (0..<300).map { _ in
                Task { answers.add(await answer { try await host.call("FixtureLink", "callOther", call) }.error?.code) }
            }
            #expect(await holds { host.info("NeverReplies")?.callsInFlight == 256 })
            // Not quick, so on a thread of the host.
            #expect(try await host.call("CGoodLink", "sum", ["a": 40, "b": 2], kind: .class) == 42)
            #expect(host.info("NeverReplies")?.callsInFlight == 256)
            for call in calls { call.cancel() }
            #expect(await answers.first(300).allSatisfy { $0 == .cancelled || $0 == .stuck })
            await host.stop(timeout: .zero)
        }
    }

    @Test("a main actor method answers asynchronous callers", arguments: Depth.allCases)
    func onMain(depth: Depth) async throws {
        let host = try depth.host()
        for form in [CallForm.callback, .async, .blocking, .boundAsync, .boundCallback, .boundBlocking] {
            #expect(await form.perform(host, "onMain").returnValue == "main")
        }
        let counter = try await host.call("FixtureLink", "makeCounter").object()
        #expect(try await counter.call("onMain") == "main")
    }

    @Test("the main actor does not wait for itself")
    func mainWaits() async {
        // In a separate process, because a failure would wait forever.
        await #expect(processExitsWith: .success) {
            exitWhenStuck()
            let host = try Depth.builtIn.host()
            await MainActor.run {
                do throws(LinkError) {
                    _ = try host.callAndWait("FixtureLink", "onMain")
                    exit(1)
                } catch {
                    guard error.code == .wouldDeadlock, error.selector == "onMain" else { exit(2) }
                }
                do throws(LinkError) {
                    _ = try host.bind("FixtureLink", "onMain")(.null)
                    exit(1)
                } catch {
                    guard error.code == .wouldDeadlock, error.selector == "onMain" else { exit(2) }
                }
            }
        }
    }

    @Test("the main thread does not wait for itself through a component or an object")
    func mainWaitsInside() async {
        do {
            await #expect(processExitsWith: .success) {
                exitWhenStuck()
                let host = try Depth.builtIn.host()
                await MainActor.run {
                    let arguments: Payload = ["class": "FixtureLink", "selector": "onMain"]
                    do throws(LinkError) {
                        _ = try host.callAndWait("FixtureLink", "callOther", arguments)
                        exit(1)
                    } catch {
                        guard error.code == .wouldDeadlock else { exit(2) }
                    }
                }
            }
        }
        do {
            await #expect(processExitsWith: .success) {
                exitWhenStuck()
                let host = try Depth.builtIn.host()
                let counter = try await host.call("FixtureLink", "makeCounter").object()
                await MainActor.run {
                    do throws(LinkError) {
                        _ = try counter.callAndWait("onMain")
                        exit(1)
                    } catch {
                        guard error.code == .wouldDeadlock else { exit(2) }
                    }
                }
            }
        }
    }
}

/// Identifies threads, like the fixture.
func currentThread() -> Int { Int(truncatingIfNeeded: pthread_self()) }
