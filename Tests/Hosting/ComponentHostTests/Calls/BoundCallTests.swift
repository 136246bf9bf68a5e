import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Bound calls")
struct BoundCallTests {
    @Test("binding loads the component, and reports a missing class or selector", arguments: Depth.allCases)
    func binding(depth: Depth) async throws {
        let host = try depth.host()
        for (className, selector, code) in [
            ("Missing", "sum", LinkError.Code.classNotFound), ("FixtureLink", "missing", .selectorNotFound),
        ] {
            let answer = await answer {
                try await onThread {
                    _ = try host.bind(className, selector)
                    return .null
                }
            }
            #expect(answer.error?.code == code)
            #expect(answer.error?.className == className)
            #expect(answer.error?.selector == selector)
        }
        #expect(host.isLoaded("FixtureLink"))
    }

    @Test("a bound call can be used from many threads", arguments: Depth.allCases)
    func manyThreads(depth: Depth) async throws {
        let host = try depth.host()
        let sum = try await onThread { try host.bind("FixtureLink", "sum") }
        let count = try await onThread { try host.bind("FixtureLink", "count") }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try await onThread {
                        var isRight = true
                        for number in 0..<5000 {
                            let payload: Payload = ["a": .int(Int64(thread)), "b": .int(Int64(number)), "c": 0]
                            isRight = try sum(payload) == Payload(thread + number) && isRight
                            _ = try count(.null)
                        }
                        return isRight
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(try await host.call("FixtureLink", "count") == 40_001)
        await host.stop()
    }

    @Test("a bound call keeps its host alive as far as needed", arguments: Depth.allCases)
    func outlives(depth: Depth) async throws {
        var host: LinkHost? = try depth.host()
        let bound = try #require(host).bind("FixtureLink", "count")
        #expect(try await bound.call(.null) == 1)
        host = nil
        #expect(await answer { try await bound.call(.null) }.error?.code == .stopped)
        #expect(await answer { try await bound.call(.null, timeout: .seconds(300)) }.error?.code == .stopped)
    }

    @Test("calls to a hanging provider do not affect calls to another one", arguments: Depth.allCases)
    func hangingProvider(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 3
        let host = try depth.host(provides: [ProvidedClass(HangingLink.self)], options: options)
        let valve = Valve()
        let hanging: Payload = [
            "class": "HangingLink", "selector": "apply", "payload": ["closure": valve.closure(host.link)],
        ]
        let answers = Collected<Answer>()
        for _ in 0..<10 {
            Task { answers.add(await CallForm.async.perform(host, "bindOther", hanging)) }
        }
        #expect(await holds { valve.arrivals == 3 })
        for timeout in [20.0, Payload.null] {
            let sum: Payload = [
                "class": "FixtureLink", "selector": "sum", "payload": ["a": 1, "b": 2, "c": 3], "timeout": timeout,
            ]
            try #require(try await host.call("FixtureLink", "bindOther", sum) == 6)
        }
        // A method that never blocks needs no slot.
        let quick: Payload = ["class": "HangingLink", "selector": "quick"]
        #expect(try await host.call("FixtureLink", "bindOther", quick) == "FixtureComponent")
        valve.open()
        #expect(await answers.first(10).allSatisfy { $0.returnValue == "passed" })
        await host.stop()
    }

    @Test("a component binds, too", arguments: Depth.allCases)
    func inComponent(depth: Depth) async throws {
        let host = try depth.host()
        for timeout in [Payload.null, 60.0] {
            var arguments: Payload = [
                "class": "FixtureLink", "selector": "sum", "payload": ["a": 1, "b": 2, "c": 3], "timeout": timeout,
            ]
            #expect(try await host.call("FixtureLink", "bindOther", arguments) == 6)
            arguments = ["class": "FixtureLink", "selector": "throwOwn", "timeout": timeout]
            let answer = await CallForm.async.perform(host, "bindOther", arguments)
            #expect(answer.error?.domain == "fixture")
            #expect(answer.error?.selector == "throwOwn")
            #expect(answer.error?.component == "FixtureComponent")
        }
        let caller: Payload = ["class": "FixtureLink", "selector": "caller"]
        #expect(try await host.call("FixtureLink", "bindOther", caller) == "FixtureComponent")
        let missing: Payload = ["class": "FixtureLink", "selector": "missing"]
        #expect(await CallForm.async.perform(host, "bindOther", missing).error?.code == .selectorNotFound)
        let noClass: Payload = ["class": "Missing", "selector": "missing"]
        let answer = await CallForm.async.perform(host, "bindOther", noClass)
        #expect(answer.error?.code == .classNotFound)
        #expect(answer.error?.className == "Missing")
    }
}

/// Hangs in the closure that it receives.
private final class HangingLink: LinkClass {
    init(_ context: ComponentContext) {}

    static let methods: [LinkMethod<HangingLink>] = [
        .method("apply") { _, payload in try payload.copy().object("closure").callAndWait() },
        .method("quick", quick: true) { _, _, call in call.caller },
    ]
}
