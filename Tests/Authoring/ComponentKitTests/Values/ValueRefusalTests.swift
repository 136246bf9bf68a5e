import ComponentKit
import Foundation
import Testing

@Suite("Payloads that do not fit a type")
struct ValueRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let message: String
        let read: @Sendable () throws(PayloadError) -> Void

        init<Value: PayloadConvertible>(_ payload: Payload, _ type: Value.Type, _ message: String) {
            self.message = message
            read = { () throws(PayloadError) in _ = try payload.value(as: type) }
        }

        init<Value: PayloadConvertible>(_ payload: Payload, key: String, _ type: Value.Type, _ message: String) {
            self.message = message
            read = { () throws(PayloadError) in _ = try payload.value(key, as: type) }
        }

        var testDescription: String { message }
    }

    static let rows: [Row] = [
        Row(300, UInt8.self, "the payload: expected int from 0 to 255, found int 300"),
        Row(-1, UInt64.self, "the payload: expected int from 0 to 18446744073709551615, found int -1"),
        Row(
            .uint(.max), Int64.self,
            "the payload: expected int from -9223372036854775808 to 9223372036854775807, found uint 18446744073709551615"
        ),
        Row(.uint(.max), Int.self, "the payload: expected int, found uint 18446744073709551615"),
        Row(["ab": 1], [Character: Int].self, "the payload: expected keys of type Character, found \"ab\""),
        Row(["": 1], [Character: Int].self, "the payload: expected keys of type Character, found \"\""),
        Row(
            ["seconds": .int(.max), "attoseconds": .int(.max)], Duration.self,
            "attoseconds: expected less than a second, with the sign of the seconds, found int 9223372036854775807"),
        Row(
            ["seconds": 1, "attoseconds": -1], Duration.self,
            "attoseconds: expected less than a second, with the sign of the seconds, found int -1"),
        Row(1.0, Int.self, "the payload: expected int, found double 1.0"),
        Row(1.0, Int8.self, "the payload: expected int, found double 1.0"),
        Row(true, Int.self, "the payload: expected int, found true"),
        Row(1, Bool.self, "the payload: expected bool, found int"),
        Row(nil, String.self, "the payload: expected string, found null"),
        Row(.double(1e300), Float.self, "the payload: expected a number that fits a Float, found double 1e+300"),
        Row(.int(.max), Double.self, "the payload: expected double, found int 9223372036854775807"),
        Row("x", [Int].self, "the payload: expected array, found string"),
        Row([1, "x"], [Int].self, "[1]: expected int, found string"),
        Row([1, 300], [UInt8].self, "[1]: expected int from 0 to 255, found int 300"),
        Row([1, nil], Set<Int>.self, "[1]: expected int, found null"),
        Row([["a": [1, true]]], [[String: [Int]]].self, "[0].a[1]: expected int, found true"),
        Row(1, [String: Int].self, "the payload: expected map, found int"),
        Row(["a": "b"], [Int: String].self, "the payload: expected keys of type Int, found \"a\""),
        Row(["1": 1, "+1": 2], [Int: Int].self, "the payload: expected unique keys, found \"+1\" in two spellings"),
        Row(
            ["\u{e9}": 1, "e\u{301}": 2], [String: Int].self,
            "the payload: expected unique keys, found \"e\u{301}\" in two spellings"),
        Row("x", Data.self, "the payload: expected bytes, found string"),
        Row(1.5, Date.self, "the payload: expected date, found double"),
        Row("", URL.self, "the payload: expected URL, found string"),
        Row("x", UUID.self, "the payload: expected UUID, found string"),
        Row(["seconds": "1"], Duration.self, "seconds: expected int, found string"),
        Row("x", LinkObject.self, "the payload: expected object, found string"),
        Row([:], key: "name", String.self, "name: expected string, found nothing"),
        Row([:], key: "list", [Int].self, "list: expected array, found nothing"),
        Row([:], key: "any", Payload.self, "any: expected a value, found nothing"),
        Row([:], key: "count", UInt8.self, "count: expected int, found nothing"),
        Row([:], key: "wait", Duration.self, "wait: expected an object with the key seconds, found nothing"),
        Row([1], key: "name", String.self, "the payload: expected an object with the key name, found array of 1"),
        Row([1], key: "name", String?.self, "the payload: expected an object with the key name, found array of 1"),
        Row(["name": nil], key: "name", String.self, "name: expected string, found null"),
        Row(["name": 1], key: "name", String?.self, "name: expected string, found int"),
    ]

    @Test("the error has the path, the expected and the found kind", arguments: rows)
    func refused(row: Row) { #expect(refusal(row.read) == row.message) }

    @Test("a missing key is nil for an optional, and differs from null if there is a default")
    func missing() throws {
        #expect(try ([:] as Payload).value("name", as: String?.self) == nil)
        #expect(try Payload.null.value("name", as: String?.self) == nil)
        #expect(try (["name": nil] as Payload).value("name", as: String?.self) == nil)
        let absent = try ([:] as Payload).valueIfPresent("name", as: String?.self)
        #expect(absent == .none)
        let null = try (["name": nil] as Payload).valueIfPresent("name", as: String?.self)
        #expect(null == .some(nil))
        #expect(
            refusal { () throws(PayloadError) in try (["n": "x"] as Payload).valueIfPresent("n", as: Int.self) }
                == "n: expected int, found string")
        #expect(
            refusal { () throws(PayloadError) in try Payload(1).valueIfPresent("n", as: Int.self) }
                == "the payload: expected an object with the key n, found int")
    }

    @Test("a broken tree is refused, and not followed")
    func broken() {
        #expect(
            refusal { () throws(PayloadError) in try Payload.string("x").value("a", as: Int.self) }
                == "the payload: expected an object with the key a, found string")
    }
}
