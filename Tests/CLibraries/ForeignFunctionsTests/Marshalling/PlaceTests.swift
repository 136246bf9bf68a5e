import ComponentHost
import ComponentKit
import ForeignFunctions
import Testing

@Suite("Values in unusual places of memory")
struct PlaceTests {
    // MARK: Bit-fields

    private static let flags: Payload = [
        "level": 5, "delta": -16, "on": true, "colour": 3, "wide": .int((1 << 40) - 1), "deep": .int(-(1 << 49)),
    ]

    @Test("bit-fields go in and out with their ranges and signs")
    func bits() async throws {
        try await withLibraries("memory") { host async throws in
            let sum: Int64 = 5 - 16 + 1 + 3 + (1 << 40) - 1 - (1 << 49)
            #expect(try await host.call("Memory", "memory_flags_sum", ["flags": PlaceTests.flags]) == .int(sum))
            let inverted = try await host.call("Memory", "memory_flags_invert", ["flags": PlaceTests.flags])
            #expect(
                inverted["flags"] == [
                    "level": 2, "delta": 15, "on": false, "colour": 3, "wide": 0, "deep": .int((1 << 49) - 1),
                ])
            let named = try await host.call("Memory", "memory_flags_sum", ["flags": ["colour": "MEMORY_GREEN"]])
            #expect(named == 3)
            #expect(
                try await host.call(
                    "Memory", "memory_mix", ["mixture": ["ratio": 1.5, "low": -2048, "high": 7], "by": 2])
                    == ["ratio": 3.0, "low": 7, "high": -2048])
        }
    }

    @Test(
        "a number that a bit-field cannot hold is an error",
        arguments: [
            ("level", Payload(8), "expected int from 0 to 7, found int 8"),
            ("level", -1, "expected int from 0 to 7, found int -1"),
            ("delta", 16, "expected int from -16 to 15, found int 16"), ("delta", true, "int from -16 to 15"),
            ("on", 1, "expected bool, found int"), ("wide", .uint(.max), "expected int from 0 to 1099511627775"),
            ("deep", .uint(1 << 63), "found uint"), ("colour", "MEMORY_BLUE", "found string"),
            ("other", 1, "unknown key"),
        ])
    func range(field: String, value: Payload, message: String) async throws {
        try await withLibraries("memory") { host async throws in
            let error = await failure {
                try await host.call("Memory", "memory_flags_sum", ["flags": .map([(field, value)])])
            }
            #expect(error?.code == .payloadMismatch)
            #expect(error?.message.contains("flags.\(field): ") == true, "\(String(describing: error))")
            #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        }
    }

    // MARK: What functions leave

    @Test("arrays, bytes and structs that a function leaves in the place of a pointer come out, and are freed")
    func left() async throws {
        try await withLibraries("memory") { host async throws in
            #expect(
                try await host.call("Memory", "memory_split", ["text": "to be or"])
                    == ["count": 3, "words": ["to", "be", "or"], "return": 0])
            #expect(try await host.call("Memory", "memory_split", ["text": ""])["words"] == [])
            #expect(
                try await host.call("Memory", "memory_double", ["bytes": .bytes([1, 0, 3])])
                    == ["doubled": .bytes([1, 0, 3, 1, 0, 3]), "length": 6, "return": 0])
            #expect(
                try await host.call("Memory", "memory_find", ["x": 4])
                    == ["place": ["x": 4, "name": "here"], "return": 1])
            #expect(
                try await host.call("Memory", "memory_primes", ["below": 20])
                    == ["primes": [2, 3, 5, 7, 11, 13, 17, 19], "count": 8])
            #expect(await failure { try await host.call("Memory", "memory_find", ["x": -1]) }?.code == .methodFailed)
            #expect(try await host.call("Memory", "memory_left") == 0)
        }
    }

    @Test("a value that C leaves in the place of a pointer comes back as itself, and any other pointer is an error")
    func objects() async throws {
        try await withLibraries("memory") { host async throws in
            let value: Payload = ["list": [1, "two"]]
            #expect(try await host.call("Memory", "memory_return", ["value": value]) == ["same": value, "return": 1])
            #expect(try await host.call("Memory", "memory_return")["same"] == .null)
            let error = await failure { try await host.call("Memory", "memory_elsewhere") }
            #expect(error?.message.contains("belongs to no value") == true, "\(String(describing: error))")
        }
    }

    // MARK: Structs with memory

    @Test("C fills in the memory of a struct, and callers say how much there is")
    func rooms() async throws {
        try await withLibraries("memory") { host async throws in
            let first = try await host.call(
                "Memory", "memory_convert", ["output": ["size": 3], "input": ["source": .bytes(Array("hello".utf8))]])
            #expect(
                first == [
                    "output": ["target": .bytes(Array("HEL".utf8)), "size": 3, "position": 3],
                    "input": ["size": 5, "position": 3], "return": 2,
                ])
            let rest = try await host.call(
                "Memory", "memory_convert",
                ["output": ["size": 100], "input": ["source": .bytes(Array("hello".utf8)), "position": 3]])
            #expect(rest["output"]?["target"] == .bytes(Array("LO".utf8)))
            #expect(
                try await host.call("Memory", "memory_move", ["moving": ["rest": 4], "letter": 97, "count": 3])
                    == ["moving": ["next": "aaa", "rest": 1], "return": 0])
            #expect(
                try await host.call("Memory", "memory_move", ["moving": [:], "letter": 97, "count": 3])
                    == ["moving": ["next": "", "rest": 0], "return": 3])
        }
    }

    @Test(
        "what does not belong to the memory of a struct is an error",
        arguments: [
            (["size": 3, "target": .bytes([1])], "output.target: expected no value, because it is an output"),
            (["size": -1], "output.size: expected int from 0"),
            (["size": .int(1 << 40)], "output.target: expected room for at most"),
        ] as [(Payload, String)])
    func wrongRooms(output: Payload, message: String) async throws {
        try await withLibraries("memory") { host async throws in
            let error = await failure {
                try await host.call("Memory", "memory_convert", ["output": output, "input": ["source": .bytes([])]])
            }
            #expect(error?.code == .payloadMismatch)
            #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        }
    }

    @Test("a struct that comes out is cleared after it has been read, but not if the call has failed")
    func cleared() async throws {
        try await withLibraries("memory") { host async throws in
            for _ in 0..<3 {
                #expect(
                    try await host.call("Memory", "memory_record", ["kind": 7])
                        == ["record": ["kind": 7, "text": "abc", "length": 3], "return": 1])
            }
            #expect(await failure { try await host.call("Memory", "memory_record", ["kind": -1]) } != nil)
            #expect(try await host.call("Memory", "memory_records") == 0)
        }
    }

    // MARK: Closures that return data

    @Test("a closure returns bytes or text, and C gets the length")
    func returned() async throws {
        try await withLibraries("memory") { host async throws in
            for (bytes, sum) in [([1, 0, 3], 3004), ([], 0), (Array(repeating: 1, count: 5000), 5_005_000)]
                as [([UInt8], Int)]
            {
                let closure = host.link.closure { _ in Payload.bytes(bytes) }
                #expect(try await host.call("Memory", "memory_ask", ["answer": closure]) == Payload(sum))
            }
            let none = host.link.closure { _ in Payload.null }
            #expect(try await host.call("Memory", "memory_ask", ["answer": none]) == 0)
            let missing = await failure { try await host.call("Memory", "memory_ask_text", ["answer": none]) }
            #expect(missing?.message.contains("expected string, found null") == true, "\(String(describing: missing))")
            let text = host.link.closure { _ in "héllo" }
            #expect(try await host.call("Memory", "memory_ask_text", ["answer": text]) == 6006)
            let long = host.link.closure { _ in Payload.string(String(repeating: "a", count: 256)) }
            let error = await failure { try await host.call("Memory", "memory_ask_text", ["answer": long]) }
            #expect(error?.message.contains("expected a length") == true, "\(String(describing: error))")
            let wrong = host.link.closure { _ in 5 }
            #expect(await failure { try await host.call("Memory", "memory_ask", ["answer": wrong]) } != nil)
        }
    }

    // MARK: Arguments for "..."

    @Test("arguments for \"...\" keep the ranges of their types")
    func variadic() async throws {
        try await withLibraries("memory") { host async throws in
            #expect(try await host.call("Memory", "memory_sum", ["...": [true, -3, 7, 0.5]]) == 770.5)
            for (values, message) in [
                ([1, -3, 7, 0.5], "\"...\"[0]: expected bool"),
                ([true, 128, 7, 0.5], "\"...\"[1]: expected int from -128 to 127"),
                ([true, 1, -1, 0.5], "\"...\"[2]: expected int from 0 to 65535"),
                ([true, 1, 1, 1e300], "\"...\"[3]: expected a number that fits into a float"),
            ] as [(Payload, String)] {
                let error = await failure { try await host.call("Memory", "memory_sum", ["...": values]) }
                #expect(error?.message.contains(message) == true, "\(String(describing: error))")
            }
        }
    }

    @Test(
        "a struct of an integer and a floating-point number may have any other place",
        arguments: [
            "long a, long b, long c, long d, double x, struct s p",
            "long a, long b, long c, long d, long e, struct s p",
            "long a, long b, long c, long d, long e, long f, double x, struct s p",
        ])
    func places(parameters: String) throws {
        let json = """
            {"name": "x", "version": "1.0.0", "library": "libx.so", "class": "X", "declarations":
            ["struct s { long n; double d; }; void f(\(parameters));"]}
            """
        #expect(try LibraryDescription(Payload(json: json)).refusals == [])
    }

    // MARK: Refusals

    @Test(
        "what cannot be in a place is refused",
        arguments: [
            (
                "typedef struct { int n : 3; char *text; } S; int f(const S *s);", #""s.text": "string[n]""#,
                #"s: text: "n" is a bit-field, which can tell nothing about other fields"#
            ),
            (
                "typedef struct { int n : 3; } S; int f(const S *s, const char *text);", #""text": "bytes[s->n]""#,
                #"text: "s->n" is a bit-field"#
            ),
            (
                "typedef struct { char *text; int n; } S; int f(S *s);", #""s": "in", "s.text": "out string[n]""#,
                #"s: text: "out" in a struct needs "inout" for the struct"#
            ),
            (
                "typedef struct { const char *text; int n; } S; int f(S *s);",
                #""s": "inout", "s.text": "out string[n]""#,
                "read-only"
            ),
            (
                "typedef struct { char *text; int n; } S; int f(S *s);", #""s": "inout", "s.text": "out string[n; m]""#,
                #"no parameter or constant "m""#
            ),
            (
                "typedef struct { char *text; int n; } S; int f(S s);", #""s.text": "out string[n]""#,
                #"text: "out" in a struct needs "inout""#
            ),
            (
                "int f(const void *(*answer)(int *length));",
                #""answer.length": "in", "answer.return": "bytes[length] kept""#,
                #"must be a parameter that is "out""#
            ),
            (
                "int f(const void *(*answer)(int *length));",
                #""answer.length": "out", "answer.return": "bytes[length]""#, #"returned data needs "free""#
            ),
            (
                "struct s { long n; double d; }; void f(long a, long b, long c, long d, long e, double x, struct s p);",
                "",
                "which libffi does incorrectly"
            ),
            (
                "struct s { long n; float d; }; struct b { long l[3]; }; struct b f(struct s p, long b, long c, long d, float x, struct s y);",
                "", "which libffi does incorrectly"
            ),
            (
                "struct a { int n : 32; }; struct s { char c; struct a a; } __attribute__((packed)); int f(struct s p);",
                "",
                "fields that are not aligned"
            ),
            ("int f(char *const *p);", #""p": "out string free""#, "read-only"),
            (
                "struct h; int f(struct h *p, void *o);", #""o": "object keeps p""#,
                #""keeps" is for handles that come out"#
            ),
            ("int f(int n, ...);", #""...": "(int) nullable""#, #""..." cannot be "nullable""#),
            ("int f(int n, ...);", #""...": "(int, ...)""#, "cannot end with"),
        ])
    func refusals(declarations: String, annotations: String, reason: String) throws {
        let json = """
            {"name": "x", "version": "1.0.0", "library": "libx.so", "class": "X", "declarations": ["\(declarations)"],
            "annotations": {"f": {\(annotations)}}}
            """
        let description = try LibraryDescription(Payload(json: json))
        #expect(description.refusals.count == 1)
        #expect(description.refusals.first?.reason.contains(reason) == true, "\(description.refusals)")
    }
}
