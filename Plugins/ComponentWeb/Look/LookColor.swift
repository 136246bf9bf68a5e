import Foundation

/// A colour of the look of pages.
struct LookColor: Hashable, Sendable {
    /// The parts red, green and blue, each from 0 to 255.
    private let parts: [Int]

    /// Reads a colour.
    ///
    /// - Parameter text: six digits after "#", as in "#1F5FBF"; anything else is refused.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), bytes.dropFirst().allSatisfy(\.isHexadecimalDigit),
            let value = Int(text.dropFirst(), radix: 16)
        else { return nil }
        parts = [value >> 16, value >> 8 & 255, value & 255]
    }

    private init(parts: [Int]) { self.parts = parts }

    /// Returns the colour between this one and another, of which the rest is made.
    ///
    /// - Parameter percent: how much of this colour is in it.
    func mixed(_ percent: Int, with other: LookColor) -> LookColor {
        LookColor(parts: zip(parts, other.parts).map { ($0 * percent + $1 * (100 - percent) + 50) / 100 })
    }

    /// The colour as CSS writes it.
    var css: String {
        "#" + parts.map { String($0 + 256, radix: 16).dropFirst() }.joined()
    }

    /// The contrast with another colour, from 1 to 21 (WCAG 2.2, "contrast ratio").
    func contrast(with other: LookColor) -> Double {
        let lights = [luminance, other.luminance].sorted()
        return (lights[1] + 0.05) / (lights[0] + 0.05)
    }

    /// The light of the colour, from 0 to 1 (WCAG 2.2, "relative luminance").
    private var luminance: Double {
        let light = parts.map { part in
            let part = Double(part) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
