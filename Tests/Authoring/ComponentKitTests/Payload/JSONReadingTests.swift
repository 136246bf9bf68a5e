import ComponentKit
import Testing

@Suite("Reading JSON")
struct JSONReadingTests {
    @Test(
        "everything that RFC 8259 allows is read",
        arguments: [
            ("null", nil), ("true", true), ("false", false), (" \t\r\n1 \n", 1), ("[]", []), ("{}", [:]), ("[ ]", []),
            ("{ }", [:]), ("[[]   ]", [[]]), ("[null, 1, \"1\", {}]", [nil, 1, "1", [:]]), ("\"\"", ""),
            ("{\"a\":1,\"b\":[2,{\"c\":null}]}", ["a": 1, "b": [2, ["c": nil]]]), ("{\"\":0}", ["": 0]),
            ("[1\n,1\n\n,2]", [1, 1, 2]), ("{\"a\" :\n1\t,\"b\": 2 }", ["a": 1, "b": 2]),
            ("{\"a\":{},\"b\":[],\"c\":{\"d\":{}}}", ["a": [:], "b": [], "c": ["d": [:]]]),
            ("[[[[[[[[]]]]]]]]", [[[[[[[[]]]]]]]]), ("{\"a\":{\"a\":{\"a\":1}}}", ["a": ["a": ["a": 1]]]),
        ] as [(String, Payload)])
    func accepted(text: String, payload: Payload) throws {
        #expect(try Payload(json: text) == payload)
        #expect(try Payload(json: Array(text.utf8)) == payload)
    }

    @Test(
        "numbers without a point or exponent are integers, all others are doubles",
        arguments: [
            ("0", 0), ("-0", 0), ("-1", -1), ("10", 10), ("9007199254740993", 9_007_199_254_740_993),
            ("9223372036854775807", .int(.max)), ("9223372036854775808", .uint(1 << 63)),
            ("18446744073709551615", .uint(.max)), ("-9223372036854775808", .int(.min)), ("0.0", 0.0),
            ("3.0", 3.0), ("0e1", 0.0), ("0e+1", 0.0), ("1E22", 1e22), ("1e-2", 0.01), ("1E+2", 100.0), ("20e1", 200.0),
            ("123e65", 123e65), ("123.456e78", 123.456e78), ("-123.0", -123.0), ("1e-400", 0.0),
            ("0.1000000000000000055511151231257827021181583404541015625", 0.1),
            ("2.2250738585072014E-308", 2.2250738585072014E-308),
            ("4.9e-324", .double(.leastNonzeroMagnitude)), ("1.7976931348623157e308", 1.7976931348623157e308),
            ("18446744073709551616.0", 18446744073709551616.0),
        ] as [(String, Payload)])
    func numbers(text: String, payload: Payload) throws {
        #expect(try Payload(json: text) == payload)
        #expect(try Payload(json: "[\(text),\(text)]") == [payload, payload])
    }

    @Test("a double zero keeps its minus sign")
    func minusZero() throws {
        #expect(try Payload(json: "-0.0").double().sign == .minus)
        #expect(try Payload(json: "-0e5").double().sign == .minus)
    }

    @Test("the smallest double with all its digits is read")
    func allDigits() throws {
        let text =
            "0." + String(repeating: "0", count: 307)
            + "22250738585072013830902327173324040642192159804623318305533274"
            + "168872044348139181958542831590125110205640673397"
        #expect(try Payload(json: text).double() == .leastNormalMagnitude)
    }

    @Test(
        "escapes are resolved",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u6c34\u6C34""#, "Aé水水"),
            (#""\ud834\udd1e\uD801\udc37""#, "𝄞𐐷"), (#""\u0000\u001f\u007F""#, "\0\u{1F}\u{7F}"),
            (#""a\u0020b\\u0041""#, "a b\\u0041"), (#""\udbff\udfff\uffff""#, "\u{10FFFF}\u{FFFF}"),
            ("\"é水𐅑\u{7F}\"", "é水𐅑\u{7F}"), (#""\u2028 / \/""#, "\u{2028} / /"),
            ("\"12345678\\\"1234567\\\"123456\"", "12345678\"1234567\"123456"),
        ])
    func escapes(text: String, string: String) throws {
        #expect(try Payload(json: text).string() == string)
        #expect(try Payload(json: "{\(text): \(text)}").string(string) == string)
    }

    @Test("text of every length up to 40 ends at its quote")
    func lengths() throws {
        for length in 0...40 {
            let string = String(repeating: "x", count: length)
            #expect(try Payload(json: "[\"\(string)\",\"é\(string)\"]") == [.string(string), .string("é\(string)")])
        }
    }

    @Test(
        "everything that RFC 8259 forbids is refused with position and reason",
        arguments: [
            ("", "the payload: expected a value, found the end of the text at line 1, column 1"),
            ("  \n ", "the payload: expected a value, found the end of the text at line 2, column 2"),
            ("[", "[0]: expected a value, found the end of the text at line 1, column 2"),
            ("[1", "the payload: expected ',' or ']', found the end of the text at line 1, column 3"),
            ("[1,", "[1]: expected a value, found the end of the text at line 1, column 4"),
            ("[1,]", "[1]: expected a value, found ']' at line 1, column 4"),
            ("[,1]", "[0]: expected a value, found ',' at line 1, column 2"),
            ("[1,,2]", "[1]: expected a value, found ',' at line 1, column 4"),
            ("[1 true]", "the payload: expected ',' or ']', found 't' at line 1, column 4"),
            ("[1}", "the payload: expected ',' or ']', found '}' at line 1, column 3"),
            ("]", "the payload: expected a value, found ']' at line 1, column 1"),
            ("[]]", "the payload: expected the end of the text, found ']' at line 1, column 3"),
            ("1 2", "the payload: expected the end of the text, found '2' at line 1, column 3"),
            ("{} {}", "the payload: expected the end of the text, found '{' at line 1, column 4"),
            ("{", "the payload: expected a key in quotes or '}', found the end of the text at line 1, column 2"),
            ("{]", "the payload: expected a key in quotes or '}', found ']' at line 1, column 2"),
            ("{\"a\"", "a: expected ':', found the end of the text at line 1, column 5"),
            ("{\"a\" 1}", "a: expected ':', found '1' at line 1, column 6"),
            ("{\"a\":", "a: expected a value, found the end of the text at line 1, column 6"),
            ("{\"a\":}", "a: expected a value, found '}' at line 1, column 6"),
            ("{\"a\":1", "the payload: expected ',' or '}', found the end of the text at line 1, column 7"),
            ("{\"a\":1,}", "the payload: expected a key in quotes, found '}' at line 1, column 8"),
            ("{\"a\":1 \"b\":2}", "the payload: expected ',' or '}', found '\"' at line 1, column 8"),
            ("{a:1}", "the payload: expected a key in quotes or '}', found 'a' at line 1, column 2"),
            ("{'a':1}", "the payload: expected a key in quotes or '}', found an apostrophe at line 1, column 2"),
            ("{1:1}", "the payload: expected a key in quotes or '}', found '1' at line 1, column 2"),
            ("{\"a\":1]", "the payload: expected ',' or '}', found ']' at line 1, column 7"),
            ("{,}", "the payload: expected a key in quotes or '}', found ',' at line 1, column 2"),
            ("[\n  1,\n  }\n]", "[1]: expected a value, found '}' at line 3, column 3"),
            ("{\"é\":\n[{\"水\":[1,\n  \"ü\", @]}]}", "é[0].水[2]: expected a value, found '@' at line 3, column 8"),
            ("// no\n1", "the payload: expected a value, found '/' at line 1, column 1"),
            ("[1 /* no */]", "the payload: expected ',' or ']', found '/' at line 1, column 4"),
            ("# no", "the payload: expected a value, found '#' at line 1, column 1"),
            ("nul", "the payload: expected a value, found 'n' at line 1, column 1"),
            ("nullx", "the payload: expected the end of the text, found 'x' at line 1, column 5"),
            ("True", "the payload: expected a value, found 'T' at line 1, column 1"),
            ("NaN", "the payload: expected a value, found 'N' at line 1, column 1"),
            ("-Infinity", "the payload: expected a digit, found 'I' at line 1, column 2"),
            ("undefined", "the payload: expected a value, found 'u' at line 1, column 1"),
            ("\u{FEFF}1", "the payload: expected a value, found U+FEFF at line 1, column 1"),
            ("[\u{A0}1]", "[0]: expected a value, found U+00A0 at line 1, column 2"),
            ("[\u{C}1]", "[0]: expected a value, found U+000C at line 1, column 2"),
            ("[1\0]", "the payload: expected ',' or ']', found U+0000 at line 1, column 3"),
            ("\0", "the payload: expected a value, found U+0000 at line 1, column 1"),
            ("𝄞", "the payload: expected a value, found U+1D11E at line 1, column 1"),
        ])
    func structure(text: String, message: String) {
        #expect(refusal { () throws(PayloadError) in try Payload(json: text) } == message)
        #expect(refusal { () throws(PayloadError) in try Payload(json: Array(text.utf8)) } == message)
    }

    static let nines = String(repeating: "9", count: 40)
    static let ones = "0." + String(repeating: "1", count: 38)

    @Test(
        "malformed numbers, and numbers that would lose precision, are refused",
        arguments: [
            ("01", "a number without leading zeros, found '0' at line 1, column 1"),
            ("-01", "a number without leading zeros, found '0' at line 1, column 2"),
            ("00.5", "a number without leading zeros, found '0' at line 1, column 1"),
            ("-", "a digit, found the end of the text at line 1, column 2"),
            ("--1", "a digit, found '-' at line 1, column 2"), ("+1", "a value, found '+' at line 1, column 1"),
            (".5", "a value, found '.' at line 1, column 1"),
            ("1.", "a digit, found the end of the text at line 1, column 3"),
            ("1.e5", "a digit, found 'e' at line 1, column 3"),
            ("1e", "a digit, found the end of the text at line 1, column 3"),
            ("1e+", "a digit, found the end of the text at line 1, column 4"),
            ("1e5.5", "the end of the text, found '.' at line 1, column 4"),
            ("1.2.3", "the end of the text, found '.' at line 1, column 4"),
            ("0x10", "the end of the text, found 'x' at line 1, column 2"),
            ("1_000", "the end of the text, found '_' at line 1, column 2"),
            ("１", "a value, found U+FF11 at line 1, column 1"),
            ("1e400", "a number that a double can hold, found 1e400 at line 1, column 1"),
            (
                "-1.5e999999999999999999",
                "a number that a double can hold, found -1.5e999999999999999999 at line 1, column 1"
            ),
            (
                "18446744073709551616",
                "a 64-bit integer, or a double with a point, found 18446744073709551616 at line 1, column 1"
            ),
            (
                "-9223372036854775809",
                "a 64-bit integer, or a double with a point, found -9223372036854775809 at line 1, column 1"
            ),
            (
                "\(String(repeating: "9", count: 50))",
                "a 64-bit integer, or a double with a point, found \(nines)… at line 1, column 1"
            ),
            (
                "0.\(String(repeating: "1", count: 1200))",
                "a number of at most 1100 characters, found \(ones)… at line 1, column 1"
            ),
        ])
    func badNumbers(text: String, message: String) {
        #expect(refusal { () throws(PayloadError) in try Payload(json: text) } == "the payload: expected \(message)")
    }

    @Test(
        "broken text is refused",
        arguments: [
            ("\"", "a closing quote, found the end of the text at line 1, column 2"),
            ("\"abcdefgh", "a closing quote, found the end of the text at line 1, column 10"),
            ("\"\\", "one of \"\\/bfnrtu after a backslash, found the end of the text at line 1, column 3"),
            ("\"\\x41\"", "one of \"\\/bfnrtu after a backslash, found 'x' at line 1, column 3"),
            ("\"\\'\"", "one of \"\\/bfnrtu after a backslash, found an apostrophe at line 1, column 3"),
            ("\"\\u12\"", "four hexadecimal digits, found '\"' at line 1, column 6"),
            ("\"\\u12g4\"", "four hexadecimal digits, found 'g' at line 1, column 6"),
            ("\"\\u", "four hexadecimal digits, found the end of the text at line 1, column 4"),
            ("\"\\ud800\"", "both halves of a surrogate pair, found one at line 1, column 3"),
            ("\"\\udc00\"", "both halves of a surrogate pair, found one at line 1, column 3"),
            ("\"\\ud800\\ud800\"", "both halves of a surrogate pair, found one at line 1, column 3"),
            ("\"\\udbff\\u0041\"", "both halves of a surrogate pair, found one at line 1, column 3"),
            ("\"\\ud800x\"", "both halves of a surrogate pair, found one at line 1, column 3"),
            ("\"a\nb\"", "an escape such as \\n for a control character, found U+000A at line 1, column 3"),
            ("\"a\tb\"", "an escape such as \\n for a control character, found U+0009 at line 1, column 3"),
            ("\"\0\"", "an escape such as \\n for a control character, found U+0000 at line 1, column 2"),
            ("\"12345678\u{1F}\"", "an escape such as \\n for a control character, found U+001F at line 1, column 10"),
        ])
    func badText(text: String, message: String) {
        #expect(refusal { () throws(PayloadError) in try Payload(json: text) } == "the payload: expected \(message)")
    }

    @Test(
        "bytes that are not UTF-8 are refused with their position",
        arguments: [
            ([0xFF], "line 1, column 1"), ([0x22, 0x61, 0xC3, 0x22], "line 1, column 3"),
            ([0x5B, 0x0A, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D], "line 2, column 2"),
            ([0x22, 0xC0, 0x80, 0x22], "line 1, column 2"),
            ([0x22, 0xF0, 0x9D, 0x84], "line 1, column 2"),
        ] as [([UInt8], String)])
    func notUTF8(bytes: [UInt8], place: String) {
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: bytes) }
                == "the payload: expected text in UTF-8, found invalid bytes at \(place)")
    }

    @Test(
        "a duplicate key is refused, even if written differently, with the position of its map",
        arguments: [2, 17, 3000])
    func duplicateKeys(count: Int) {
        let entries = (1..<count).map { "\"k\($0)\": \($0)" }.joined(separator: ",\n") + ", \"\\u006b1\": 0"
        #expect(
            refusal { () throws(PayloadError) in try Payload(json: "[1,\n  {\(entries)}]") }
                == "[1]: expected unique keys, found \"k1\" twice at line 2, column 3")
    }
}
