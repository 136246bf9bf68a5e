import CHSLink
import ComponentKit
import Testing

@Suite("Keys of maps")
struct PayloadKeyTests {
    private let sample: Payload = [
        "bool": true, "int": -7, "uint": .uint(.max), "double": 0.5, "string": "text", "bytes": .bytes([1, 2]),
        "date": .date(Timestamp(seconds: 3)), "null": nil, "list": [1],
    ]

    @Test("an optional key works with an implicit member after ??")
    func defaults() throws {
        // With a second form of the accessor, the compiler would choose the form of ?? whose result is optional.
        let list = sample["list"] ?? .null
        let since = try sample.dateIfPresent("missing") ?? .init(seconds: 1)
        let text = try sample.stringIfPresent("missing") ?? .init()
        #expect(list.kind == .array && since.seconds == 1 && text.isEmpty)
    }

    /// The result of an accessor as text: the value or the error.
    private func outcome<Value>(_ body: () throws(PayloadError) -> Value) -> String {
        do { return "\(try body())" } catch { return "\(error)" }
    }

    @Test(
        "each accessor takes a variable key, with the same errors as for a literal key",
        arguments: ["bool", "int", "uint", "double", "string", "bytes", "date", "null", "list", "missing"])
    func variables(key: String) {
        // One literal for each key, so that both forms are called.
        func both(_ inVariable: () throws(PayloadError) -> Any, _ inProgram: () throws(PayloadError) -> Any) {
            #expect(outcome(inVariable) == outcome(inProgram), "\(key)")
        }
        func compare(_ literal: StaticString) {
            let sample = self.sample
            #expect("\(literal)" == key)
            both(
                { () throws(PayloadError) in try sample.bool(key) },
                { () throws(PayloadError) in try sample.bool(literal) })
            both(
                { () throws(PayloadError) in try sample.int(key) },
                { () throws(PayloadError) in try sample.int(literal) })
            both(
                { () throws(PayloadError) in try sample.uint(key) },
                { () throws(PayloadError) in try sample.uint(literal) })
            both(
                { () throws(PayloadError) in try sample.double(key) },
                { () throws(PayloadError) in try sample.double(literal) })
            both(
                { () throws(PayloadError) in try sample.string(key) },
                { () throws(PayloadError) in try sample.string(literal) })
            both(
                { () throws(PayloadError) in try sample.bytes(key) },
                { () throws(PayloadError) in try sample.bytes(literal) })
            both(
                { () throws(PayloadError) in try sample.date(key) },
                { () throws(PayloadError) in try sample.date(literal) })
        }
        switch key {
        case "bool": compare("bool")
        case "int": compare("int")
        case "uint": compare("uint")
        case "double": compare("double")
        case "string": compare("string")
        case "bytes": compare("bytes")
        case "date": compare("date")
        case "null": compare("null")
        case "list": compare("list")
        default: compare("missing")
        }
    }

    @Test("accessors of a value that is not a map fail, whichever form the key has")
    func noMap() {
        let (list, key): (Payload, String) = ([1], "a")
        #expect(
            refusal { () throws(PayloadError) in try list.int("a") }
                == "the payload: expected an object with the key a, found array of 1")
        #expect(
            refusal { () throws(PayloadError) in try list.int(key) }
                == "the payload: expected an object with the key a, found array of 1")
        #expect(!list.contains("a") && list["a"] == nil && list[key] == nil)
    }

    @Test("keys of every length are written completely, found, and distinguished from similar ones", arguments: 0...40)
    func lengths(length: Int) throws {
        let letters = (0..<length).map { UInt8(97 + $0 % 26) }
        let key = String(decoding: letters, as: UTF8.self)
        var others: Set<String> = [key + "+"]
        for index in letters.indices {
            var changed = letters
            changed[index] = 0x2d
            others.insert(String(decoding: changed, as: UTF8.self))
        }
        let entries = others.sorted().map { ($0, Payload(-1)) } + [(key, Payload(length))]
        let payload = Payload(entries: entries)
        #expect(try payload.int(key) == length)
        #expect(try payload.entries().map(\.key) == entries.map(\.0))
        let node = unsafe payload.withUnsafeValue { unsafe ForeignNode(value: $0.pointee) }
        #expect(try node.copy() == payload)
    }

    @Test("a duplicate key is found among any number", arguments: [2, 3, 15, 16, 17, 40], [1, 9, 30])
    func repeated(count: Int, length: Int) async throws {
        let tree = ForeignTree()
        func key(_ index: Int) -> [UInt8] { Array(repeating: 0x6b, count: length) + Array("\(index)".utf8) }
        for (first, second) in [(0, 1), (0, count - 1), (count - 2, count - 1)] {
            let entries = (0..<count).map { (key: key($0 == second ? first : $0), value: ForeignNode.null) }
            let text = String(decoding: key(first), as: UTF8.self)
            #expect(
                refusal { () throws(PayloadError) in try tree.map(entries).copy() }
                    == "the payload: expected unique keys, found \"\(text)\" twice")
        }
        #expect(try tree.map((0..<count).map { (key: key($0), value: .null) }).copy().count == count)
    }

    @Test("bytes that are not UTF-8 are found at any position", arguments: 1...80)
    func broken(length: Int) {
        let tree = ForeignTree()
        for index in 0..<length {
            var bytes = [UInt8](repeating: 0x61, count: length)
            bytes[index] = 0xc3
            let expected = "expected a string in UTF-8, found invalid bytes"
            #expect(refusal { () throws(PayloadError) in try tree.text(bytes).copy() } == "the payload: " + expected)
            let map = tree.map([(key: bytes, value: .null)])
            #expect(
                refusal { () throws(PayloadError) in try map.copy() }
                    == "[0]: expected a key in UTF-8, found invalid bytes")
        }
        #expect(throws: Never.self) { try tree.text([UInt8](repeating: 0x7f, count: length)).copy() }
    }

    @Test("the memory of literals and lists lives exactly as long as their values")
    func lifetime() throws {
        let counted = CountedObject()
        let text = String(repeating: "y", count: 50)
        var kept: [Payload] = []
        do {
            let object = try counted.node.copy()
            kept.append(["object": object, "text": .string(text), "number": 1, "again": object])
            kept.append([object, .string(text), nil])
            kept.append(Payload(entries: [("list", kept[1])]))
            let node = unsafe kept[0].withUnsafeValue { unsafe ForeignNode(value: $0.pointee) }
            kept.append(try node.copy())
        }
        #expect(counted.references > 1)
        for payload in kept.prefix(1) + kept.suffix(1) { #expect(try payload.string("text") == text) }
        #expect(try kept[2].value("list", 1).string() == text)
        kept = []
        #expect(counted.references == 1)
    }
}
