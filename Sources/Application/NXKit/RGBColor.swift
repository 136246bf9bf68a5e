import Glibc

/// A colour of sRGB, written as "#RRGGBB".
public struct RGBColor: Hashable, Sendable {
    /// The amount of red, from 0 to 255.
    public var red: UInt8
    /// The amount of green, from 0 to 255.
    public var green: UInt8
    /// The amount of blue, from 0 to 255.
    public var blue: UInt8

    /// Makes a colour from its parts.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads a colour; nil if the text is not a `#` and six hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    /// The contrast of two colours as WCAG 2.2 defines it, from 1 for equal ones to 21 for black and white. Text needs
    /// 4.5, and large text 3.
    public func contrast(with other: RGBColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private var luminance: Double {
        0.2126 * RGBColor.light(of: red) + 0.7152 * RGBColor.light(of: green) + 0.0722 * RGBColor.light(of: blue)
    }

    private static func light(of part: UInt8) -> Double {
        let part = Double(part) / 255
        return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
}

extension RGBColor: CustomStringConvertible {
    /// The colour as "#RRGGBB", with digits in upper case.
    public var description: String { "#\(red.hexadecimal)\(green.hexadecimal)\(blue.hexadecimal)" }
}
