import CHSLink
import ComponentKit
import Testing

@Suite("Both encoded forms")
struct EncodedFormTests {
    @Test("random payloads make a round trip through CBOR and JSON", arguments: 0..<20)
    func randomPayloads(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let payload = Payload.random(using: &generator)
            let cbor = try payload.cbor()
            #expect(try Payload(cbor: cbor) == payload)
            #expect(try Payload(cbor: cbor).cbor() == cbor)
            for pretty in [false, true] {
                let json = try payload.json(pretty: pretty)
                #expect(try Payload(json: json) == payload)
                // Bytes show more than equality: the sign of a zero, the order of keys.
                #expect(try Payload(json: json).cbor() == cbor)
            }
        }
    }

    static let sample: Payload = [
        "name": "clip\n\u{E9}\u{10151}", "sizes": [1, -200, 70_000, .uint(.max), 1.5, 1.1, -0.0, .double(.nan)],
        "flags": [true, false, nil], "data": .bytes([1, 2, 3, 4, 5]), "$bytes": ["$bytes": "x"],
        "since": .date(Timestamp(seconds: 1_767_323_045, nanoseconds: 6)), "far": .date(Timestamp(seconds: .min)),
        "deep": [[[["a": ["b": [:]]]]]],
    ]

    @Test("every truncation is refused")
    func truncations() throws {
        let cbor = try Self.sample.cbor()
        for count in 0..<cbor.count {
            #expect(throws: PayloadError.self) { try Payload(cbor: Array(cbor.prefix(count))) }
        }
        for pretty in [false, true] {
            let json = Array(try Self.sample.json(pretty: pretty).utf8)
            for count in 0..<json.count {
                #expect(throws: PayloadError.self) { try Payload(json: Array(json.prefix(count))) }
            }
        }
    }

    @Test("input with a flipped bit is refused or gives a valid payload")
    func flippedBits() throws {
        func check(_ bytes: [UInt8], _ read: ([UInt8]) throws -> Payload) throws {
            var good = 0
            for bit in 0..<bytes.count * 8 {
                var bytes = bytes
                bytes[bit / 8] ^= 1 << (bit % 8)
                guard let payload = try? read(bytes) else { continue }
                good += 1
                #expect(try Payload(cbor: payload.cbor()) == payload)
                #expect(try Payload(json: payload.json()) == payload)
            }
            #expect(good > 0 && good < bytes.count * 8)
        }
        try check(Self.sample.cbor()) { try Payload(cbor: $0) }
        try check(Array(Self.sample.json().utf8)) { try Payload(json: $0) }
    }

    @Test("random bytes are refused or give a valid payload")
    func randomBytes() throws {
        var generator = SeededGenerator(seed: 1)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"$bytes\"", "1", "-", ".5", "e3", "null", " ", "\\u", "\"", "é",
        ]
        var good = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1..<12, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for payload in [try? Payload(cbor: bytes), try? Payload(json: text), try? Payload(json: bytes)] {
                guard let payload else { continue }
                good += 1
                #expect(try Payload(cbor: payload.cbor()) == payload)
            }
        }
        #expect(good > 100)
    }

    @Test("objects and values with unknown tags are refused with their position, and described")
    func notEncodable() throws {
        let tree = ForeignTree()
        let object = CountedObject()
        let root = tree.map(["list": tree.array([.int(1), object.node]), "later": .raw(99, length: 3, bits: 5)])
        let payload = try root.copy()
        #expect(
            refusal { () throws(PayloadError) in try payload.cbor() }
                == "list[1]: expected a value that CBOR can hold, found object")
        #expect(
            refusal { () throws(PayloadError) in try payload.json() }
                == "list[1]: expected a value that JSON can hold, found object")
        let later = try payload.value("later")
        #expect(
            refusal { () throws(PayloadError) in try later.cbor() }
                == "the payload: expected a value that CBOR can hold, found a value with unknown tag 99")
        #expect(
            refusal { () throws(PayloadError) in try later.json(pretty: true) }
                == "the payload: expected a value that JSON can hold, found a value with unknown tag 99")
        #expect(payload.description == #"{"list": [1, <object Counter>], "later": <unknown tag 99>}"#)
    }

    @Test("a description is JSON on one line")
    func descriptions() {
        let payload: Payload = [
            "a": [1, 2.0, nil], "b": .bytes([1]), "c": .date(Timestamp(seconds: 0)), "d\n": ["$bytes": 1],
        ]
        #expect(
            payload.description
                == #"{"a": [1, 2.0, null], "b": {"$bytes": "AQ=="}, "c": {"$date": "1970-01-01T00:00:00.000000000Z"}, "#
                + #""d\n": {"$$bytes": 1}}"#)
        #expect("\(Payload("x"))" == "\"x\"")
    }

    @Test(
        "a description is cut after about 1,000 bytes, not within a character",
        arguments: [
            .string(String(repeating: "é", count: 10_000)), .bytes(Array(repeating: 1, count: 100_000)),
            .array(Array(repeating: "水", count: 100_000)), .string(String(repeating: "\n", count: 10_000)),
            .map((0..<10_000).map { ("key \($0)", nil) }),
            .map([(String(repeating: "k", count: 100_000), 1)]),
            .array([.string("x" + String(repeating: "𐅑", count: 500))]),
        ] as [Payload])
    func longDescriptions(payload: Payload) {
        let text = payload.description
        #expect(text.hasSuffix("…"))
        #expect(!text.contains("\u{FFFD}"))
        #expect((990...1003).contains(text.utf8.count))
    }

    @Test("a description of a payload that is too deep says so and ends")
    func deepDescription() {
        var payload: Payload = 1
        for _ in 0..<100 { payload = [payload] }
        #expect(payload.description == String(repeating: "[", count: 64) + "<at most 64 levels>")
    }
}
