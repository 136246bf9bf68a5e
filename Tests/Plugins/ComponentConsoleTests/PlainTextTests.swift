import ComponentKit
import TestSupport
import Testing

@testable import ComponentConsole

@Suite("Texts that come from elsewhere")
struct PlainTextTests {
    static let texts: [(text: String, oneLine: String, printable: String)] = [
        ("plain", "plain", "plain"), ("", "", ""), ("a\nb\tc", "a b c", "a\nb\tc"),
        ("\u{1B}[2J\u{0}\u{7F}\u{85}", " [2J   ", " [2J   "), ("a\u{2028}b\u{2029}c", "a b c", "a b c"),
        ("\r\n", "  ", " \n"), ("0123456789ABC", "0123456789…", "0123456789…"), ("e\u{301}🦊", "e\u{301}🦊", "e\u{301}🦊"),
    ]

    @Test("have no control characters, and are shortened", arguments: texts)
    func clean(text: String, oneLine: String, printable: String) {
        #expect(text.oneLine(10) == oneLine)
        #expect(text.printable(10) == printable)
    }

    @Test("of one character with many marks are shortened as well")
    func marks() {
        let text = "e" + String(repeating: "\u{301}", count: 100_000)
        #expect(text.count == 1 && text.oneLine(100).unicodeScalars.count == 101)
    }

    @Test("that are equal become different keys")
    func keys() {
        var keys = SiblingKeys()
        let names = ["a", "a", "a 2", "a", "\u{1}", "\u{2}", "", ""]
        let made = names.map { keys.key($0) }
        #expect(Set(made).count == names.count, "\(made)")
        #expect(made.prefix(2) == ["a", "a 2"])
    }

    @Test(
        "that list others name some of them",
        arguments: [
            ([], ""), (["a"], "a"), (["a", "b\n"], "a, b "), (["a", "b", "c"], "a, b and 1 more"),
        ])
    func lists(texts: [String], expected: String) {
        #expect(texts.listed(most: 2) == expected)
    }

    @Test(
        "of durations have three digits",
        arguments: [
            (0.005, "5 ms"), (1e-7, "100 ns"), (2e-7, "200 ns"), (0.00002, "20 µs"), (1.25, "1.25 s"),
            (12.34, "12.3 s"), (123.4, "123 s"), (0.9999, "1 s"), (0.0009999, "1 ms"), (0, "0 s"), (1e-12, "0 ns"),
            (.nan, "–"), (.infinity, "–"), (-1, "–"), (1e300, "–"),
        ])
    func durations(seconds: Double, expected: String) { #expect(seconds.durationText == expected) }

    @Test(
        "of names in programs become words",
        arguments: [
            ("methodFailed", "method failed"), ("wrongABI", "wrong ABI"), ("weakBusiness", "weak business"),
            ("stuck", "stuck"), ("", ""), ("notElf", "not elf"), ("A", "A"), ("éÉa", "éÉa"),
        ])
    func words(name: String, expected: String) { #expect(name.asWords == expected) }

    @Test(
        "with a number have the noun in the right form",
        arguments: [
            (0, "file", "0 files"), (1, "class", "1 class"), (2, "class", "2 classes"), (3, "reply", "3 replies"),
        ])
    func nouns(number: Int, noun: String, expected: String) { #expect(number.counted(noun) == expected) }

    @Test("of comments lose the marks around code")
    func comments() { #expect("Returns `nil` for ``Link``.".withoutBackticks == "Returns nil for Link.") }
}
