import ComponentHost
import ComponentKit
import ForeignFunctions
import Testing

@Suite("Values and functions behind pointers")
struct ObjectTests {
    @Test("any value comes back as itself")
    func values() async throws {
        try await withLibraries("plain") { host async throws in
            let box = try await host.call("Plain", "plain_box", ["value": 7])
            for value in [1, "text", [1, [2, 3]], ["a": ["b": .null]], .bytes([0, 255])] as [Payload] {
                #expect(try await host.call("Plain", "plain_same", ["value": value]) == value)
            }
            let same = try await host.call("Plain", "plain_same", ["value": ["box": box]])
            #expect(try await host.call("Plain", "plain_value", ["box": try #require(same["box"])]) == 7)
        }
    }

    @Test("a pointer that belongs to no value is an error")
    func foreign() async throws {
        try await withLibraries("plain") { host async throws in
            let error = await failure { try await host.call("Plain", "plain_elsewhere") }
            #expect(error?.code == .invalidReply)
            #expect(error?.message.contains("belongs to no value") == true)
        }
    }

    @Test("a function of the library is passed by its name")
    func functions() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(
                try await host.call("Plain", "plain_apply", ["function": "plain_twice", "value": 4]) == 8)
            let next = host.link.typedClosure { (value: Int) in value + 1 }
            #expect(try await host.call("Plain", "plain_apply", ["function": next, "value": 4]) == 5)
            #expect(try await host.call("Plain", "plain_apply_twice", ["value": 4]) == 8)
            // Nothing is passed for a function that the library does not have.
            for (selector, payload) in [
                ("plain_apply_missing", ["value": 4]),
                ("plain_apply", ["function": "plain_missing_twice", "value": 4]),
            ] as [(String, Payload)] {
                let error = await failure { try await host.call("Plain", selector, payload) }
                #expect(error?.code == .payloadMismatch && error?.message.contains("function") == true, "\(selector)")
            }
            // One of another type would read its argument from another place.
            for name in ["plain_long_twice", "plain_twise", "malloc", ""] {
                let error = await failure {
                    try await host.call("Plain", "plain_apply", ["function": .string(name), "value": 4])
                }
                #expect(error?.code == .payloadMismatch, "\(name)")
                #expect(error?.message.contains("the name of a function of this type") == true)
            }
        }
    }

    @Test(
        "functions of other types, and pointers to data, are refused as constants",
        arguments: [
            (#""function": "= g""#, "g is not a function of the type"),
            (#""value": "= g""#, "g is not a function of the type"),
            (#""function": "= h""#, "there is no parameter or constant"), (#""value": "object""#, "needs a void *"),
            (#""value": "function""#, "no function of the type"), (#""function": "function""#, nil),
            (#""function": "= i""#, nil),
        ])
    func refused(annotation: String, reason: String?) throws {
        let json = """
            {"name": "x", "version": "1.0.0", "library": "libx.so", "class": "X", "declarations": [
                "void f(int (*function)(int a), const char *value); long g(int a); int i(int b);"],
                "annotations": {"f": {\(annotation)}}}
            """
        let description = try LibraryDescription(Payload(json: json))
        let found = description.refusals.first { $0.name == "f" }
        if let reason {
            #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
        } else {
            #expect(found == nil)
        }
    }

    @Test(
        "what could be used after it is freed, or read as something else, is refused",
        arguments: [
            (
                "H *f(const char *a, ...);", #"{"f": {"a": "copied", "...": "(const char *) items[null]"}}"#,
                #"only "copied" is possible"#
            ),
            ("int f(int a, ...);", #"{"f": {"...": "(int) items[null] kept"}}"#, #"can only be "copied""#),
            ("int f(int (*g)(H *h)); int d(H *h);", #"{"f": {"g": "function"}}"#, "no function of the type"),
            ("int f(char *(*g)(int a));", #"{"f": {"g.return": "string free else 5"}}"#, "C can only get null"),
            ("extern const char *const f;", #"{"f": {"return": "string[4]"}}"#, #"can only be "string""#),
            ("extern unsigned char f[4294967299];", "{}", "is too large"),
        ])
    func unsafeDescriptions(declarations: String, annotations: String, reason: String) throws {
        let json = """
            {"name": "x", "version": "1.0.0", "library": "libx.so", "class": "X", "handles": {"H": "d"},
                "declarations": ["typedef struct H H; \(declarations)"], "annotations": \(annotations)}
            """
        let found = try LibraryDescription(Payload(json: json)).refusals.first { $0.name == "f" }
        #expect(found?.reason.contains(reason) == true, "\(String(describing: found))")
    }

    @Test("a function that takes pointers is no closure, because its type does not say what they mean")
    func pointersOfFunctions() async throws {
        try await withLibraries("plain") { host async throws in
            let error = await failure {
                try await host.call("Plain", "plain_visit_box", ["value": 3, "visit": "plain_value_of"])
            }
            #expect(error?.code == .payloadMismatch && error?.message.contains("a closure") == true)
        }
    }

    @Test("a handle that comes out is released where the place of an error fails the call, whatever the result's rule")
    func handlesOfFailures() async throws {
        try await withLibraries("plain") { host async throws in
            let before = try await host.call("Plain", "plain_released").int()
            for _ in 0..<3 {
                let error = await failure { try await host.call("Plain", "plain_box_or_failure", ["value": 3]) }
                #expect(error?.message == "as asked" && error?.number == 3)
            }
            let after = try await host.call("Plain", "plain_released").int()
            #expect(after >= before + 3)
        }
    }

    @Test("arguments that end with a null pointer may be as many as there are")
    func ended() async throws {
        try await withLibraries("plain") { host async throws in
            func length(_ texts: [String]) async throws -> Payload {
                try await host.call(
                    "Plain", "plain_length_of_all", ["first": "12", "...": .array(texts.map { .string($0) })])
            }
            #expect(try await length([]) == 2)
            #expect(try await length(["345", "", "6"]) == 6)
            #expect(try await length(Array(repeating: "x", count: 63)) == 65)
            #expect(try await host.call("Plain", "plain_length_of_all", ["first": "12"]) == 2)
            let many = await failure { try await length(Array(repeating: "x", count: 64)) }
            #expect(many?.message.contains("at most 63 items") == true)
            #expect(
                try await host.call("Plain", "plain_weighted", ["first": "1", "...": ["ab", 3, "c", -1]]) == 6)
            let odd = await failure {
                try await host.call("Plain", "plain_weighted", ["first": "1", "...": ["ab", 3, "c"]])
            }
            #expect(odd?.message.contains("a multiple of 2") == true)
            let wrong = await failure {
                try await host.call("Plain", "plain_weighted", ["first": "1", "...": ["ab", "c"]])
            }
            #expect(wrong?.code == .payloadMismatch)
        }
    }

    @Test("closures return texts and handles to C")
    func answers() async throws {
        try await withLibraries("plain") { host async throws in
            let answer = host.link.typedClosure { (question: Int) -> String? in
                question == 1 ? "four" : "seventy"
            }
            #expect(try await host.call("Plain", "plain_ask", ["answer": answer]) == 4)
            #expect(try await host.call("Plain", "plain_ask_twice", ["answer": answer]) == 407)
            let nothing = host.link.typedClosure { (_: Int) -> String? in nil }
            #expect(try await host.call("Plain", "plain_ask", ["answer": nothing]) == -1)
            let nul = host.link.typedClosure { (_: Int) -> String? in "a\0b" }
            let error = await failure { try await host.call("Plain", "plain_ask", ["answer": nul]) }
            #expect(error?.message.contains("NUL") == true)
            let box = try await host.call("Plain", "plain_box", ["value": 7])
            let choose = host.link.closure { _ in box }
            #expect(try await host.call("Plain", "plain_choose", ["choose": choose]) == 7)
            let empty = host.link.closure { _ in Payload.null }
            let none = await failure { try await host.call("Plain", "plain_choose", ["choose": empty]) }
            #expect(none?.message.contains("expected an object Box, found null") == true)
            let other = host.link.closure { _ in 3 }
            let wrong = await failure { try await host.call("Plain", "plain_choose", ["choose": other]) }
            #expect(wrong?.message.contains("an object Box") == true)
        }
    }

    @Test("a handle that a closure has returned cannot be released while C may use it")
    func returnedHandle() async throws {
        try await withLibraries("plain") { host async throws in
            let boxes = try await [
                host.call("Plain", "plain_box", ["value": 7]), host.call("Plain", "plain_box", ["value": 9]),
            ]
            let errors = Lock<[String]>([])
            let count = Lock(0)
            let choose = host.link.closure { _ throws(LinkError) in
                let index = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if index == 1 {
                    do throws(LinkError) {
                        _ = try host.link.callAndWait("Plain", "plain_release", ["box": boxes[0]])
                    } catch {
                        errors.withLock { $0.append(error.message) }
                    }
                }
                return boxes[index]
            }
            #expect(try await host.call("Plain", "plain_choose_twice", ["choose": choose]) == 709)
            #expect(
                errors.withLock { $0 } == [
                    "the handle Box is in use by a call that has not returned, or by a closure that has returned it"
                ])
            // The function pointer has ended with the call.
            #expect(try await host.call("Plain", "plain_release", ["box": boxes[0]]) == .null)
        }
    }
}
