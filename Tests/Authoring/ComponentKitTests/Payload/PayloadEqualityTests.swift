import CHSLink
import ComponentKit
import Testing

@Suite("Payloads as equal values")
struct PayloadEqualityTests {
    @Test(
        "equal payloads are equal, however they were made",
        arguments: [
            (nil as Payload, Payload.null), (.double(.nan), .double(-.nan)), (0.0, -0.0), (.uint(5), 5),
            ("a", .string("a")), ("", .string("")), (.bytes([]), .bytes([])), ([], .array([])), ([:], .map([])),
            (["a": 1, "b": [2]], ["b": [2], "a": 1]), (["a": ["x": 1, "y": 2]], ["a": ["y": 2, "x": 1]]),
        ] as [(Payload, Payload)])
    func equal(left: Payload, right: Payload) {
        #expect(left == right)
        #expect(right == left)
    }

    @Test(
        "payloads of different kind or content differ",
        arguments: [
            (1, 1.0), (1, true), (0, nil), ("a", "b"), ("a", "ab"), ("1", 1), (.bytes([1]), .bytes([2])),
            ([1, 2], [2, 1]), ([1], [1, 2]), (["a": 1], ["a": 2]), (["a": 1], ["b": 1]),
            (["a": 1], ["a": 1, "b": 2]), ([], [:]), ("", .bytes([])), ("\u{E9}", "e\u{301}"),
            (.date(Timestamp(seconds: 1)), .date(Timestamp(seconds: 1, nanoseconds: 1))),
            (.date(Timestamp(seconds: 1)), .date(Timestamp(seconds: 2))), (.uint(.max), -1),
        ] as [(Payload, Payload)])
    func different(left: Payload, right: Payload) {
        #expect(left != right)
        #expect(right != left)
    }

    @Test("maps of many entries are compared in any order")
    func wideMaps() {
        let entries = (0..<50_000).map { ("key \($0)", Payload($0)) }
        let map = Payload.map(entries)
        #expect(map == .map(entries.reversed()))
        #expect(map != .map(entries.dropLast().reversed() + [("key", 49_999)]))
        #expect(map != .map(entries.dropLast().reversed() + [("key 49999", 0)]))
    }

    @Test("objects are equal if they are identical")
    func objects() throws {
        let one = CountedObject()
        let other = CountedObject()
        let left = try one.node.copy()
        #expect(try left == one.node.copy())
        #expect(try left != other.node.copy())
    }
}
