import ComponentKit
import Testing

@Suite("Payloads from literals and values")
struct PayloadLiteralTests {
    @Test(
        "a literal has the kind in which it is written",
        arguments: [
            (nil, .null), (true, .bool), (3, .int), (3.0, .double), ("three", .string),
            ([], .array), ([:], .map), (.bytes([1]), .bytes), (.date(Timestamp(seconds: 0)), .date),
            (.uint(.max), .uint), (.uint(7), .int),
        ] as [(Payload, PayloadKind)])
    func kinds(payload: Payload, kind: PayloadKind) {
        #expect(payload.kind == kind)
        #expect(payload.isNull == (kind == .null))
    }

    @Test("a nested literal keeps the order of its keys and can be read at every level")
    func nested() throws {
        let name = "Anna"
        let request: Payload = [
            "path": "clip.mp4", "limit": 10, "tags": ["a", "b"],
            "owner": ["name": .string(name), "since": .date(Timestamp(seconds: -1, nanoseconds: 5))], "ratio": 0.5,
        ]
        #expect(try request.entries().map(\.key) == ["path", "limit", "tags", "owner", "ratio"])
        #expect(try request.string("path") == "clip.mp4")
        #expect(try request.int("limit") == 10)
        #expect(try request.value("tags", 1).string() == "b")
        #expect(try request.value("owner", "name").string() == "Anna")
        #expect(try request.value("owner").date("since") == Timestamp(seconds: -1, nanoseconds: 5))
        #expect(try request.double("ratio") == 0.5)
        #expect(request.count == 5)
    }

    @Test(
        "text is kept unchanged",
        arguments: ["", "a", "0123456789abcdef", "naïve 水 𐅑", "nul \0 inside", String(repeating: "long ", count: 1000)])
    func texts(text: String) throws {
        #expect(try Payload(text).string() == text)
        #expect(try Payload("<\(text)>").string() == "<\(text)>")
        #expect(try Payload(entries: [(text, 1)]).int(text) == 1)
    }

    @Test("a literal of one character is text")
    func oneCharacter() throws {
        let payload: Payload = "水"
        #expect(try payload.string() == "水")
    }

    @Test("an interpolated literal is text")
    func interpolated() throws {
        let count = 3
        let payload: Payload = "\(count) of \(4.5)"
        #expect(try payload.string() == "3 of 4.5")
    }

    @Test("a dictionary becomes a map with ascending keys")
    func dictionary() throws {
        let payload = Payload(["b": 2, "a": 1, "c": [3]])
        #expect(payload == ["a": 1, "b": 2, "c": [3]])
        #expect(try payload.entries().map(\.key) == ["a", "b", "c"])
    }

    @Test("values of one key are combined, in the order of first appearance")
    func combined() throws {
        let payload = Payload(entries: [("a", 1), ("b", 2), ("a", 3)]) { first, second in [first, second] }
        #expect(payload == ["a": [1, 3], "b": 2])
        #expect(try payload.entries().map(\.key) == ["a", "b"])
    }

    @Test("keys that Unicode calls equivalent are two keys", arguments: [2, 40])
    func equivalentKeys(count: Int) throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let others = (2..<count).map { ("key \($0)", Payload($0)) }
        let payload = Payload(entries: [(composed, 1), (decomposed, 2)] + others)
        #expect(payload.count == count)
        #expect(try payload.int(composed) == 1)
        #expect(try payload.int(decomposed) == 2)
        #expect(Payload(entries: [(composed, 1), (decomposed, 2)]) { first, _ in first }.count == 2)
    }

    @Test("a literal with a duplicate key ends the process")
    func duplicateKey() async {
        await #expect(processExitsWith: .failure) {
            _ = ["a": 1, "b": 2, "a": 3] as Payload
        }
    }

    @Test("a map of many entries with a duplicate key ends the process")
    func duplicateAmongMany() async {
        await #expect(processExitsWith: .failure) {
            _ = Payload(entries: (0..<100).map { ("key \($0 % 99)", Payload($0)) })
        }
    }

    @Test("parts outlive the payload that they were taken from")
    func partsOutlive() throws {
        func part() throws -> Payload {
            let whole: Payload = ["list": [["name": .string(String(repeating: "x", count: 100))]]]
            return try whole.value("list", 0)
        }
        let kept = try part()
        #expect(try kept.string("name") == String(repeating: "x", count: 100))
    }
}
