import CHSLink
import ComponentKit
import Testing

@Suite("Copies of trees from the other side of the boundary")
struct PayloadCopyTests {
    let tree = ForeignTree()

    @Test("a good tree is copied whole and outlives its memory")
    func good() throws {
        func copy() throws -> Payload {
            let tree = ForeignTree()
            let root = tree.map([
                "text": tree.text("naïve"), "empty": tree.text(""),
                "list": tree.array([.int(-3), .double(0.5), .raw(HSLINK_BOOL, length: 0, bits: 1), .null]),
                "map": tree.map(["a": .raw(HSLINK_DATE, length: 999_999_999, bits: -1)]), "none": tree.array([]),
            ])
            return try root.copy()
        }
        #expect(
            try copy() == [
                "text": "naïve", "empty": "", "list": [-3, 0.5, true, nil],
                "map": ["a": .date(Timestamp(seconds: -1, nanoseconds: 999_999_999))], "none": [],
            ])
    }

    @Test("null pointers are valid if the length is 0")
    func nullPointers() throws {
        let root = tree.array([
            .raw(HSLINK_STRING, length: 0), .raw(HSLINK_BYTES, length: 0), .raw(HSLINK_ARRAY, length: 0),
            .raw(HSLINK_MAP, length: 0),
        ])
        #expect(try root.copy() == ["", .bytes([]), [], [:]])
    }

    @Test("an unsigned number that fits becomes a signed one")
    func integers() throws {
        let seven = ForeignNode.raw(HSLINK_UINT, length: 0, bits: 7)
        #expect(try seven.copy() == 7)
        #expect(try tree.array([seven]).copy() == [7])
        #expect(try ForeignNode.raw(HSLINK_UINT, length: 0, bits: -1).copy() == .uint(.max))
        #expect(try seven.read { (view) throws(PayloadError) in try view.int() } == 7)
    }

    @Test("a value with an unknown tag keeps its bits")
    func unknownTags() throws {
        let unknown = ForeignNode.raw(99, length: 7, bits: 0x1234)
        let payload = try tree.array([unknown]).copy()
        #expect(payload[0]?.kind == .unknown(99))
        #expect(try payload != tree.array([.raw(99, length: 7, bits: 0x1235)]).copy())
        #expect(try payload != tree.array([.raw(99, length: 8, bits: 0x1234)]).copy())
        #expect(try payload != tree.array([.raw(98, length: 7, bits: 0x1234)]).copy())
        #expect(try payload == tree.array([unknown]).copy())
        #expect(
            refusal { () throws(PayloadError) in try payload.value(0).int() }
                == "the payload: expected int, found a value with unknown tag 99")
    }

    @Test("an object is retained by its copies and released with the last one")
    func objects() throws {
        let object = CountedObject()
        do {
            let payload = try tree.array([object.node, object.node]).copy()
            #expect(object.references == 3)
            let part = try payload.value(1)
            #expect(try part.object().className == "Counter")
            #expect(payload.kind == .array)
        }
        #expect(object.references == 1)
        do {
            let payload = try object.node.copy()
            #expect(try payload.object().className == "Counter")
            #expect(object.references == 2)
        }
        #expect(object.references == 1)
    }

    @Test("a refused tree leaves no reference behind")
    func refusedObjects() throws {
        let object = CountedObject()
        let root = tree.array([object.node, .raw(HSLINK_STRING, length: 3)])
        #expect(
            refusal { () throws(PayloadError) in try root.copy() }
                == "[1]: expected a string of 3 bytes, found a null pointer")
        #expect(object.references == 1)
    }

    @Test("a cycle is refused as too deep")
    func cycles() {
        let error = refusalError { () throws(PayloadError) in try tree.cycle().copy() }
        #expect(error?.path == Array(repeating: 1, count: 64))
        #expect(error?.expected == "at most 64 levels")
        #expect(error?.found == "more")
    }

    @Test("64 levels are copied, 65 and 10,000 are refused", arguments: [64, 65, 10_000])
    func depth(levels: Int) throws {
        var node = tree.array([])
        for _ in 1..<levels { node = tree.map(["in": node]) }
        if levels == 64 {
            let payload = try node.copy()
            #expect(try payload.value("in", "in").count == 1)
        } else {
            let error = refusalError { () throws(PayloadError) in try node.copy() }
            #expect(error?.path == Array(repeating: "in", count: 64))
            #expect(error?.expected == "at most 64 levels")
        }
    }

    @Test("a graph that expands to 2^60 values is refused for their number")
    func exponential() {
        var node = tree.array([])
        for _ in 0..<60 { node = tree.array([node, node]) }
        let error = refusalError { () throws(PayloadError) in try node.copy() }
        #expect(error?.expected == "at most 1000000 values")
        #expect(error?.found == "array of 2")
    }

    @Test("lengths without memory are refused before they are used")
    func lies() {
        let tooLong = "the payload: expected at most 268435456 bytes, found more"
        let cases: [(ForeignNode, String)] = [
            (.raw(HSLINK_STRING, length: 5), "the payload: expected a string of 5 bytes, found a null pointer"),
            (.raw(HSLINK_BYTES, length: .max), "the payload: expected 4294967295 bytes, found a null pointer"),
            (.raw(HSLINK_ARRAY, length: 2), "the payload: expected 2 items, found a null pointer"),
            (.raw(HSLINK_MAP, length: .max), "the payload: expected 4294967295 items, found a null pointer"),
            (.raw(HSLINK_OBJECT, length: 0), "the payload: expected object, found a null pointer"),
            (
                tree.array([.null]).lying(length: .max),
                "the payload: expected at most 1000000 values, found array of 4294967295"
            ),
            (
                tree.map(["a": .null]).lying(length: 1_000_000),
                "the payload: expected at most 1000000 values, found map of 1000000"
            ),
            (tree.text("a").lying(length: .max), tooLong),
            (tree.text("a").lying(length: 300 << 20, tag: HSLINK_BYTES), tooLong),
            (
                .raw(HSLINK_DATE, length: 1_000_000_000),
                "the payload: expected nanoseconds below 1000000000, found a date with 1000000000 nanoseconds"
            ),
            (tree.mapWithoutKey(length: 4), "[0]: expected a key of 4 bytes, found a null pointer"),
        ]
        for (node, message) in cases {
            #expect(refusal { () throws(PayloadError) in try node.copy() } == message)
        }
    }

    @Test("a view finds no key in a map with a length but no memory")
    func viewOfNothing() throws {
        let node = ForeignNode.raw(HSLINK_MAP, length: 3)
        #expect(
            refusal { () throws(PayloadError) in
                try node.read { (view) throws(PayloadError) in try view.int("a") }
            } == "a: expected int, found nothing")
    }

    @Test(
        "text that is not UTF-8 is refused",
        arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x61, 0x80], [0xF4, 0x90, 0x80, 0x80]]
            as [[UInt8]])
    func badText(bytes: [UInt8]) {
        #expect(
            refusal { () throws(PayloadError) in
                try tree.map(["a": tree.array([tree.text(bytes)])]).copy()
            } == "a[0]: expected a string in UTF-8, found invalid bytes")
        #expect(
            refusal { () throws(PayloadError) in
                try tree.map([(key: bytes, value: .null)]).copy()
            } == "[0]: expected a key in UTF-8, found invalid bytes")
        #expect(
            refusal { () throws(PayloadError) in
                try tree.text(bytes).read { (view) throws(PayloadError) in try view.string() }
            } == "the payload: expected string, found a string that is not UTF-8")
    }

    @Test("a duplicate key is refused, even among many keys", arguments: [2, 16, 17, 5000])
    func duplicateKeys(count: Int) {
        var entries = (1..<count).map { (key: Array("key \($0)".utf8), value: ForeignNode.int(Int64($0))) }
        entries.append((key: Array("key 1".utf8), value: ForeignNode.int(0)))
        #expect(
            refusal { () throws(PayloadError) in
                try tree.array([tree.map(entries)]).copy()
            } == "[0]: expected unique keys, found \"key 1\" twice")
    }

    @Test("keys that Unicode calls equivalent are two keys", arguments: [0, 40])
    func equivalentKeys(others: Int) throws {
        let keys = ["\u{E9}", "e\u{301}"] + (0..<others).map { "\($0)" }
        let root = tree.map(keys.map { (key: Array($0.utf8), value: .null) })
        #expect(try root.copy().count == keys.count)
    }

    @Test("the given limits apply")
    func limits() throws {
        let root = tree.array([.int(1), tree.text("abc"), tree.array([])])
        let exact = PayloadLimits(depth: 2, nodes: 4, bytes: 3 * 16 + 3)
        #expect(try root.copy(exact) == [1, "abc", []])
        var limits = exact
        limits.depth = 1
        #expect(
            refusal { () throws(PayloadError) in try root.copy(limits) }
                == "[2]: expected at most 1 levels, found more")
        limits = exact
        limits.nodes = 3
        #expect(
            refusal { () throws(PayloadError) in try root.copy(limits) }
                == "the payload: expected at most 3 values, found array of 3")
        limits = exact
        limits.bytes = 50
        #expect(
            refusal { () throws(PayloadError) in try root.copy(limits) }
                == "[1]: expected at most 50 bytes, found more")
        limits.bytes = 40
        #expect(
            refusal { () throws(PayloadError) in try root.copy(limits) }
                == "the payload: expected at most 40 bytes, found more")
    }
}
