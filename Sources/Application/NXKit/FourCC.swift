/// A four-byte code that names a chunk, box, brand or codec, such as 'moov', 'IHDR' or 'VP8X'.
public struct FourCC: RawRepresentable, Hashable, Sendable {
    /// The four bytes, most significant first.
    public var rawValue: UInt32

    /// Makes a code from four bytes, most significant first.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension FourCC: ExpressibleByStringLiteral {
    /// Makes a code from the first four UTF-8 bytes of `value`, padded with spaces if it is shorter, as in "qt  ".
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
    /// The four characters. A backslash, or a byte that is not printable ASCII, is written as `\x` and two hexadecimal
    /// digits, as in `\xA9nam`.
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
    /// The number in uppercase hexadecimal, with leading zeros: `UInt8(10)` is "0A".
    public var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}
