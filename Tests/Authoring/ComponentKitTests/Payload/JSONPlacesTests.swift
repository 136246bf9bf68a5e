import ComponentKit
import Testing

@Suite("Places in JSON")
struct JSONPlacesTests {
    private static let text = "{\"a\": 1, \n\"b\": [\"x,]}\", {\"c\": true}],\n\"é\\\"\": [ ], \"d\":\nnull}"

    @Test(
        "are those of keys and items, and of values; of what is around if there are none",
        arguments: [
            ([], "1:1", "1:1"), (["a"], "1:2", "1:7"), (["b"], "2:1", "2:6"), (["b", 0], "2:7", "2:7"),
            (["b", 1], "2:15", "2:15"), (["b", 1, "c"], "2:16", "2:21"), (["é\""], "3:1", "3:8"),
            (["b", 7], "2:1", "2:6"), (["x"], "1:1", "1:1"), (["d"], "3:13", "4:1"), (["a", "x"], "1:2", "1:7"),
            (["e\u{301}\""], "1:1", "1:1"),
        ] as [([PayloadError.PathElement], String, String)])
    func places(path: [PayloadError.PathElement], key: String, value: String) {
        let places = JSONPlaces(Array(JSONPlacesTests.text.utf8))
        // The second time, the places are known.
        for _ in 0..<2 {
            #expect(short(places.place(of: path)) == key)
            #expect(short(places.placeOfValue(at: path)) == value)
        }
    }

    @Test("within a text, in any order, with escapes")
    func characters() {
        let places = JSONPlaces(Array(#"{"t": "ab\nc\u00e9\ud83d\ude00\u000a\"é!", "u": "xy", "n": 1}"#.utf8))
        // Line and column in the text, and the column in the file.
        let expected = [
            (1, 1, 8), (1, 2, 9), (2, 1, 12), (2, 2, 13), (2, 3, 19), (3, 1, 37), (3, 3, 40), (3, 4, 41), (9, 1, 7),
            (1, 2, 9), (1, 99, 7), (1, 1, 8),
        ]
        for (line, column, place) in expected {
            let found = places.place(of: ["t"], character: TextPlace(line: line, column: column))
            #expect(short(found) == "1:\(place)", "\(line):\(column)")
            #expect(short(places.place(of: ["u"], character: TextPlace(line: 1, column: 2))) == "1:51")
        }
        #expect(short(places.place(of: ["n"], character: TextPlace(line: 1, column: 1))) == "1:55")
        #expect(short(places.place(of: ["x"], character: TextPlace(line: 1, column: 1))) == "1:1")
    }

    @Test("of many values are as those counted by hand, on one line and on many", arguments: ["", "\n", "  "])
    func many(separator: String) throws {
        let items = (0..<3000).map { "\"item é \($0)\"" }
        let text = "[" + items.joined(separator: ",\(separator)") + "]"
        let places = JSONPlaces(Array(text.utf8))
        var (line, column) = (1, 2)
        for (index, item) in items.enumerated() {
            #expect(places.place(of: [.index(index)]) == TextPlace(line: line, column: column))
            column += item.unicodeScalars.count + 1
            if separator == "\n" { (line, column) = (line + 1, 1) } else { column += separator.unicodeScalars.count }
        }
    }

    private func short(_ place: TextPlace) -> String { "\(place.line):\(place.column)" }
}
