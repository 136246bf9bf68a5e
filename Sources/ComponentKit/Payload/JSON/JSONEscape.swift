/// What is written instead of a character of a string: what JSON asks for, and whatever else could move a
/// terminal's cursor or end a line (DEL, the controls U+0080 to U+009F, U+2028 and U+2029).
struct JSONEscape {
    let text: String
    /// How many bytes it stands for.
    let length: Int

    /// Nil when the character at `index` of UTF-8 text is written as it is.
    @inline(__always)
    init?(in bytes: UnsafeRawBufferPointer, at index: Int) {
        let byte = unsafe bytes[index]
        guard byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
            return nil
        }
        guard byte == 0xC2 || byte == 0xE2 || byte < 0x80 else { return nil }
        unsafe self.init(of: bytes[index...].prefix(3))
    }

    private init?(of bytes: Slice<UnsafeRawBufferPointer>) {
        let first = unsafe bytes.first ?? 0
        let second = unsafe bytes.dropFirst().first ?? 0
        let third = unsafe bytes.dropFirst(2).first ?? 0
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.init(text: "\\\(Unicode.Scalar(first))", length: 1)
        case 0x08: self.init(text: "\\b", length: 1)
        case 0x09: self.init(text: "\\t", length: 1)
        case 0x0A: self.init(text: "\\n", length: 1)
        case 0x0C: self.init(text: "\\f", length: 1)
        case 0x0D: self.init(text: "\\r", length: 1)
        case 0..<0x20, 0x7F: self.init(scalar: UInt32(first), length: 1)
        case 0xC2 where (0x80...0x9F).contains(second): self.init(scalar: UInt32(second), length: 2)
        case 0xE2 where second == 0x80 && (third == 0xA8 || third == 0xA9):
            self.init(scalar: 0x2000 + UInt32(third - 0x80), length: 3)
        default: return nil
        }
    }

    private init(text: String, length: Int) {
        self.text = text
        self.length = length
    }

    private init(scalar: UInt32, length: Int) {
        let digits = String(scalar, radix: 16)
        self.init(text: "\\u" + String(repeating: "0", count: 4 - digits.count) + digits, length: length)
    }
}
