import ComponentKit
import Testing

@Suite("Maps with literal keys")
struct PayloadFieldsTests {
    @Test("the map equals that of a literal")
    func equal() throws {
        let text = String(repeating: "x", count: 100)
        let fields = Payload(__fields: ("a", 1), ("b", .string(text)), ("c", ["d": [.string(text)]]), ("\u{e9}", nil))
        #expect(fields == ["a": 1, "b": .string(text), "c": ["d": [.string(text)]], "\u{e9}": nil])
        #expect(try fields.entries().map(\.key) == ["a", "b", "c", "\u{e9}"])
        #expect(Payload(__fields: ("only", true)) == ["only": true])
    }

    @Test("the memory of the values lives exactly as long as the map")
    func lifetime() throws {
        let counted = CountedObject()
        let text = String(repeating: "y", count: 50)
        var inner: Payload?
        do {
            let map = Payload(__fields: ("object", try counted.node.copy()), ("text", .string(text)))
            inner = Payload(__fields: ("map", map))["map"]
        }
        #expect(counted.references == 2)
        #expect(try inner?.string("text") == text)
        inner = nil
        #expect(counted.references == 1)
    }
}
