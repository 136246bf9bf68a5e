import ComponentHost
import ComponentKit
import Testing

@Suite("Values of every kind")
struct PlainValueTests {
    @Test(
        "numbers keep their ranges and signs",
        arguments: [
            ("plain_int8", -128, 127), ("plain_int16", -32768, 32767), ("plain_uint8", 0, 255),
            ("plain_uint16", 0, 65535),
            ("plain_uint32", 0, 4_294_967_295),
        ])
    func ranges(selector: String, low: Int, high: Int) async throws {
        try await withLibraries("plain") { host async throws in
            for good in [low, high, 7] {
                _ = try await host.call("Plain", selector, ["value": Payload(good)])
            }
            for bad in [low - 1, high + 1, .max, .min] {
                let error = await failure { try await host.call("Plain", selector, ["value": Payload(bad)]) }
                #expect(error?.message == "value: expected int from \(low) to \(high), found int \(bad)")
                #expect(error?.code == .payloadMismatch)
            }
        }
    }

    @Test("small results come back with their sign")
    func results() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_int8", ["value": 5]) == -5)
            #expect(try await host.call("Plain", "plain_int16", ["value": -300]) == 300)
            #expect(try await host.call("Plain", "plain_uint8", ["value": 255]) == 0)
            #expect(try await host.call("Plain", "plain_uint64", ["value": .uint(.max)]) == .uint(.max))
            #expect(try await host.call("Plain", "plain_not", ["value": true]) == false)
            #expect(try await host.call("Plain", "plain_half", ["value": 3]) == 1.5)
            #expect(try await host.call("Plain", "plain_third", ["value": 9]) == 3.0)
            #expect(try await host.call("Plain", "plain_mixed", ["number": 3, "factor": 0.5, "text": "A"]) == 66.5)
            #expect(try await host.call("Plain", "plain_mixed", ["number": 3, "factor": 2, "text": nil]) == 6.0)
            #expect(try await host.call("Plain", "plain_mixed", ["number": 3, "factor": 2]) == 6.0)
        }
    }

    @Test("nothing is converted silently")
    func refusals() async throws {
        let cases: [(String, Payload, String)] = [
            ("plain_int8", ["value": 1.0], "value: expected int from -128 to 127, found double 1.0"),
            ("plain_int8", ["value": true], "value: expected int from -128 to 127, found true"),
            ("plain_int8", ["value": nil], "value: expected int from -128 to 127, found null"),
            ("plain_int8", [:], "value: expected int from -128 to 127, found nothing"),
            ("plain_int8", .null, "value: expected int from -128 to 127, found nothing"),
            ("plain_int8", [1], "the payload: expected a map with the parameters, found array of 1"),
            (
                "plain_int8", ["value": "1"],
                "value: expected int from -128 to 127, or the name of a constant, found string"
            ),
            (
                "plain_int8", ["value": 1, "valve": 2],
                "valve: expected one of the parameters value, found an unknown parameter; did you mean \"value\"?"
            ),
            ("plain_released", ["a": 1], "a: expected no parameters, found an unknown parameter"),
            ("plain_released", [1], "the payload: expected a map with the parameters, found array of 1"),
            ("plain_uint64", ["value": -1], "value: expected int from 0 to 18446744073709551615, found int -1"),
            ("plain_not", ["value": 1], "value: expected bool, found int"),
            ("plain_half", ["value": "x"], "value: expected double, found string"),
            ("plain_half", ["value": 1e300], "value: expected a number that fits into a float, found double 1e+300"),
            (
                "plain_half", ["value": 16_777_217],
                "value: expected a number that fits into a float, found int 16777217"
            ),
            ("plain_third", ["value": true], "value: expected double, found true"),
            (
                "plain_mixed", ["number": 1, "factor": 9_007_199_254_740_993, "text": nil],
                "factor: expected a number that fits into a double, found int 9007199254740993"
            ),
            ("plain_mixed", ["number": 1, "factor": 1, "text": 5], "text: expected string, found int"),
            ("plain_swap", ["pair": [1, 2]], "pair: expected a map for Pair, found array of 2"),
            ("plain_swap", ["pair": ["x": "1"]], "pair.x: expected double, found string"),
            ("plain_swap", ["pair": ["z": 1]], "pair.z: expected a field of Pair, found an unknown key"),
            (
                "plain_number", ["n": ["whole": 1, "real": 2]],
                "n: expected a map with one key, because Number is a union, found map of 2"
            ),
            ("plain_transpose", ["m": ["m": [1, 2, 3]]], "m.m: expected an array of 4, found array of 3"),
            ("plain_transpose", ["m": ["m": [1, 2, 3, "4"]]], "m.m[3]: expected double, found string"),
            (
                "plain_reverse", ["s": ["bytes": .bytes([1, 2, 3, 4])]],
                "s.bytes: expected at most 3 bytes, found 4 bytes"
            ),
            ("plain_total", ["texts": "abc"], "texts: expected array, found string"),
            ("plain_total", ["texts": ["a", 1]], "texts[1]: expected string, found int"),
            ("plain_fill", ["room": -1], "room: expected int from 0 to 18446744073709551615, found int -1"),
            (
                "plain_fill", ["room": .int(1 << 40)],
                "memory: expected a length of at most 1073741824 bytes, found 1099511627776"
            ),
            (
                "plain_fill", ["room": .uint(.max)],
                "memory: expected a length of at most 1073741824 bytes, found 18446744073709551615"
            ),
            ("plain_add", ["box": 5, "amount": 1], "box: expected an object Box, found int"),
            ("plain_add", ["box": nil, "amount": 1], "box: expected an object Box, found null"),
            ("plain_map_double", ["value": 1, "function": nil], "function: expected a closure, found null"),
            ("plain_map_double", ["value": 1, "function": 3], "function: expected a closure, found int"),
        ]
        try await withLibraries("plain") { host async throws in
            let closure = host.link.closure { _ in 1.0 }
            for (selector, payload, message) in cases {
                let error = await failure { try await host.call("Plain", selector, payload) }
                #expect(error?.message == message)
                #expect(error?.code == .payloadMismatch)
            }
            let wrong = await failure { try await host.call("Plain", "plain_add", ["box": closure, "amount": 1]) }
            #expect(wrong?.message == "box: expected an object Box, found an object of another class")
            let box = try await host.call("Plain", "plain_box", ["value": 1])
            let other = await failure {
                try await host.call("Plain", "plain_map_double", ["value": 1, "function": box])
            }
            #expect(other?.message == "function: expected a closure, found object")
        }
    }

    @Test("structs and unions are passed by value, in registers and in memory")
    func structs() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_swap", ["pair": ["x": 1, "y": 2.5]]) == ["x": 2.5, "y": 1.0])
            #expect(
                try await host.call("Plain", "plain_scale", ["value": ["x": 1.5, "n": -4], "by": 3])
                    == ["x": 4.5, "n": -12])
            #expect(
                try await host.call("Plain", "plain_transpose", ["m": ["m": [1, 2, 3, 4]]]) == [
                    "m": [1.0, 3.0, 2.0, 4.0]
                ])
            #expect(
                try await host.call("Plain", "plain_reverse", ["s": ["bytes": .bytes([1, 2, 3])]])
                    == ["bytes": .bytes([3, 2, 1])])
            #expect(try await host.call("Plain", "plain_number", ["n": ["whole": 41]]).int("whole") == 42)
            let tagged = try await host.call("Plain", "plain_tagged", ["t": ["kind": 1, "as": ["i": 6]]])
            #expect(try tagged.int("kind") == 2)
            #expect(try tagged.value("as", "i").int() == 7)
            #expect(
                try await host.call("Plain", "plain_floating", ["f": ["real": 1.25]]).double("real") == 2.5)
            let many: Payload = [
                "a": ["x": 1, "n": 2], "b": ["x": 3, "y": 4], "c": ["m": [5, 0, 0, 6]], "d": -7, "e": 8,
                "f": ["bytes": .bytes([9, 0, 10])], "g": 11, "h": 12, "i": 13, "j": 14,
            ]
            #expect(try await host.call("Plain", "plain_many", many) == 91.0)
            // Missing values are zero, as in C.
            #expect(try await host.call("Plain", "plain_swap", ["pair": [:]]) == ["x": 0.0, "y": 0.0])
        }
    }

    @Test("text that is not UTF-8 arrives as bytes, and a null text as null")
    func text() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_latin") == .bytes([0x63, 0x61, 0x66, 0xE9]))
            #expect(try await host.call("Plain", "plain_nothing") == .null)
            #expect(try await host.call("Plain", "plain_total", ["texts": ["abc", nil, "", "de"]]) == 5)
            let fill = try await host.call("Plain", "plain_fill", ["room": 9])
            #expect(try fill.bytes("memory") == [0xAB, 0xAB, 0xAB, 0xAB])
            #expect(try fill.int("used") == 4)
        }
    }

    @Test("a function that the library lacks fails with the loader's message; the others work")
    func missing() async throws {
        try await withLibraries("plain") { host async throws in
            let error = await failure { try await host.call("Plain", "plain_absent", ["value": 1]) }
            #expect(error?.code == .selectorNotFound)
            #expect(error?.message.contains("undefined symbol: plain_absent") == true)
            #expect(error?.classIsLoad == true)
            #expect(try await host.call("Plain", "plain_int8", ["value": 1]) == -1)
        }
    }

    @Test("wrong payloads of every kind are refused by every function, and crash nothing")
    func everyKind() async throws {
        try await withLibraries("plain") { host async throws in
            let closure = host.link.closure { _ in 1 }
            let values: [Payload] = [
                .null, true, 1, .uint(.max), -1, 1.5, .double(.nan), "", "text", .bytes([]), .bytes([1, 2]), [], [1],
                [:], ["x": 1], closure, .date(Timestamp(seconds: 0)), .int(.min),
                .string(String(repeating: "x", count: 100_000)),
            ]
            let entry = try #require(host.catalog.entry(ofClass: "Plain"))
            // Excludes functions that some arguments would make wait forever or keep memory.
            for selector in try #require(entry.manifest.classes.first).selectors {
                for value in values {
                    let payload = Payload(
                        entries: selector.parameters.map { ($0.name, value) }, uniquingKeysWith: { first, _ in first })
                    _ = await failure { try await host.call("Plain", selector.name, payload) }
                    _ = await failure { try await host.call("Plain", selector.name, value) }
                }
            }
            #expect(try await host.call("Plain", "plain_int8", ["value": 1]) == -1)
        }
    }
}
