import ComponentHost
import ComponentKit
import ForeignFunctions
import TestSupport
import Testing

@Suite("Callbacks")
struct CallbackTests {
    @Test("a closure is called on a C thread, and its error fails the call")
    func foreignThread() async throws {
        try await withLibraries("plain") { host async throws in
            let seen = Lock<[Payload]>([])
            let function = host.link.typedClosure { (value: Int, text: String) -> Int in
                seen.withLock { $0.append([Payload(value), .string(text)]) }
                guard value < 10 else { throw LinkError(domain: "test", number: 1, message: "too large") }
                return value * 2
            }
            #expect(try await host.call("Plain", "plain_on_thread", ["function": function, "value": 4]) == 8)
            #expect(seen.withLock { $0 } == [[4, "from a thread"]])
            let error = await failure {
                try await host.call("Plain", "plain_on_thread", ["function": function, "value": 10])
            }
            #expect(error?.message == "too large")
        }
    }

    @Test("a callback lives as long as the handle that keeps it")
    func kept() async throws {
        try await withLibraries("plain") { host async throws in
            weak var witness: Witness?
            do {
                let token = Witness()
                witness = token
                let function = host.link.typedClosure { (value: Int, _: String?) in
                    token.count.withLock { $0 += 1 }
                    return value + 1
                }
                let kept = try await host.call("Plain", "plain_keep", ["function": function])
                for value in 0..<5 {
                    #expect(
                        try await host.call("Plain", "plain_call_kept", ["kept": kept, "value": Payload(value)])
                            == Payload(value + 1))
                }
                #expect(token.count.withLock { $0 } == 5)
            }
            // The thread of the last call may be about to release its payload.
            #expect(await holds { witness == nil })
        }
    }

    @Test("values of every kind go through a callback")
    func values() async throws {
        try await withLibraries("plain") { host async throws in
            let pair = host.link.typedClosure { (pair: Payload) -> Payload in
                return ["x": .double(try pair.double("x") + 1), "y": .double(try pair.double("y") + 1)]
            }
            #expect(
                try await host.call("Plain", "plain_map_pair", ["pair": ["x": 1, "y": 2], "function": pair])
                    == ["x": 2.0, "y": 3.0])
            let square = host.link.typedClosure { (value: Double) in value * value }
            #expect(try await host.call("Plain", "plain_map_double", ["value": 1.5, "function": square]) == 2.25)
            let next = host.link.typedClosure { (value: Int) in value + 1 }
            #expect(try await host.call("Plain", "plain_map_byte", ["value": 254, "function": next]) == 255)
            let over = await failure {
                try await host.call("Plain", "plain_map_byte", ["value": 255, "function": next])
            }
            #expect(
                over?.message
                    == "the result of the callback does not fit: the payload: expected int from 0 to 255, found int 256"
            )
            let asynchronous = host.link.asyncClosure { call in
                try await Task.sleep(for: .milliseconds(5))
                return try call.value(0).double() + 1
            }
            #expect(
                try await host.call("Plain", "plain_map_double", ["value": 1, "function": asynchronous]) == 2.0)
        }
    }

    @Test("a callback may call the same library again, with a handle that the call holds")
    func nested() async throws {
        try await withLibraries("plain") { host async throws in
            let box = try await host.call("Plain", "plain_box", ["value": 10])
            let link = host.link
            let function = link.typedClosure { (value: Double) in
                guard value > 0 else { return value }
                _ = try link.callAndWait("Plain", "plain_add", ["box": box, "amount": 1])
                return value + 1
            }
            #expect(try await host.call("Plain", "plain_map_double", ["value": 3, "function": function]) == 4.0)
            #expect(try await host.call("Plain", "plain_value", ["box": box]) == 11)
        }
    }

    @Test("a struct that a closure fills in has no remains of what was in C's memory")
    func output() async throws {
        try await withLibraries("plain") { host async throws in
            let name = host.link.typedClosure { () -> Payload in ["out": ["name": "ab"], "return": 0] }
            #expect(try await host.call("Plain", "plain_named", ["function": name]) == 2)
            let rename = host.link.typedClosure { (_: Payload) -> Payload in ["value": ["name": "ab"], "return": 0] }
            #expect(try await host.call("Plain", "plain_renamed", ["function": rename]) == 2)
            let seen = Lock<Payload>(.null)
            let data = host.link.typedClosure { (data: Payload, length: Int) -> Int in
                seen.withLock { $0 = data }
                return length
            }
            #expect(try await host.call("Plain", "plain_measured", ["function": data]) == 3)
            #expect(seen.withLock { $0 } == .bytes(Array("abc".utf8)))
            let misfit = host.link.typedClosure { () -> Payload in ["out": ["name": "ab"], "return": "x"] }
            let error = await failure { try await host.call("Plain", "plain_named", ["function": misfit]) }
            #expect(error?.message.contains("return: expected int") == true, "\(error?.message ?? "none")")
        }
    }

    @Test("a callback kept by a handle is kept permanently if there is no handle")
    func keptByNobody() async throws {
        try await withLibraries("plain") { host async throws in
            weak var witness: Witness?
            do {
                let token = Witness()
                witness = token
                let function = host.link.typedClosure { (value: Int, _: String?) in
                    token.count.withLock { $0 += 1 }
                    return value + 1
                }
                _ = try await host.call("Plain", "plain_remember", ["box": nil, "function": function])
            }
            #expect(witness != nil)
            #expect(try await host.call("Plain", "plain_call_remembered", ["value": 4]) == 5)
        }
    }

    @Test("an invalid length from C fails the call", arguments: [1 << 61, 1 << 62, Int.max, -1, 1 << 29])
    func lengths(count: Int) async throws {
        try await withLibraries("plain") { host async throws in
            let seen = Lock<[Payload]>([])
            let function = host.link.typedClosure { (_: Int, items: Payload) -> Payload in
                seen.withLock { $0.append(items) }
                return .null
            }
            _ = try await host.call("Plain", "plain_items", ["count": 4, "function": function])
            let error = await failure {
                try await host.call("Plain", "plain_items", ["count": Payload(count), "function": function])
            }
            #expect(error?.message == "items: the length that C passed is out of range")
            #expect(seen.withLock { $0 } == [[1, 2, 3, 4]])
        }
    }

    @Test(
        "values without an owner are not passed to C",
        arguments: [
            (
                "int run(int (*function)(char **out));", #"{"function.out": "out"}"#,
                "function: out: the memory behind its pointers would have no owner"
            ),
            (
                "struct h; int run(int (*function)(struct h **out));", #"{"function.out": "out"}"#,
                "function: out: the memory behind its pointers would have no owner"
            ),
            (
                "typedef struct { int kind; const char *text; } R; int run(int (*function)(R *out));",
                #"{"function.out": "inout"}"#, "function: out: the memory behind its pointers would have no owner"
            ),
            (
                "int run(int (*function)(const char **out, int n));", #"{"function.out": "out items[n]"}"#,
                "function: out: the memory behind its pointers would have no owner"
            ),
            (
                "typedef struct { int n; char *text[2]; } R; int run(R (*function)(int n));", "{}",
                "function: return: the memory behind its pointers would have no owner"
            ),
            (
                "int run(char *(*function)(int n));", #"{"function.return": "string"}"#,
                "function: return: returned data needs \"free\" if C frees it with free(), or \"kept\" if it lives as long as the "
                    + "callback, as in \"string free\""
            ),
        ])
    func ownerless(declarations: String, annotations: String, reason: String) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "\(declarations)", "annotations": {"run": \(annotations)}}
                    """))
        #expect(description.refusals.map { "\($0.name): \($0.reason)" } == ["run: \(reason)"])
    }

    @Test("callbacks of many calls at once do not mix")
    func concurrent() async throws {
        try await withLibraries("plain") { host async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let function = host.link.typedClosure { (value: Int, _: String) in value + number }
                        let result = try await host.call(
                            "Plain", "plain_on_thread", ["function": function, "value": 1000])
                        #expect(try result.int() == 1000 + number)
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// An object that is deallocated with its last reference.
private final class Witness: Sendable {
    let count = Lock(0)
}
