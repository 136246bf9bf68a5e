import ComponentHost
import ComponentKit
import TestSupport
import Testing

/// A host that provides a ``TypedLink``, with the instance.
private struct TypedHost {
    let host: LinkHost
    let target: TypedLink

    init() async throws {
        host = LinkHost(components: [], provides: [ProvidedClass(TypedLink.self)], options: .quiet)
        let instance = try await host.call("TypedLink", "me")
        target = try __LinkCoding.value(of: instance, as: TypedLink.self)
    }

    func call(_ selector: String, _ payload: Payload = .null) async throws -> Payload {
        try await host.call("TypedLink", selector, payload)
    }
}

@Suite("Closures and instances in typed calls")
struct TypedReferenceTests {
    @Test("a closure of the caller is called with typed arguments")
    func closureIn() async throws {
        let typed = try await TypedHost()
        let offset = 40
        let body = try __LinkCoding.closure(
            { (number: Int, text: String) async throws -> String in "\(number + offset)\(text)" }, for: typed.host.link)
        #expect(try await typed.call("apply", Payload(__fields: ("body", body))) == "42x")
        let called = Collected<Int>()
        let tell = try __LinkCoding.closure({ () -> Void in called.add(1) }, for: typed.host.link)
        #expect(try await typed.call("tell", Payload(__fields: ("body", tell))) == true)
        #expect(called.all == [1])
        let none: (@Sendable () async throws -> Void)? = nil
        #expect(
            try await typed.call("tell", Payload(__fields: ("body", __LinkCoding.closure(none, for: typed.host.link))))
                == false)
        #expect(try await typed.call("tell") == false)
        await typed.host.stop()
    }

    @Test("a closure of the other side is a Swift closure")
    func closureOut() async throws {
        let typed = try await TypedHost()
        let reply = Payload(__fields: ("repeat", try await typed.call("repeater")))
        let repeater: @Sendable (String, Int) async throws -> String = try __LinkCoding.closure("repeat", in: reply)
        #expect(try await repeater("ab", 3) == "ababab")
        let optional: (@Sendable (String, Int) async throws -> String)? = try __LinkCoding.closure("repeat", in: reply)
        #expect(try await optional?("a", 1) == "a")
        let absent: (@Sendable (String, Int) async throws -> String)? = try __LinkCoding.closure("other", in: reply)
        #expect(absent == nil)
        await typed.host.stop()
        await #expect { try await repeater("ab", 3) } throws: { ($0 as? LinkError)?.code == .stopped }
    }

    @Test("arguments and results that do not fit are the caller's error")
    func mismatch() async throws {
        let typed = try await TypedHost()
        let reply = Payload(__fields: ("repeat", try await typed.call("repeater")))
        let few: @Sendable (String) async throws -> String = try __LinkCoding.closure("repeat", in: reply)
        await #expect { try await few("a") } throws: {
            ($0 as? LinkError)?.code == .payloadMismatch
                && "\($0)".contains("expected an array of 2 arguments, found 1")
        }
        let other: @Sendable (Int, Int) async throws -> String = try __LinkCoding.closure("repeat", in: reply)
        await #expect { try await other(1, 1) } throws: {
            ($0 as? LinkError)?.code == .payloadMismatch && "\($0)".contains("[0]: expected string, found int")
        }
        let result: @Sendable (String, Int) async throws -> Int = try __LinkCoding.closure("repeat", in: reply)
        await #expect { try await result("a", 1) } throws: { ($0 as? LinkError)?.code == .payloadMismatch }
        let object = try reply.object("repeat")
        #expect(await answer { try await object.call("", "text") }.error?.code == .payloadMismatch)
        #expect(throws: PayloadError.self) {
            let _: @Sendable () async throws -> Void = try __LinkCoding.closure("missing", in: reply)
        }
        #expect(throws: PayloadError.self) {
            let _: (@Sendable () async throws -> Void)? = try __LinkCoding.closure("n", in: ["n": 1] as Payload)
        }
        await typed.host.stop()
    }

    @Test("cancelling the task cancels the closure's")
    func cancel() async throws {
        let typed = try await TypedHost()
        let reply = Payload(__fields: ("sleep", try await typed.call("sleeper")))
        let sleeper: @Sendable () async throws -> Void = try __LinkCoding.closure("sleep", in: reply)
        let task = Task { try await sleeper() }
        _ = await typed.target.log.first(1)
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? LinkError)?.code == .cancelled }
        #expect(await typed.target.log.first(2) == ["asleep", "woken"])
        await typed.host.stop()
    }

    @Test("a thrown model is caught as itself, in every direction")
    func modelErrors() async throws {
        let typed = try await TypedHost()
        let failed = await answer { try await typed.call("refuse", ["reason": "no"]) }.error
        #expect(failed?.code == .methodFailed)
        #expect(failed?.domain == "model")
        #expect(failed?.details == ["model": "ComponentHostTests.RefusedError", "value": ["reason": "no", "code": 7]])
        #expect(failed?.original as? RefusedError == RefusedError(reason: "no", code: 7))
        let closure = try __LinkCoding.closure(
            { (number: Int, _: String) async throws -> String in throw RefusedError(reason: "closure", code: number) },
            for: typed.host.link)
        let inner = await answer { try await typed.call("apply", Payload(__fields: ("body", closure))) }.error
        #expect(inner?.original as? RefusedError == RefusedError(reason: "closure", code: 2))
        let unknown = LinkError(
            domain: "model", number: 1, message: "x", details: ["model": "Other.Error", "value": 1])
        #expect(unknown.original == nil)
        let unfit = LinkError(
            domain: "model", number: 1, message: "x", details: ["model": "ComponentHostTests.RefusedError", "value": 1])
        #expect(unfit.original == nil)
        #expect(LinkError(.stopped).original == nil)
        await typed.host.stop()
    }

    @Test("an instance comes back as itself, and only its own class accepts it")
    func instances() async throws {
        let typed = try await TypedHost()
        let me = try await typed.call("me")
        #expect(try await typed.call("isMe", Payload(__fields: ("instance", me))) == true)
        #expect(try __LinkCoding.value(of: me, as: TypedLink.self) === typed.target)
        #expect(throws: PayloadError.self) { try __LinkCoding.value(of: me, as: HostLink.self) }
        #expect(throws: PayloadError.self) { try __LinkCoding.value(of: "text" as Payload, as: TypedLink.self) }
        let map = Payload(__fields: ("me", me), ("none", nil))
        #expect(try __LinkCoding.value("me", in: map, as: TypedLink?.self) === typed.target)
        #expect(try __LinkCoding.value("none", in: map, as: TypedLink?.self) == nil)
        #expect(try __LinkCoding.value("other", in: map, as: TypedLink?.self) == nil)
        #expect(throws: PayloadError.self) { try __LinkCoding.value("other", in: map, as: TypedLink.self) }
        let closure = typed.host.link.closure { _ in 1 }
        do {
            _ = try __LinkCoding.value(of: closure, as: TypedLink.self)
            Issue.record("a closure is no instance")
        } catch {
            #expect(error.description.contains("instances travel between components as references only"))
        }
        #expect(throws: LinkError.self) { try __LinkCoding.payload(of: typed.target, for: nil as Link?) }
        #expect(try await typed.host.call("TypedLink", "hasLink", kind: .class) == true)
        await typed.host.stop()
    }

    @Test("an instance of another file is an error that says so")
    func foreignInstance() async throws {
        let host = try Depth.file.host()
        let counter = try await host.call("FixtureLink", "makeCounter")
        do {
            _ = try __LinkCoding.value(of: counter, as: HostLink.self)
            Issue.record("an instance of another file was taken")
        } catch {
            #expect(error.description.contains("an object of another component (FixtureCounter)"))
        }
        await host.stop()
    }
}

@Suite("Streams in typed calls")
struct TypedStreamTests {
    private func stream<Element: PayloadConvertible & Sendable>(
        _ typed: TypedHost, _ selector: String, _ payload: Payload = .null, of type: Element.Type
    ) async throws -> AsyncThrowingStream<Element, any Error> {
        try __LinkCoding.value(of: try await typed.call(selector, payload))
    }

    @Test("the elements arrive in order, each produced on request")
    func pulling() async throws {
        let typed = try await TypedHost()
        let numbers = try await stream(typed, "count", ["limit": 100], of: Int.self)
        #expect(typed.target.made.all.isEmpty)
        var seen: [Int] = []
        for try await number in numbers {
            seen.append(number)
            #expect(typed.target.made.all.count == seen.count)
        }
        #expect(seen == Array(1...100))
        #expect(await holds { typed.target.log.all == ["freed"] })
        await typed.host.stop()
    }

    @Test("a null element does not end the stream; any sequence may be the type")
    func nullElements() async throws {
        let typed = try await TypedHost()
        let reply = try await typed.call("endless")
        let any = try __LinkCoding.value(of: reply, as: (any AsyncSequence<Int?, any Error>).self)
        var seen: [Int?] = []
        for try await element in any {
            seen.append(element)
            if seen.count == 2 { break }
        }
        #expect(seen == [nil, 1])
        await typed.host.stop()
    }

    @Test("the producer's error arrives after the elements")
    func throwing() async throws {
        let typed = try await TypedHost()
        var seen: [Int] = []
        do {
            for try await number in try await stream(typed, "count", ["limit": 2, "error": "enough"], of: Int.self) {
                seen.append(number)
            }
            Issue.record("the stream ended without its error")
        } catch let error as RefusedError {
            #expect(error == RefusedError(reason: "enough", code: 2))
        }
        #expect(seen == [1, 2])
        await typed.host.stop()
    }

    @Test("an element of another type ends the stream with an error")
    func wrongElement() async throws {
        let typed = try await TypedHost()
        let texts = try await stream(typed, "count", ["limit": 2], of: String.self)
        await #expect { for try await _ in texts {} } throws: { ($0 as? LinkError)?.code == .payloadMismatch }
        await typed.host.stop()
    }

    @Test("releasing the stream ends the producer's iteration")
    func dropped() async throws {
        let typed = try await TypedHost()
        do {
            for try await number in try await stream(typed, "count", ["limit": 100], of: Int.self) where number == 3 {
                break
            }
        }
        #expect(await holds { typed.target.log.all == ["freed"] })
        #expect(typed.target.made.all == [1, 2, 3])
        do { _ = try await stream(typed, "count", ["limit": 100], of: Int.self) }
        #expect(await holds { typed.target.log.all == ["freed", "freed"] })
        await typed.host.stop()
    }

    @Test("cancelling the consumer's task ends the producer's iteration")
    func cancelled() async throws {
        let typed = try await TypedHost()
        let endless = try await stream(typed, "endless", of: Int?.self)
        let seen = Collected<Int?>()
        let task = Task { for try await element in endless { seen.add(element) } }
        _ = await seen.first(2)
        task.cancel()
        try await task.value
        #expect(await typed.target.log.first(1) == ["terminated"])
        await typed.host.stop()
    }

    @Test("one next at a time; cancel ends it; it has no other selectors")
    func selectors() async throws {
        let typed = try await TypedHost()
        let object = try await typed.call("endless").object()
        #expect(object.className == "stream")
        #expect(try await object.call("next") == ["value": nil])
        #expect(try await object.call("next") == ["value": 1])
        let waiting = Collected<Answer>()
        object.call("next") { waiting.add($0) }
        let second = await answer { try await object.call("next") }
        #expect(second.error?.message.contains("another next is in flight") == true)
        #expect(await answer { try await object.call("previous") }.error?.code == .selectorNotFound)
        #expect(try await object.call("cancel") == nil)
        #expect(await waiting.first(1).first?.returnValue == .some(nil))
        #expect(try await object.call("next") == nil)
        await typed.host.stop()
    }

    @Test("after stop a stream throws stopped, whether or not a reader waits")
    func stopped() async throws {
        let typed = try await TypedHost()
        let endless = try await stream(typed, "endless", of: Int?.self)
        let numbers = try await stream(typed, "count", ["limit": 5], of: Int.self)
        let seen = Collected<Int?>()
        let task = Task { for try await element in endless { seen.add(element) } }
        _ = await seen.first(2)
        await typed.host.stop()
        await #expect { try await task.value } throws: { ($0 as? LinkError)?.code == .stopped }
        await #expect { for try await _ in numbers {} } throws: { ($0 as? LinkError)?.code == .stopped }
    }

    @Test("a stream of the caller is read by the method")
    func argument() async throws {
        let typed = try await TypedHost()
        let numbers = AsyncStream<Int> { continuation in
            for number in 1...10 { continuation.yield(number) }
            continuation.finish()
        }
        let payload = Payload(__fields: ("numbers", try __LinkCoding.payload(of: numbers, for: typed.host.link)))
        #expect(try await typed.call("sum", payload) == 55)
        await #expect(throws: LinkError.self) { try await typed.call("sum", ["numbers": 1]) }
        await typed.host.stop()
    }
}
