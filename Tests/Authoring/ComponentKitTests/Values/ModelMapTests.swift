import ComponentKit
import Testing

/// The code that the macro generates for a struct, by hand: the macro's note would describe the test to every host.
private struct Parcel: PayloadConvertible, Equatable {
    var number: Int
    var label: String
    var note: String?
    var stops: [String]
    var content: Payload = .null
    var weight: Double = 1

    init(
        number: Int = 7, label: String, note: String? = nil, stops: [String] = [], content: Payload = .null,
        weight: Double = 1
    ) {
        (self.number, self.label, self.note, self.stops) = (number, label, note, stops)
        (self.content, self.weight) = (content, weight)
    }

    var payload: Payload {
        var size = __ModelSize()
        size.add(number)
        size.add(label)
        size.add(note)
        size.add(stops)
        size.add(content)
        size.add(weight)
        var writer = __ModelWriter(size)
        writer.add("number", number)
        writer.add("label", label)
        writer.add("note", note)
        writer.add("stops", stops)
        writer.add("content", content)
        writer.add("a key of more than 16 bytes", weight)
        return writer.payload()
    }

    init(payload: borrowing PayloadView) throws(PayloadError) {
        var reader = __ModelReader()
        number = try reader.value("number", in: payload, as: Int.self)
        label = try reader.value("label", in: payload, as: String.self)
        note = try reader.value("note", in: payload, as: String?.self)
        stops = try reader.value("stops", in: payload, as: [String].self)
        content = try reader.value("content", in: payload, as: Payload.self)
        weight = try reader.valueIfPresent("a key of more than 16 bytes", in: payload, as: Double.self) ?? 2
    }
}

/// The code that the macro generates for a sparse struct, by hand.
private struct Slip: PayloadConvertible, Equatable {
    var name = "é"
    var note: String?
    var limit: Int? = 3
    var tags: [String] = []
    var weight: Double = 1
    var rest: Payload = ["a": 1]

    var payload: Payload {
        var size = __ModelSize()
        size.add(name)
        size.add(note)
        size.add(limit)
        size.add(tags)
        size.add(weight)
        size.add(rest)
        var writer = __ModelWriter(size)
        writer.add("name", name, unless: "é")
        writer.add("note", note, unless: nil)
        writer.add("limit", limit, unless: 3)
        writer.add("tags", tags, unless: [])
        writer.add("weight", weight, unless: 1)
        writer.add("rest", rest, unless: ["a": 1])
        return writer.payload()
    }

    init() {}

    init(payload: borrowing PayloadView) throws(PayloadError) {
        var reader = __ModelReader()
        if let given = try reader.valueIfPresent("name", in: payload, as: String.self) { name = given }
        note = try reader.value("note", in: payload, as: String?.self)
        if let given = try reader.valueIfPresent("limit", in: payload, as: Int?.self) { limit = given }
        if let given = try reader.valueIfPresent("tags", in: payload, as: [String].self) { tags = given }
        if let given = try reader.valueIfPresent("weight", in: payload, as: Double.self) { weight = given }
        if let given = try reader.valueIfPresent("rest", in: payload, as: Payload.self) { rest = given }
    }
}

@Suite("Maps of models")
struct ModelMapTests {
    @Test(
        "make a round trip",
        arguments: [
            "", "a", "fifteen bytes..", "sixteen bytes...", "é", "fourteen byte\u{e9}", "\u{0}", "👩‍👩‍👧",
            String(repeating: "long ", count: 1000),
        ])
    func thereAndBack(text: String) throws {
        for stops in [[], [text], ["", text, "", text + text]] {
            for note in [nil, text] {
                let parcel = Parcel(label: text, note: note, stops: stops, content: .string(text))
                let payload = parcel.payload
                #expect(
                    payload == [
                        "number": 7, "label": .string(text), "note": note.map { .string($0) } ?? .null,
                        "stops": .array(stops.map { .string($0) }), "content": .string(text),
                        "a key of more than 16 bytes": 1.0,
                    ])
                #expect(try payload.value(as: Parcel.self) == parcel)
            }
        }
    }

    @Test("are read as empty from null where unknown keys are refused")
    func strictKeys() throws {
        for payload in [.null, [:], ["a": 1]] as [Payload] {
            try __ModelCoding.refuseKeys(besides: ["a"], in: payload)
        }
        for payload in [["b": 1], [], "a", 1] as [Payload] {
            #expect(throws: PayloadError.self, "\(payload)") {
                try __ModelCoding.refuseKeys(besides: ["a"], in: payload)
            }
        }
    }

    @Test("of sparse ones have no key for what a missing key means")
    func sparse() throws {
        var slip = Slip()
        #expect(slip.payload == [:])
        #expect(try slip.payload.value(as: Slip.self) == slip)
        // Texts that are equal to Swift, in other bytes.
        slip.name = "e\u{301}"
        slip.limit = nil
        #expect(try slip.payload.entries().map(\.key) == ["name", "limit"])
        #expect(slip.payload["limit"] == .null)
        let name = try slip.payload.value(as: Slip.self).name
        #expect(Array(name.utf8) == Array("e\u{301}".utf8))
        (slip.note, slip.limit, slip.tags, slip.weight, slip.rest) = ("n", 4, ["a", "b"], 2, .null)
        #expect(try slip.payload.entries().map(\.key) == ["name", "note", "limit", "tags", "weight", "rest"])
        #expect(try slip.payload.value(as: Slip.self) == slip)
    }

    @Test("keys are found in any order, among others, and if some are missing")
    func anyOrder() throws {
        let parcel = Parcel(label: "box", note: "soon", stops: ["a", "b"], content: [1], weight: 3)
        let entries = try parcel.payload.entries().map { ($0.key, $0.value) }
        for shift in entries.indices {
            let turned = Array(entries[shift...] + entries[..<shift])
            #expect(try Payload(entries: turned).value(as: Parcel.self) == parcel)
            #expect(try Payload(entries: turned.reversed()).value(as: Parcel.self) == parcel)
            var mixed = turned
            mixed.insert(("other", nil), at: shift)
            #expect(try Payload(entries: mixed).value(as: Parcel.self) == parcel)
        }
        let least: Payload = ["content": nil, "stops": [], "label": "box", "number": 1]
        #expect(try least.value(as: Parcel.self) == Parcel(number: 1, label: "box", weight: 2))
    }

    @Test("the first of two equal keys in a borrowed map counts", arguments: [0, 1, 2, 3])
    func repeated(place: Int) throws {
        let tree = ForeignTree()
        var entries: [(key: [UInt8], value: ForeignNode)] = [
            (Array("number".utf8), .int(1)), (Array("label".utf8), tree.text("x")),
            (Array("stops".utf8), tree.array([])), (Array("content".utf8), .null),
        ]
        let key = entries[place].key
        for position in 0...entries.count {
            var changed = entries
            changed.insert((key, .double(0.5)), at: position)
            let map = tree.map(changed)
            let isFirst = position <= place
            // A part of a value is content, and nothing else.
            let expected = Parcel(number: 1, label: "x", content: isFirst && place == 3 ? 0.5 : .null, weight: 2)
            let found = try? map.read { view throws(PayloadError) in try Parcel(payload: view) }
            #expect(found == (isFirst && place != 3 ? nil : expected), "\(position)")
        }
        entries.append((key, entries[place].value))
        try tree.map(entries).read { view throws(PayloadError) in
            var reader = __ModelReader()
            _ = try reader.value("number", in: view, as: Int.self)
            #expect(try reader.value("number", in: view, as: Int.self) == 1)
        }
    }

    @Test(
        "a mismatch is reported with its key",
        arguments: [
            ([:], "number: "), (["number": 1], "label: "), (["label": "x", "number": "1"], "number: "),
            (["number": 1, "label": "x", "stops": ["a", 1]], "stops[1]: "),
            (["number": 1, "label": "x", "stops": [], "content": 1, "a key of more than 16 bytes": nil], "a key of"),
            (nil, "the key number"), (["number", 1], "the key number"),
        ] as [(Payload, String)])
    func misfit(payload: Payload, place: String) throws {
        let error = #expect(throws: PayloadError.self) { try payload.value(as: Parcel.self) }
        #expect("\(try #require(error))".contains(place))
    }

    @Test("the memory of the values lives exactly as long as the map")
    func lifetime() throws {
        let counted = CountedObject()
        let text = String(repeating: "y", count: 50)
        var label: Payload?
        do {
            label = Parcel(label: text, stops: [text], content: try counted.node.copy()).payload["label"]
        }
        #expect(counted.references == 2)
        #expect(try label?.string() == text)
        label = nil
        #expect(counted.references == 1)
    }
}
