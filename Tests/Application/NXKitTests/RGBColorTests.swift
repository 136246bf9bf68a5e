import NXKit
import Testing

@Suite("Colours")
struct RGBColorTests {
    @Test(
        "a colour is a number sign and six hexadecimal digits",
        arguments: [
            ("#000000", RGBColor(red: 0, green: 0, blue: 0)), ("#1F5FBF", RGBColor(red: 31, green: 95, blue: 191)),
            ("#ff9e97", RGBColor(red: 255, green: 158, blue: 151)), ("", nil), ("#", nil), ("#12345", nil),
            ("#1234567", nil), ("1234567", nil), ("#12345G", nil), ("#+12345", nil), ("#-12345", nil), ("# 12345", nil),
            ("##12345", nil), ("#\u{FF11}2345", nil), ("#é1234", nil), ("red", nil),
        ] as [(String, RGBColor?)])
    func reading(text: String, color: RGBColor?) {
        #expect(RGBColor(text) == color)
        if let color { #expect(color.description == text.uppercased()) }
    }

    @Test(
        "the contrast is that of WCAG",
        arguments: [
            ("#000000", "#FFFFFF", 21), ("#123456", "#123456", 1), ("#777777", "#FFFFFF", 4.48),
            ("#0000FF", "#FFFFFF", 8.59), ("#FF0000", "#000000", 5.25),
        ] as [(String, String, Double)])
    func contrast(first: String, second: String, contrast: Double) throws {
        let (first, second) = (try #require(RGBColor(first)), try #require(RGBColor(second)))
        #expect(abs(first.contrast(with: second) - contrast) < 0.01)
        #expect(first.contrast(with: second) == second.contrast(with: first))
    }
}
