import Testing

@testable import ComponentMacros

@Suite("The reader of JSON")
struct JSONReaderTests {
    @Test(
        "whitespace goes, everything else stays",
        arguments: [
            (" null ", "null"), ("[ ]", "[]"), ("{\n}", "{}"), ("[1 ,\t2]", "[1,2]"), ("-0.5e-10", "-0.5e-10"),
            (#"{ "a b" : " c " }"#, #"{"a b":" c "}"#), (#""\u00e9\/""#, #""\u00e9\/""#), ("\"日\"", "\"日\""),
            ("[true, false]", "[true,false]"), ("0", "0"), ("1E5", "1E5"),
        ])
    func minified(_ text: String, _ minified: String) throws {
        let read = try JSONReader.read(Array(text.utf8))
        #expect(String(decoding: read.minified, as: UTF8.self) == minified)
    }

    @Test(
        "escapes of strings are resolved",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u65E5""#, "Aé日"),
            (#""\ud83d\uDE00""#, "😀"), (#""""#, ""), ("\"\u{7F}\"", "\u{7F}"),
        ])
    func strings(_ text: String, _ expected: String) throws {
        guard case .string(let value) = try JSONReader.read(Array(text.utf8)).value.content else {
            Issue.record("\(text) is no string")
            return
        }
        #expect(value == expected)
    }

    @Test("an object knows its members in order, with their places")
    func places() throws {
        guard case .object(let object) = try JSONReader.read(Array(#" {"b": 1, "a": [2]}"#.utf8)).value.content else {
            Issue.record("no object")
            return
        }
        #expect(object.start == 1)
        #expect(object.members.map(\.key) == ["b", "a"])
        #expect(object.members.map(\.keyStart) == [2, 10])
        #expect(object.members.map(\.value.start) == [7, 15])
        #expect(object["a"]?.kind == "an array")
        #expect(object["c"] == nil)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        let error: JSONError
        var testDescription: String { text }

        init(_ text: String, _ offset: Int, _ message: String) {
            self.text = text
            error = JSONError(message: message, offset: offset)
        }
    }

    @Test(
        "what is not JSON is refused at its place",
        arguments: [
            Bad("  ", 2, "expected a value, found the end of the text"),
            Bad("{} x", 3, #"expected the end of the text, found "x""#),
            Bad("nul", 0, #"expected a value, found "n""#),
            Bad("'a'", 0, #"expected a value, found "'""#),
            Bad("[1 2]", 3, #"expected "," or "]", found "2""#),
            Bad("[1,]", 2, "a comma with nothing after it: remove it"),
            Bad("[,1]", 1, #"expected a value, found ",""#),
            Bad("[1", 2, #"expected "," or "]", found the end of the text"#),
            Bad("{", 1, "expected a key in double quotes, found the end of the text"),
            Bad("{a: 1}", 1, #"expected a key in double quotes, found "a""#),
            Bad(#"{"a" 1}"#, 5, #"expected ":" after the key "a", found "1""#),
            Bad(#"{"a": 1 "b": 2}"#, 8, #"expected "," or "}", found a double quote"#),
            Bad(#"{"a": 1, }"#, 7, "a comma with nothing after it: remove it"),
            Bad(#"{"a": 1, "a": 2}"#, 9, #"the key "a" comes twice: remove one"#),
            Bad(#"{"a": 1, "\u0061": 2}"#, 9, #"the key "a" comes twice: remove one"#),
            Bad("// 1", 0, #"expected a value, found "/""#),
            Bad("01", 1, "a number can't begin with a zero and further digits"),
            Bad("-", 1, "expected a digit, found the end of the text"),
            Bad("1.", 2, "expected a digit, found the end of the text"),
            Bad("1e+", 3, "expected a digit, found the end of the text"),
            Bad(".5", 0, #"expected a value, found ".""#),
            Bad("NaN", 0, #"expected a value, found "N""#),
            Bad("\"a", 0, "the string that begins here has no closing quote"),
            Bad(
                "\"a\nb\"", 2,
                ##"a line break inside a string: write \\n, or \n in a raw literal #"""…"""#"##),
            Bad(
                "\"\0\"", 1,
                ##"a control character (0) inside a string: write \\u0000, or \u0000 in a raw literal #"""…"""#"##),
            Bad(#""\q""#, 2, #"expected one of " \ / b f n r t u after the backslash, found "q""#),
            Bad(#""\ü""#, 2, #"expected one of " \ / b f n r t u after the backslash, found "ü""#),
            Bad(#""\u12g4""#, 5, #"expected four hexadecimal digits after \u, found "g""#),
            Bad(#""\ud83d""#, 1, "a surrogate without its other half"),
            Bad(#""\ude00""#, 1, "a surrogate without its other half"),
            Bad(#""\ud83d\u0041""#, 1, "a surrogate without its other half"),
            Bad("日", 0, #"expected a value, found "日""#),
        ])
    func refused(_ bad: Bad) {
        #expect(throws: bad.error) { try JSONReader.read(Array(bad.text.utf8)) }
    }

    @Test("64 levels are read, the 65th is refused where it opens")
    func depth() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try JSONReader.read(Array(deepest.utf8)).minified == Array(deepest.utf8))
        #expect(throws: JSONError(message: "nested deeper than 64 levels", offset: 64)) {
            try JSONReader.read(Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }
}
