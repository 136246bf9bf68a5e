import ComponentHost
import ComponentKit
import ForeignFunctions
import TestSupport
import Testing

@Suite("Numbers of formulas and rules")
struct NumberTests {
    @Test(
        "a rule compares in the type of the result",
        arguments: [
            // As ZSTD_isError and its like: size_t results near the maximum are errors.
            ("uint64_t", "error if > -120", Payload.uint(.max - 118), true),
            ("uint64_t", "error if > -120", .uint(.max - 119), false),
            ("uint64_t", "error if > -120", 5, false),
            ("uint64_t", "error if > -120", .uint(1 << 63), false),
            ("uint64_t", "error if >= 0x8000000000000000", .uint(1 << 63), true),
            ("uint64_t", "error unless < 18446744073709551615", .uint(.max), true),
            ("uint64_t", "error if UNKNOWN", .uint(.max), true),
            ("uint64_t", "error if UNKNOWN", 1, false),
            ("uint32_t", "error if > -120", .int(Int64(UInt32.max) - 118), true),
            ("uint32_t", "error if > -120", .int(Int64(UInt32.max) - 119), false),
            ("int64_t", "error if < 0", -1, true),
            ("int64_t", "error if < 0", 1, false),
            ("int32_t", "error if 0xFFFFFFFF", -1, true),
        ])
    func rules(type: String, rule: String, value: Payload, isFailure: Bool) async throws {
        let text = """
            {"name": "numbers", "version": "1.0.0", "library": "./libPlainFunctions.so", "class": "Numbers",
             "declarations": "\(type) status(\(type) status) __asm__(\\"plain_status\\");",
             "annotations": {"status": {"return": "\(rule)"}}, "constants": {"UNKNOWN": 18446744073709551615}}
            """
        try await withDescription(text) { host async throws in
            let error = await failure { try await host.call("Numbers", "status", ["status": value]) }
            #expect((error != nil) == isFailure, "\(error?.message ?? "none")")
            guard let error else { return }
            #expect(
                error.message
                    == "plain_status returned \(value.kind == .uint ? "\(try value.value(as: UInt64.self))" : "\(try value.int())")"
            )
        }
    }

    @Test(
        "an argument is a value of its enum, or a combination of flags",
        arguments: [
            ("abs", 3, nil), ("abs", "BLUE", nil), ("toascii", 0, nil), ("toascii", 5, nil), ("toascii", "BOTH", nil),
            ("abs", 4, "colour: expected a value of enum colour (RED, GREEN, BLUE, BLACK), found 4"),
            ("abs", -1, "colour: expected int from 0 to 4294967295"),
            (
                "toascii", 2,
                "flags: expected a value of flags or a combination of them (A, B, BOTH, C, D, E, …), found 2"
            ),
            ("toascii", "BLUE", "flags: expected a value of flags or a combination of them"),
        ] as [(String, Payload, String?)])
    func enumeration(function: String, value: Payload, message: String?) async throws {
        let text = """
            {"name": "numbers", "version": "1.0.0", "library": "libc.so.6", "class": "Numbers", "declarations":
             ["enum colour { RED, GREEN, BLUE, BLACK }; int abs(enum colour colour);",
              "typedef enum { A = 1, B = 4, BOTH = 5, C = 8, D = 16, E = 32, F = 64 } flags; int toascii(flags flags);"]}
            """
        try await withDescription(text) { host async throws in
            let key = function == "abs" ? "colour" : "flags"
            let error = await failure { try await host.call("Numbers", function, .map([(key, value)])) }
            #expect((error == nil) == (message == nil), "\(String(describing: error))")
            if let message { #expect(error?.message.contains(message) == true, "\(String(describing: error))") }
        }
    }

    @Test(
        "numbers of all types and texts arrive in registers, and beyond them",
        arguments: [
            (
                "memory_integers",
                ["a": -128, "b": 255, "c": -32768, "d": 65535, "e": -2_147_483_648, "f": 4_294_967_295],
                .int(-128 + 510 - 98304 + 327_675 - 15_032_385_536 + 47_244_640_245)
            ),
            ("memory_last", ["a": 0, "b": .int(.min), "c": .int(.max), "d": 1, "e": 0, "f": -128], -128),
            ("memory_last", ["a": 1, "b": 0, "c": 0, "d": 0, "e": 0, "f": -128], 1),
            (
                "memory_floats",
                [
                    "a": 0.5, "b": -3, "c": -1.25, "d": "four", "e": 2.5, "f": 200, "g": 8, "h": -0.5, "i": 1, "j": 4,
                    "k": -2, "l": 0.25,
                ],
                .double(0.5 - 6 - 3.75 + 20 + 17.5 + 2200 + 104 - 8.5 + 19 + 92 - 58 + 7.75)
            ),
            (
                "memory_many", ["a": -1, "b": 2, "c": -3, "d": 0.5, "e": -5, "f": 6, "g": -7, "h": -128],
                .double(-1 + 4 - 9 + 2.5 - 35 + 66 - 91 - 2176)
            ),
        ] as [(String, Payload, Payload)])
    func registers(function: String, arguments: Payload, result: Payload) async throws {
        try await withLibraries("memory") { host async throws in
            #expect(try await host.call("Memory", function, arguments) == result)
            // Twice, because the memory for the second call is not fresh.
            #expect(try await host.call("Memory", function, arguments) == result)
        }
    }

    @Test("a result that is ignored may be of any type", arguments: ["memory_triple", "memory_long"])
    func ignored(function: String) async throws {
        try await withLibraries("memory") { host async throws in
            // More often than there are places for floating-point numbers that nobody takes.
            for number in 1...20 {
                #expect(try await host.call("Memory", function, ["number": .int(Int64(number))]) == .null)
                #expect(try await host.call("Memory", "memory_seen") == .int(Int64(number)))
            }
            #expect(try await host.call("Memory", "memory_sum", ["...": [true, -3, 7, 0.5]]) == 770.5)
        }
    }

    @Test("constants reach the largest unsigned number")
    func constants() async throws {
        let text = """
            {"name": "numbers", "version": "1.0.0", "library": "./libPlainFunctions.so", "class": "Numbers",
             "declarations": "enum { ALL = 0xFFFFFFFFFFFFFFFFu }; uint64_t plain_uint64(uint64_t value); uint64_t all(uint64_t value) __asm__(\\"plain_uint64\\"); int64_t negative(int64_t value) __asm__(\\"plain_uint64\\"); int8_t small(int8_t value) __asm__(\\"plain_int8\\");",
             "annotations": {"all": {"value": "= 18446744073709551615"}, "negative": {"value": "= -9223372036854775808"}},
             "constants": {"HALF": 9223372036854775808}}
            """
        try await withDescription(text) { host async throws in
            #expect(try await host.call("Numbers", "plain_uint64", ["value": "ALL"]) == .uint(.max))
            #expect(try await host.call("Numbers", "plain_uint64", ["value": "HALF"]) == .uint(1 << 63))
            #expect(try await host.call("Numbers", "all") == .uint(.max))
            #expect(try await host.call("Numbers", "negative") == .int(.min))
            let error = await failure { try await host.call("Numbers", "small", ["value": "HALF"]) }
            #expect(
                error?.message == "value: expected int from -128 to 127, found HALF, which is 9223372036854775808")
        }
    }

    @Test(
        "numbers without a value in the type are refused",
        arguments: [
            (
                "int f(int a);", #"{"f": {"a": "= 18446744073709551616"}}"#,
                #"its annotations are invalid: a: expected a number of at most 18446744073709551615, found "18446744073709551616""#
            ),
            (
                "int f(int a);", #"{"f": {"a": "= -9223372036854775809"}}"#,
                "its annotations are invalid: a: expected a number of at least -9223372036854775808, found -9223372036854775809"
            ),
            (
                "int f(int a);", #"{"f": {"a": "= 5000000000"}}"#,
                "a: 5000000000 does not fit: expected int from -2147483648 to 2147483647"
            ),
            (
                "int f(int a);", #"{"f": {"return": "error if 5000000000"}}"#,
                "return: 5000000000 does not fit int, so it cannot have this value"
            ),
        ])
    func misfits(declarations: String, annotations: String, reason: String) throws {
        let description = try LibraryDescription(
            Payload(
                json: """
                    {"name": "a", "version": "1.0.0", "library": "libc.so.6", "class": "A",
                     "declarations": "\(declarations)", "annotations": \(annotations)}
                    """))
        #expect(description.refusals.map(\.reason) == [reason])
    }
}
