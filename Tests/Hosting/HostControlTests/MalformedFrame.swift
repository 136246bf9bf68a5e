import Testing

/// Bytes that end a connection, with a part of the error.
struct MalformedFrame: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let says: String

    private init(_ name: String, _ bytes: [UInt8], says: String) {
        testDescription = name
        self.bytes = bytes
        self.says = says
    }

    static let all = [
        MalformedFrame("no content", [0, 0, 0, 0], says: "empty"),
        MalformedFrame("4 GiB", [255, 255, 255, 255], says: "found a length of 4294967295"),
        MalformedFrame("one more than allowed", [0x10, 0x10, 0, 1], says: "at most 269484032"),
        MalformedFrame("no CBOR", RawClient.frame([0xFF]), says: notAnItem),
        MalformedFrame("text", RawClient.frame(Array("GET / HTTP/1.1\r\n\r\n".utf8)), says: notAnItem),
        MalformedFrame("text without a frame", Array("GET / HTTP/1.1\r\n\r\n".utf8), says: "found a length of"),
        MalformedFrame("two items", RawClient.frame([0x01, 0x02]), says: notAnItem),
        MalformedFrame("a promise of 2^60 items", RawClient.frame([0x9B, 0x10, 0, 0, 0, 0, 0, 0, 0]), says: notAnItem),
        MalformedFrame("deep nesting", RawClient.frame([UInt8](repeating: 0x81, count: 1_000_000)), says: notAnItem),
        MalformedFrame("a number", RawClient.frame([0x01]), says: noId),
        MalformedFrame("an empty map", RawClient.frame([0xA0]), says: noId),
        MalformedFrame("an id that is text", RawClient.frame([0xA1, 0x62, 0x69, 0x64, 0x61, 0x61]), says: noId),
    ]

    private static let notAnItem = "not one CBOR item"
    private static let noId = "has no id"
}
