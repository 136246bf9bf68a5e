import ComponentHost
import ComponentKit
import ForeignFunctions
import Testing

@Suite("Pointers in structs")
struct PointedFieldTests {
    private static let shape: Payload = [
        "spots": [["x": 1, "y": 2], ["x": -3, "y": 4]], "nspot": 2, "names": ["left", "right"],
        "origin": ["x": -3, "y": 4], "weights": [0.5], "weight_count": 1,
    ]

    @Test("a struct that C returns has the arrays and structs that its pointers lead to")
    func returned() async throws {
        try await withLibraries("memory") { host async throws in
            #expect(try await host.call("Memory", "memory_shape", ["kind": 1]) == PointedFieldTests.shape)
            #expect(
                try await host.call("Memory", "memory_shape", ["kind": 0])
                    == [
                        "spots": .null, "nspot": 0, "names": .null, "origin": .null, "weights": .null,
                        "weight_count": 0,
                    ])
            #expect(try await host.call("Memory", "memory_shape", ["kind": 2]) == .null)
        }
    }

    @Test(
        "arrays and structs go in through the pointers of a struct, with their counts",
        arguments: [
            (["spots": []], 0), (["spots": [["x": 5]]], 5),
            (["spots": [["x": 1, "y": 2], ["y": 3]], "names": ["a", "bcd"], "origin": ["x": 7]], 70451),
            (["spots": [], "weights": [0.25, 2], "names": [], "reserved": .null], 2.25),
        ] as [(Payload, Double)])
    func passed(shape: Payload, sum: Double) async throws {
        try await withLibraries("memory") { host async throws in
            #expect(try await host.call("Memory", "memory_shape_sum", ["shape": shape]) == .double(sum))
        }
    }

    @Test(
        "what such a pointer cannot lead to is an error",
        arguments: [
            (["names": []], "shape.spots: expected an array, found nothing"),
            (["spots": .null], "shape.spots: expected an array, found null"),
            (["spots": ["x": 1]], "shape.spots: expected an array, found map"),
            (["spots": [1]], "shape.spots[0]: expected a map for Spot, found int"),
            (["spots": .array(Array(repeating: [:], count: 256))], "shape.spots: expected fewer items"),
            (["spots": [], "nspot": 0], #"shape.nspot: expected no value, because it is the length of "spots""#),
            (["spots": [], "names": ["a\0b"]], "shape.names[0]: expected a string without NUL"),
            (["spots": [], "names": [.null]], "shape.names[0]: expected string, found null"),
            (["spots": [], "origin": [["x": 1]]], "shape.origin: expected a map for Spot, found array"),
            (["spots": [], "reserved": "text"], "shape.reserved: expected null, found string"),
        ] as [(Payload, String)])
    func refused(shape: Payload, message: String) async throws {
        try await withLibraries("memory") { host async throws in
            let error = await failure { try await host.call("Memory", "memory_shape_sum", ["shape": shape]) }
            #expect(error?.code == .payloadMismatch)
            #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "annotations of pointers in structs that cannot be true are refused",
        arguments: [
            ("items[cont]", #"the length must be the name of an integer of struct s; did you mean "count"?"#),
            ("items[p]", "the length must be the name of an integer of struct s"),
            ("items[count + 1]", "the length must be the name of an integer of struct s"),
            ("items[null]", #""items[null]" needs pointers to text or handles, not const int"#),
            ("out items[count]", #""out" in a struct is for bytes and text only"#),
        ])
    func annotation(text: String, reason: String) throws {
        let description = try LibraryDescription([
            "name": "d", "version": "1.0.0", "library": "libc.so.6", "class": "D",
            "declarations": "struct s { int count; const int *p; }; int f(const struct s *s);",
            "annotations": ["f": ["s.p": .string(text)]],
        ])
        let found = try #require(description.refusals.first?.reason)
        #expect(found.contains(reason), "\(found)")
    }
}
