import ComponentHost
import ComponentKit
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A component in C that uses every part of the contract")
struct CGoodTests {
    @Test("class methods", arguments: FixtureCase.cGood)
    func classMethods(row: FixtureCase) async throws {
        try await withHost(["CGood"], provides: [ProvidedClass(HostLink.self)]) { host, _ async throws in
            row.check(await host.blockingCall(row.className, row.selector, row.payload, kind: row.kind))
            row.check(await answer { try await host.call(row.className, row.selector, row.payload, kind: row.kind) })
            row.check(
                await answer {
                    try await host.call(
                        row.className, row.selector, row.payload, kind: row.kind, timeout: .seconds(300))
                })
        }
    }

    @Test("every kind of value makes a round trip, and arrives as C made it")
    func types() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let value = try await host.value("CGoodLink", "types")
            #expect(value == CGoodTests.types)
            #expect(try value.entries().map(\.key) == CGoodTests.types.entries().map(\.key))
            let echoed = try await host.value("CGoodLink", "echo", CGoodTests.types)
            #expect(echoed == CGoodTests.types)
            #expect(try Payload(cbor: value.cbor()) == value)
        }
    }

    private static let types: Payload = [
        "null": nil, "true": true, "false": false, "int": -42, "intMin": .int(.min), "intMax": .int(.max),
        "uint": .uint(.max), "double": 0.1, "string": "Grüße 组件", "stringWithNul": "a\0b", "emptyString": "",
        "bytes": .bytes([0, 1, 0, 255]), "emptyBytes": .bytes([]),
        "date": .date(Timestamp(seconds: 1_700_000_000, nanoseconds: 123_456_789)),
        "dateBefore1970": .date(Timestamp(seconds: -86_400, nanoseconds: 999_999_999)),
        "array": [1, "two", 3.5], "emptyArray": [],
        "map": ["leaf": ["list": [1, "two", 3.5]], "": "the empty key"], "emptyMap": [:],
    ]

    @Test("an error arrives with domain, number, details and cause, even through the host")
    func errors() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let through: Payload = ["class": "CGoodLink", "selector": "fail"]
            for (selector, payload) in [("fail", Payload.null), ("viaHost", through), ("viaBound", through)] {
                let error = try #require(await host.blockingCall("CGoodLink", selector, payload).error)
                #expect(error.code == .methodFailed)
                #expect(error.domain == "CGood")
                #expect(error.number == 42)
                #expect(error.message == "CGood fails because it was asked to")
                #expect(error.details == ["reason": "asked to", "attempt": 3])
                #expect(error.cause?.message == "the cause of the failure")
                #expect(error.cause?.code == .methodFailed)
                #expect(error.className == "CGoodLink")
                #expect(error.selector == "fail")
                #expect(error.component == "CGood")
            }
        }
    }

    @Test("the context of a call has the deadline and the caller")
    func describe() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let plain = try await host.value("CGoodLink", "describe")
            #expect(plain == ["deadline": 0, "caller": "", "hasComponent": true, "isCancelled": false])
            let before = Deadline.after(.seconds(300)).nanoseconds
            let hurried = try await host.value("CGoodLink", "describe", timeout: .seconds(300))
            let deadline = try hurried.uint("deadline")
            #expect(deadline >= before)
            #expect(deadline <= Deadline.after(.seconds(300)).nanoseconds)
            let request: Payload = ["class": "CGoodLink", "selector": "describe"]
            for selector in ["viaHost", "viaBound"] {
                let nested = try await host.value("CGoodLink", selector, request)
                #expect(nested == ["deadline": 0, "caller": "CGood", "hasComponent": true, "isCancelled": false])
                // The deadline of the outer call is passed on.
                let passedOn = try await host.value("CGoodLink", selector, request, timeout: .seconds(300))
                #expect(try passedOn.uint("deadline") >= before)
            }
        }
    }

    @Test("it asks the host which classes exist")
    func ask() async throws {
        try await withHost(["CGood", "CxxGood"], provides: [ProvidedClass(HostLink.self)]) {
            host, directory async throws in
            let rows: [(Payload, available: Bool, loaded: Bool)] = [
                (["class": "CGoodLink", "selector": "sum"], true, true),
                (["class": "CGoodLink", "selector": "sum", "kind": "object"], false, true),
                (["class": "CGoodLink", "selector": "none"], false, true),
                (["class": "CxxGoodLink", "selector": "echo"], true, false),
                (["class": "HostLink", "selector": "greet", "kind": "object"], true, true),
                (["class": "Missing", "selector": "sum"], false, false),
                ([:], false, false),
            ]
            _ = try await host.value("HostLink", "version")
            for (payload, available, loaded) in rows {
                let value = try await host.value("CGoodLink", "ask", payload)
                #expect(
                    value == [
                        "available": .bool(available), "loaded": .bool(loaded), "component": "CGood",
                        "directory": .string(directory.path),
                    ])
            }
        }
    }

    @Test("the class decides whether one instance is shared or each call has its own")
    func instances() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            for expected in 1...3 {
                let shared = try await host.value("CGoodLink", "count", kind: .object)
                #expect(shared == .int(Int64(expected)))
                let own = try await host.value("CGoodCounter", "increment", kind: .object)
                #expect(own == 1)
            }
            #expect(try await host.value("CGoodLink", "liveInstances") == 1)
            #expect(try await host.value("CGoodLink", "kind", kind: .object) == "object")
            #expect(try await host.value("CGoodLink", "kind", kind: .class) == "class")
        }
    }

    @Test("an object lives as long as its references, and answers stopped afterwards")
    func objects() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            do {
                let counter = try await host.value("CGoodLink", "makeCounter").object()
                #expect(counter.className == "CGoodCounter")
                let first = try await onThread { try counter.callAndWait("increment") }
                #expect(first == 1)
                let second = try await host.link.call(counter, "increment")
                #expect(second == 2)
                let third = try await host.link.call(counter, "increment")
                #expect(third == 3)
                let error = await answer { try await counter.call("decrement") }.error
                #expect(error?.code == .selectorNotFound)
                #expect(error?.className == "CGoodCounter")
                #expect(error?.selector == "decrement")
                let echoed = try await host.value("CGoodLink", "echo", ["counter": Payload(counter)])
                let fourth = try await onThread { try echoed.object("counter").callAndWait("increment") }
                #expect(fourth == 4)
                #expect(try await host.value("CGoodLink", "liveInstances") == 1)
            }
            #expect(await holds { try await host.value("CGoodLink", "liveInstances") == 0 })

            let kept = try await host.value("CGoodLink", "makeCounter").object()
            await host.stop()
            for _ in 0..<2 {
                let error = await answer { try await onThread { try kept.callAndWait("increment") } }.error
                #expect(error?.code == .stopped)
                #expect(error?.classIsLoad == false)
            }
        }
    }

    @Test("closures are called back at once, and later from another thread")
    func closures() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let threads = Lock<[UInt]>([])
            let double = host.link.closure { argument in
                threads.withLock { $0.append(UInt(pthread_self())) }
                return Payload(try argument.int("n") * 2)
            }
            let asyncDouble = host.link.asyncClosure { argument in
                await Task.yield()
                return Payload(try argument.int("n") * 2)
            }
            for closure in [double, asyncDouble] {
                for selector in ["apply", "applyLater"] {
                    let payload: Payload = ["closure": closure, "argument": ["n": 21]]
                    let value = try await host.value("CGoodLink", selector, payload)
                    #expect(value == 42)
                    let detached = try await host.call("CGoodLink", selector, payload, kind: .class)
                    #expect(detached == 42)
                    let wrong = await host.blockingCall(
                        "CGoodLink", selector, ["closure": closure, "argument": ["n": "x"]])
                    #expect(wrong.error?.code == .payloadMismatch)
                    #expect(wrong.error?.message.contains("n: expected int") == true)
                }
            }
            let own = try await onThread {
                threads.withLock { $0 = [] }
                let payload: Payload = ["closure": double, "argument": ["n": 1]]
                _ = try host.callAndWait("CGoodLink", "apply", payload, kind: .class)
                _ = try host.callAndWait("CGoodLink", "applyLater", payload, kind: .class)
                return UInt(pthread_self())
            }
            let used = threads.withLock { $0 }
            #expect(used.count == 2)
            #expect(used.first == own)
            #expect(used.last != own)
        }
    }

    @Test("an error that a closure throws is the caller's error")
    func closureErrors() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let failing = host.link.closure { _ throws -> Payload in
                throw LinkError(domain: "Test", number: 9, message: "the closure does not want to")
            }
            for selector in ["apply", "applyLater"] {
                let error = try #require(await host.blockingCall("CGoodLink", selector, ["closure": failing]).error)
                #expect(error.domain == "Test")
                #expect(error.number == 9)
                #expect(error.message == "the closure does not want to")
            }
            // An object is not a closure, but it answers by itself.
            let counter = try await host.value("CGoodLink", "makeCounter")
            let error = await host.blockingCall("CGoodLink", "apply", ["closure": counter]).error
            #expect(error?.code == .selectorNotFound)
            let missing = await host.blockingCall("CGoodLink", "apply", ["closure": 7]).error
            #expect(missing?.code == .payloadMismatch)
        }
    }

    @Test("16 threads at once get their own answers")
    func threads() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let sums = try await withThrowingTaskGroup(of: Int.self) { group in
                for thread in 0..<16 {
                    group.addTask {
                        try await onThread {
                            let sum = try host.bind("CGoodLink", "sum", kind: .class)
                            return try (0..<200).reduce(0) {
                                $0 + (try sum(["a": .int(Int64(thread)), "b": .int(Int64($1))]).int())
                            }
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sums.sorted() == (0..<16).map { $0 * 200 + 19_900 })
        }
    }
}

extension FixtureCase {
    fileprivate static let greet: Payload = [
        "class": "HostLink", "selector": "greet", "kind": "object", "payload": ["name": "Ada"],
    ]

    static let cGood: [FixtureCase] = [
        performed("CGood", "echo", gives: nil),
        performed("CGood", "echo", ["deep": [[[["x"]]]]], gives: ["deep": [[[["x"]]]]]),
        performed("CGood", "sum", ["a": 40, "b": 2], gives: 42),
        performed("CGood", "sum", ["b": .int(.min), "a": .int(.max)], gives: -1),
        performed("CGood", "viaHost", greet, gives: "host greets Ada of CGood"),
        performed("CGood", "viaBound", greet, gives: "host greets Ada of CGood"),
        performed(
            "CGood", "viaHost", ["class": "CGoodLink", "selector": "sum", "payload": ["a": 1, "b": 2]], gives: 3),
        performed(
            "CGood", "viaBound", ["class": "CGoodLink", "selector": "sum", "payload": ["a": 1, "b": 2]], gives: 3),
        performed("CGood", "kind", kind: .class, gives: "class"),
        performed("CGood", "kind", kind: .object, gives: "object"),
        failed("CGood", "sum", code: .payloadMismatch, "a: expected an integer"),
        failed("CGood", "none", code: .selectorNotFound, "no such selector"),
        failed("CGood", "sum", kind: .object, code: .selectorNotFound, "no such selector"),
        failed("CGood", "count", code: .selectorNotFound, "no such selector"),
        failed("CGood", "fail", code: .methodFailed, "asked to", domain: "CGood", number: 42),
    ]
}
