import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Instances and closures that travel")
struct ObjectTests {
    @Test("an instance keeps its state across calls from many threads", arguments: Depth.allCases)
    func counter(depth: Depth) async throws {
        let host = try depth.host()
        let counter = try await host.call("FixtureLink", "makeCounter").object()
        #expect(counter.className == "FixtureCounter")
        let other = try await host.call("FixtureLink", "makeCounter").object()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread { for _ in 0..<1000 { _ = try counter.callAndWait("increment") } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await onThread { try counter.callAndWait("increment", ["by": 2]) } == 8002)
        #expect(try await counter.call("increment") == 8003)
        #expect(try await host.link.call(counter, "increment") == 8004)
        #expect(try await host.link.call(counter, "increment", timeout: .seconds(300)) == 8005)
        #expect(try await other.call("increment") == 1)
        let answers = Collected<Answer>()
        counter.call("increment") { answers.add($0) }
        #expect(answers.all.first?.returnValue == 8006)
        let missing = await answer { try await counter.call("missing") }
        #expect(missing.error?.code == .selectorNotFound)
        #expect(missing.error?.className == "FixtureCounter")
        #expect(missing.error?.selector == "missing")
        await host.stop()
    }

    @Test("after stop an instance answers stopped, and can still be released", arguments: Depth.allCases)
    func afterStop(depth: Depth) async throws {
        var host: LinkHost? = try depth.host()
        let counter = try await host?.call("FixtureLink", "makeCounter").object()
        let adder = try await host?.call("FixtureLink", "adder", ["amount": 3]).object()
        await host?.stop()
        host = nil
        for object in [try #require(counter), try #require(adder)] {
            let selector = object.className == "closure" ? "" : "increment"
            #expect(await answer { try await object.call(selector, 1) }.error?.code == .stopped)
            #expect(await answer { try await onThread { try object.callAndWait(selector, 1) } }.error?.code == .stopped)
        }
    }

    @Test("a component returns a closure", arguments: Depth.allCases)
    func adder(depth: Depth) async throws {
        let host = try depth.host()
        let adder = try await host.call("FixtureLink", "adder", ["amount": 40]).object()
        #expect(adder.className == "closure")
        #expect(try await adder.call("", 2) == 42)
        #expect(try await onThread { try adder.callAndWait("", -40) } == 0)
        #expect(await answer { try await adder.call("", "two") }.error?.code == .payloadMismatch)
        #expect(await answer { try await adder.call("named", 2) }.error?.code == .selectorNotFound)
        // Pass it back as an argument.
        let arguments: Payload = ["closure": Payload(adder), "argument": 1]
        #expect(try await host.call("FixtureLink", "apply", arguments) == 41)
    }

    @Test(
        "a component calls a closure of the host, on this and on another thread",
        arguments: Depth.allCases, ["apply", "applyLater"])
    func closure(depth: Depth, selector: String) async throws {
        let host = try depth.host()
        let seen = Collected<Payload>()
        let closure = host.link.closure { argument in
            seen.add(try argument.copy())
            return ["got": try argument.copy()] as Payload
        }
        for form in [CallForm.async, .blocking, .boundAsync] {
            let answer = await form.perform(host, selector, ["closure": closure, "argument": [1, "x", nil]])
            #expect(answer.returnValue == ["got": [1, "x", nil]])
        }
        #expect(seen.all == [[1, "x", nil], [1, "x", nil], [1, "x", nil]])
    }

    @Test("a closure with typed arguments and no result answers null", arguments: Depth.allCases)
    func closureWithoutResult(depth: Depth) async throws {
        let host = try depth.host()
        let seen = Collected<String>()
        let closure = host.link.typedClosure { (text: String, times: Int) in
            guard times > 0 else { throw LinkError(domain: "test", number: 1, message: "never") }
            seen.add(String(repeating: text, count: times))
        }
        for (argument, code) in [
            (["a", 2], nil), (["b", 0], .methodFailed), ([1, 2], .payloadMismatch), (["c"], .payloadMismatch),
        ] as [(Payload, LinkError.Code?)] {
            let arguments: Payload = ["closure": closure, "argument": argument]
            let answer = await answer { try await host.call("FixtureLink", "apply", arguments) }
            #expect(answer.error?.code == code, "\(argument)")
            #expect(code != nil || answer.returnValue == .null)
        }
        #expect(seen.all == ["aa"])
    }

    @Test("an asynchronous closure of the host", arguments: Depth.allCases, ["apply", "applyLater"])
    func asyncClosure(depth: Depth, selector: String) async throws {
        let host = try depth.host()
        let closure = host.link.asyncClosure { argument in
            await Task.yield()
            return try argument.int() + 1
        }
        #expect(try await host.call("FixtureLink", selector, ["closure": closure, "argument": 1]) == 2)
    }

    @Test("a closure's error becomes the caller's error", arguments: Depth.allCases, ["apply", "applyLater"])
    func throwing(depth: Depth, selector: String) async throws {
        let host = try depth.host()
        let own = host.link.closure { _ -> Payload in
            throw LinkError(domain: "test", number: 42, message: "not today", details: ["day": "Monday"])
        }
        let answer = await CallForm.async.perform(host, selector, ["closure": own])
        #expect(answer.error?.code == .methodFailed)
        #expect(answer.error?.domain == "test")
        #expect(answer.error?.number == 42)
        #expect(answer.error?.message == "not today")
        #expect(answer.error?.details == ["day": "Monday"])
        let other = host.link.asyncClosure { _ -> Payload in throw CocoaError(.fileNoSuchFile) }
        let second = await CallForm.async.perform(host, selector, ["closure": other])
        #expect(second.error?.code == .methodFailed)
        #expect(second.error?.domain.contains("CocoaError") == true)
    }

    @Test("a closure is freed with its last reference", arguments: Depth.allCases, ["apply", "applyLater", "echo"])
    func released(depth: Depth, selector: String) async throws {
        let host = try depth.host()
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            let closure = host.link.closure { [kept] _ in kept.text }
            for _ in 0..<10 { _ = try await host.call("FixtureLink", selector, ["closure": closure]) }
        }
        #expect(await holds { token == nil })
    }

    @Test("an object that travels through echo is the same", arguments: Depth.allCases)
    func echo(depth: Depth) async throws {
        let host = try depth.host()
        let counter = try await host.call("FixtureLink", "makeCounter")
        let returned = try await host.call("FixtureLink", "echo", ["counter": counter]).object("counter")
        #expect(try await counter.object().call("increment") == 1)
        #expect(try await returned.call("increment") == 2)
    }

    @Test(
        "object calls that nest too deep fail as too deep, not as stopped",
        arguments: Depth.allCases)
    func tooDeep(depth: Depth) async throws {
        let host = try depth.host()
        let counter = try await host.call("FixtureLink", "makeCounter").object()
        let component = try #require(host.core.registry.unit(named: "FixtureComponent")?.loaded)
        let code = try await onThread { () -> LinkError.Code? in
            let thread = ThreadContext.current
            while unsafe thread.enter(component.runState.identity) {}
            defer { thread.leave(to: 0) }
            do throws(LinkError) {
                _ = try counter.callAndWait("increment")
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code == .tooDeep)
        #expect(try await counter.call("increment") == 1)
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }
}
