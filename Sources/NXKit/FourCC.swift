/// A code of four bytes that names a chunk, box, brand or codec, as in 'moov', 'IHDR' or 'VP8X'.
public struct FourCC: RawRepresentable, Hashable, Sendable {
    /// The four bytes, the first one most significant.
    public var rawValue: UInt32

    /// The code of these four bytes, the first one most significant.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension FourCC: ExpressibleByStringLiteral {
    /// The code of the first four bytes of `value` in UTF-8; a shorter one is filled up with spaces, as in "qt  ".
    public init(stringLiteral value: StaticString) {
        let code = value.withUTF8Buffer { text in
            (0..<4).reduce(UInt32(0)) { code, index in
                unsafe code << 8 | UInt32(index < text.count ? text[index] : UInt8(ascii: " "))
            }
        }
        self.init(rawValue: code)
    }
}

extension FourCC: CustomStringConvertible {
    /// The four characters. A byte that is not printable ASCII is written as `\x` and two digits, as in `\xA9nam`.
    public var description: String {
        var text = ""
        for shift in stride(from: 24, through: 0, by: -8) {
            let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift))
            if 0x20..<0x7F ~= byte, byte != UInt8(ascii: "\\") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + byte.hexadecimal
            }
        }
        return text
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// All digits of the number to the base 16, in capitals, with leading zeros: `UInt8(10)` is "0A".
    public var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
