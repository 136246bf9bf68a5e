/// The head of a CBOR item: what it is, and its number, length or tag (RFC 8949, section 3).
struct CBORHead {
    /// The three high bits of the first byte.
    enum Major: UInt8 {
        case unsigned = 0
        case negative, bytes, text, array, map, tag, simple
    }

    let major: Major
    /// The five low bits of the first byte.
    let info: UInt8
    let argument: UInt64

    /// What the item is, for messages.
    var summary: String {
        switch major {
        case .unsigned: "an unsigned integer"
        case .negative: "a negative integer"
        case .bytes: "a byte string"
        case .text: "a text string"
        case .array: "an array"
        case .map: "a map"
        case .tag: "tag \(argument)"
        case .simple where (25...27).contains(info): "a floating-point number"
        case .simple: "simple value \(argument)\(argument == 23 ? " (undefined)" : "")"
        }
    }
}

extension CBORHead {
    /// The tag for a time in parts that are exact (RFC 9581, section 3).
    static let extendedTime: UInt64 = 1001
    /// The key of the seconds since 1970 in an extended time: 1.
    static let secondsKey: UInt8 = 0x01
    /// The key of the nanoseconds on top in an extended time: -9.
    static let nanosecondsKey: UInt8 = 0x28
}
