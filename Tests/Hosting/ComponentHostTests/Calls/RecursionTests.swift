import CHSLink
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Recursion through a host")
struct RecursionTests {
    @Test("is refused beyond a depth, with the chain of calls, and the host keeps running", arguments: Depth.allCases)
    func inPlace(depth: Depth) async throws {
        let host = try depth.host()
        let answer = await CallForm.blocking.perform(host, "nest", ["depth": 3000])
        #expect(answer.error?.code == .tooDeep)
        #expect(answer.classIsLoad)
        #expect(answer.error?.message.contains("FixtureLink.nest → FixtureLink.nest → ") == true)
        #expect(answer.error?.message.contains(" more …") == true)
        // Sanitizers make frames larger.
        let depth = BuiltProducts.sanitizer == nil ? 300 : 50
        #expect(await CallForm.blocking.perform(host, "nest", ["depth": Payload(depth)]).returnValue == Payload(depth))
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("counts across threads of the host too", arguments: Depth.allCases)
    func overThreads(depth: Depth) async throws {
        let host = try depth.host()
        let answer = await CallForm.blocking.perform(host, "nest", ["depth": 600, "timeout": 300])
        #expect(answer.error?.code == .tooDeep)
        #expect(answer.error?.message.contains("FixtureLink.nest → FixtureLink.nest → ") == true)
        #expect(await CallForm.blocking.perform(host, "nest", ["depth": 20, "timeout": 300]).returnValue == 20)
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("is refused in an object in C that makes no brackets, at the depth of calls")
    func objectInC() async throws {
        try await withHost(["Carries"]) { host, _ async throws in
            let object = try await host.value("CarriesLink", "asker").object()
            let answer = await ComponentHostTests.answer {
                // Far more stack than the calls need, so that it is their number that is limited.
                try await onOwnThread(stackSize: 64 << 20) { try object.callAndWait("recur") }
            }
            #expect(answer.error?.code == .tooDeep)
            #expect(answer.error?.message.contains("(an object) → (an object)") == true)
            #expect(try await object.call("depth") == 512)
            // The marks are removed again.
            #expect(try await object.call("now") == [:])
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
        }
    }

    @Test("has its share of the threads of all components", arguments: Depth.allCases)
    func share(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.sleeperLimit = 10
        let host = try depth.host(options: options)
        let answer = await CallForm.async.perform(host, "nest", ["depth": 20, "timeout": 300])
        #expect(answer.error?.code == .tooDeep)
        #expect(await CallForm.async.perform(host, "nest", ["depth": 9, "timeout": 300]).returnValue == 9)
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("does not mark a component as failed to start", arguments: [449, 470, 509, 510, 511])
    func start(levels: Int) async throws {
        try await withHost(["Unbalanced", "CreateCallsBack", "CGood"]) { host, _ async throws in
            let call: Payload = ["levels": .int(Int64(levels))]
            #expect(try await host.value("UnbalancedLink", "deep", call) == Payload(Int(HSLINK_ERROR_TOO_DEEP)))
            #expect(try await host.value("CreateCallsBackLink", "answer") == 42)
        }
    }

    @Test("code on a separate stack can make calls")
    func fiber() async throws {
        try await withHost(["OnFiber", "CGood"]) { host, _ async throws in
            for _ in 0..<3 { #expect(try await host.value("OnFiberLink", "run") == 42) }
            #expect(try await host.call("OnFiberLink", "run", kind: .class) == 42)
        }
    }
}

@Suite("Replies that are passed on in a chain")
struct ChainTests {
    @Test("end or are cancelled, for any length of the chain")
    func long() async throws {
        try await withHost(["Chain"]) { host, _ async throws in
            let answer = try await host.call("ChainLink", "start", ["links": 20_000], kind: .class)
            #expect(answer == true)
            let hanging = Task {
                await ComponentHostTests.answer {
                    try await host.call("ChainLink", "start", ["links": 19_999, "hangs": true], kind: .class)
                }
            }
            // Excludes the calls of the earlier chain.
            #expect(await holds { try await host.value("ChainLink", "begun") == 19_999 })
            hanging.cancel()
            #expect(await hanging.value.error?.code == .cancelled)
            #expect(await holds { host.info("Chain")?.callsInFlight == 0 })
        }
    }

    @Test("a thread that sleeps for a reply that is passed on gives one place away, and takes it back once")
    func passedOn() async throws {
        try await withHost(["PassesOn", "NeverReplies"], options: .quiet) { host, directory async throws in
            try directory.add("FixtureComponent")
            host.rescan()
            let call: Payload = ["class": "PassesOnLink", "selector": "run", "kind": "class"]
            let begun = try await host.value("NeverRepliesLink", "begun").int()
            let task = Task { await answer { try await host.call("FixtureLink", "callOther", call) } }
            #expect(await holds { try await host.value("NeverRepliesLink", "begun").int() > begun })
            let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
            #expect(await holds { limiter.sleepingCount > 0 })
            #expect(await holds { host.info("PassesOn")?.callsInFlight == 1 })
            #expect(limiter.sleepingCount == 1)
            await host.stop(timeout: .milliseconds(50))
            #expect(await task.value.error?.code == .cancelled)
            #expect(await holds { limiter.sleepingCount == 0 })
        }
    }

    @Test("a thread is awake once its own call has ended, although the call that the reply was passed on to goes on")
    func awake() async throws {
        try await withHost(["PassesOn", "NeverReplies"], options: .quiet) { host, directory async throws in
            try directory.add("FixtureComponent")
            host.rescan()
            // Both are in memory, so the quick method runs in place.
            _ = try await host.value("PassesOnLink", "thread")
            _ = try await host.value("NeverRepliesLink", "begun")
            let call: Payload = [
                "class": "PassesOnLink", "selector": "runQuick", "kind": "class", "timeout": 0.1,
                "payload": ["handles": true],
            ]
            // Repeat until the deadline does not pass before the reply is passed on.
            let goesOn = await holds {
                let call = await answer { try await host.call("FixtureLink", "callOther", call) }
                #expect(call.error?.code == .deadlineExceeded)
                return (host.info("NeverReplies")?.callsInFlight ?? 0) > 0
            }
            #expect(goesOn)
            let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
            #expect(await holds { limiter.sleepingCount == 0 })
            #expect((host.info("NeverReplies")?.callsInFlight ?? 0) > 0)
            await host.stop(timeout: .milliseconds(50))
            #expect(limiter.sleepingCount == 0)
        }
    }

    @Test("a handler that is set afterwards is discarded on a thread that it may block")
    func handler() async throws {
        try await withHost(["PassesOn", "NeverReplies"]) { host, _ async throws in
            // Repeat until the deadline does not pass before the handler is set.
            let isDiscarded = await holds {
                let call = await host.blockingCall("PassesOnLink", "run", ["handles": true, "milliseconds": 100])
                #expect(call.error?.code == .deadlineExceeded)
                return try await host.value("PassesOnLink", "thread") != ""
            }
            #expect(isDiscarded)
            // Not that of the timer, which ends the call.
            #expect(try await host.value("PassesOnLink", "thread") == "hslink-caller")
        }
    }
}
