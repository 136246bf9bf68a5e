import ComponentKit
import TestSupport
import Testing

@testable import ComponentConsole

@Suite("The answer of a call as JSON")
struct AnswerTextTests {
    static let answers: [(answer: Payload, json: String)] = [
        (.null, "null"), (7, "7"), ("a\n\u{1B}b", #""a\n\u001bb""#), (3.0, "3.0"), ([], "[]"),
        (["b": 1, "a": [true, .null]], "{\n  \"b\": 1,\n  \"a\": [\n    true,\n    null\n  ]\n}"),
        (.bytes([1, 2, 3]), "{\n  \"$bytes\": \"AQID\",\n  \"count\": 3\n}"),
        ([.bytes([])], "[\n  {\n    \"$bytes\": \"\",\n    \"count\": 0\n  }\n]"), ("<3 bytes>", #""<3 bytes>""#),
        (.double(.nan), #"{"$double": "nan"}"#),
    ]

    @Test("is what the method has answered, with bytes in Base64 and their number", arguments: answers)
    func plain(answer: Payload, json: String) { #expect(AnswerText(answer).json == json) }

    @Test("is shortened, and still JSON as long as it is not very nested")
    func long() async throws { try await onOwnThread { try checkLong() } }

    @Test("has the first of many bytes")
    func bytes() throws {
        let shown = try Payload(json: AnswerText(.bytes(Array(repeating: 0, count: 5000))).json)
        #expect(try shown.int("count") == 5000)
        #expect(try shown.string("$bytes") == String(repeating: "A", count: 400) + "…")
    }

    private func checkLong() throws {
        let items = Payload((0..<20_000).map { Payload($0) })
        for answer in [
            items, ["items": items], Payload((0..<5000).map { _ in ["key": "value", "n": 1] }),
            .string(String(repeating: "x", count: 1_000_000)), .map((0..<20_000).map { ("\($0)", .null) }),
            Payload((0..<100).map { _ in .string(String(repeating: "é", count: 5000)) }),
        ] {
            let text = AnswerText(answer).json
            #expect(text.unicodeScalars.count <= 20_001)
            #expect(text.contains("more") || text.contains("characters"))
        }
        let text = AnswerText(items, longest: 1000).json
        let shown = try Payload(json: text)
        #expect(try shown.items().first == 0)
        #expect(try shown.items().last?.string().hasSuffix(" more") == true)
    }

    @Test("does not mind keys that are equal once they are shortened, nor a key that says there is more")
    func keys() {
        let long = String(repeating: "k", count: 1000)
        let answer: Payload = .map([(long + "a", 1), (long + "b", 2), ("…", 3), ("a\u{1}", 4), ("a ", 5)])
        #expect(AnswerText(answer).json.contains("1"))
        #expect(AnswerText(.map((0..<10_000).map { ("\($0)", 1) } + [("…", 3)]), longest: 500).json.contains("more"))
    }

    @Test("of deep values is cut off")
    func deep() {
        var value: Payload = 1
        for _ in 0..<60 { value = [value] }
        #expect(AnswerText(value).json.contains("1"))
        for _ in 0..<10 { value = ["a": value, "b": value] }
        #expect(AnswerText(value).json.unicodeScalars.count <= 20_001)
    }
}
