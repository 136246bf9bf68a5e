import Testing

@testable import hslink

@Suite("The width of text on a terminal")
struct TextWidthTests {
    @Test(
        "emoji and wide characters have two columns, whatever they consist of",
        arguments: [
            ("a", 1), ("\u{E9}", 1), ("e\u{301}", 1), ("\u{4E2D}", 2), ("\u{AC00}", 2), ("\u{1F600}", 2),
            ("\u{2B50}", 2),
            ("\u{2764}\u{FE0F}", 2), ("\u{2764}", 1), ("1\u{FE0F}\u{20E3}", 2), ("\u{1F1E9}\u{1F1EA}", 2),
            ("\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", 2), ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2),
            ("\u{1F44D}\u{1F3FD}", 2), ("ab\u{2764}\u{FE0F}c", 5),
        ])
    func width(text: String, columns: Int) { #expect(text.width == columns) }

    @Test("a text is cut beside an emoji, not within")
    func cut() { #expect("ab\u{2764}\u{FE0F}cd".shortenedAtEnd(to: 4) == "ab\u{2026}") }
}
