/// The base64 encoding of RFC 4648, section 4, with padding, in canonical form.
///
/// Implemented here because components do not depend on Foundation, and because this decoder works in place and accepts
/// only the canonical form, so equal bytes always have equal text.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let pad = UInt8(ascii: "=")

    /// Appends the encoded form of `bytes` to `output`.
    static func encode(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + (bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                unsafe Int(bytes[index]) << 16 | (left > 1 ? Int(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? Int(bytes[index + 2]) : 0)
            output.append(alphabet[group >> 18])
            output.append(alphabet[group >> 12 & 63])
            output.append(left > 1 ? alphabet[group >> 6 & 63] : pad)
            output.append(left > 2 ? alphabet[group & 63] : pad)
            index += 3
        }
    }

    /// Decodes the part `range` of `text` in place; the bytes are shorter than their text.
    ///
    /// - Returns: The number of decoded bytes, which start at the lower bound of `range`. Nil, with `text` unchanged,
    ///   if the text contains characters other than base64, has missing or wrong padding, or has unused bits set in its
    ///   last digit.
    static func decode(_ text: inout [UInt8], in range: Range<Int>) -> Int? {
        guard range.count % 4 == 0 else { return nil }
        let starts = stride(from: range.lowerBound, to: range.upperBound, by: 4)
        let end = range.upperBound
        for start in starts where group(at: start, of: text, end: end) == nil { return nil }
        var target = range.lowerBound
        for start in starts {
            guard let group = group(at: start, of: text, end: end) else { return nil }
            for offset in 0..<group.count {
                text[target] = UInt8(truncatingIfNeeded: group.bits >> (16 - 8 * offset))
                target += 1
            }
        }
        return target - range.lowerBound
    }

    /// Returns the value of four characters: 24 bits for three bytes, or only the high ones if fewer bytes end the
    /// text.
    @inline(__always)
    private static func group(at start: Int, of text: [UInt8], end: Int) -> (bits: Int, count: Int)? {
        let isLast = start + 4 == end
        let padding = !isLast || text[start + 3] != pad ? 0 : text[start + 2] != pad ? 1 : 2
        var bits = 0
        for offset in 0..<4 - padding {
            guard let digit = digit(text[start + offset]) else { return nil }
            bits |= digit << (18 - 6 * offset)
        }
        return bits & ((1 << (8 * padding)) - 1) == 0 ? (bits, 3 - padding) : nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
