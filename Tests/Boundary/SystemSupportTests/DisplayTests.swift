import SystemSupport
import Testing

@Suite("Foreign text in messages")
struct DisplayTests {
    @Test(
        "characters that a terminal or a reader could misinterpret are escaped",
        arguments: [
            ("plain text, ключ, 水, é", "plain text, ключ, 水, é"), ("", ""),
            ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{1B}[2J\u{7}\0", #"\u{1b}[2J\u{7}\u{0}"#),
            ("\u{7F}\u{80}\u{9F}", #"\u{7f}\u{80}\u{9f}"#), ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
            ("\u{202E}\u{2066}\u{200E}\u{200F}\u{61C}", #"\u{202e}\u{2066}\u{200e}\u{200f}\u{61c}"#),
            ("\u{FEFF}\u{AD}\u{200B}", #"\u{feff}\u{ad}\u{200b}"#), ("\u{E000}\u{E0FFF}", #"\u{e000}\u{e0fff}"#),
            ("👩‍👩‍👧", "👩‍👩‍👧"), (#"a"b\c"#, #"a"b\c"#),
        ])
    func escapes(text: String, escaped: String) {
        #expect(text.escaped == escaped)
        #expect(Substring(text).escaped == escaped)
    }

    static let messages: [(text: String, words: [String], escaped: String)] = [
        ("a\nb\n", [], "a\nb\n"), ("a\u{1B}[31m\n\tb", [], "a\\u{1b}[31m\n\\tb"), ("", [], ""),
        ("no '-x\ny'\nUsage", ["-x\ny", "z"], "no '-x\\ny'\nUsage"), ("'\n'\n'", ["\n"], "'\\n'\n'"),
        // A combining mark after a line break, an apostrophe or the last character.
        ("a\n\u{301}\u{7}", [], "a\n\u{301}\\u{7}"),
        ("'\u{301}\n\u{301}'\u{301}", ["\u{301}\n\u{301}"], "'\u{301}\\n\u{301}'\u{301}"),
    ]

    @Test("the lines of a message stay lines, and foreign words add none", arguments: messages)
    func lines(text: String, words: [String], escaped: String) {
        #expect(Array(text.escapedByLine(words: words).utf8) == Array(escaped.utf8))
    }

    @Test(
        "quotation marks and backslashes in a quoted text are escaped",
        arguments: [
            ("", #""""#), ("a b", #""a b""#), ("é", #""é""#), ("~\u{7F}", #""~\u{7f}""#), (#"a"b\c"#, #""a\"b\\c""#),
            ("a\n\u{202E}", #""a\n\u{202e}""#),
        ])
    func quotes(text: String, quoted: String) { #expect(text.quoted() == quoted) }

    @Test(
        "characters that reorder text are escaped in JSON, unusual ones are not",
        arguments: [
            (#"{"a": "b\n"}"#, #"{"a": "b\n"}"#), ("\"\u{202E}\u{2066}\"", #""\u202e\u2066""#),
            ("\u{61C}\u{200F}\u{206A}", #"\u061c\u200f\u206a"#),
            ("\u{645}\u{200C}\u{6CC} é", "\u{645}\u{200C}\u{6CC} é"),
        ])
    func json(text: String, escaped: String) { #expect(text.escapedInJSON == escaped) }

    @Test("a long text is cut, but never within an escape")
    func cuts() {
        #expect(String(repeating: "x", count: 60).quoted() == "\"\(String(repeating: "x", count: 60))\"")
        #expect(String(repeating: "x", count: 61).quoted() == "\"\(String(repeating: "x", count: 60))…\"")
        #expect("ab\u{1B}cd".quoted(limit: 3) == #""ab\u{1b}…""#)
        #expect("abc".quoted(limit: 3) == #""abc""#)
    }

    @Test(
        "a word for a shell is quoted where it needs to be",
        arguments: [
            ("/usr/lib/a-b_c.so", "/usr/lib/a-b_c.so"), ("key=value,10%", "key=value,10%"), ("", "''"),
            ("a b", "'a b'"),
            ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("$(x)", "'$(x)'"), ("=ls", "'=ls'"), ("~", "'~'"),
            ("a\nb", "'a\nb'"), ("é", "'é'"), ("a;b", "'a;b'"),
            // For the shell, these are a quote and an equals sign.
            ("'\u{301}$(x)'\u{301}", "''\\''\u{301}$(x)'\\''\u{301}'"), ("=\u{301}ls", "'=\u{301}ls'"),
        ])
    func shellWords(text: String, word: String) { #expect(text.quotedForShell == word) }
}
