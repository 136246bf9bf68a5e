import Testing

@Suite("How the literal of #manifest is read")
struct LiteralTextTests {
    struct Literal: Sendable, CustomTestStringConvertible {
        let source: String
        let summary: String
        var testDescription: String { source }

        /// A literal of one line whose summary is written as `escaped`.
        static func line(_ escaped: String, _ summary: String) -> Literal {
            Literal(
                source: #""{\"name\": \"V\", \"version\": \"1.0.0\", \"summary\": \""# + escaped + #"\"}""#,
                summary: summary)
        }
        /// A raw literal of one line with `pounds`.
        static func raw(_ pounds: String, _ escaped: String, _ summary: String) -> Literal {
            Literal(
                source: pounds + #""{"name": "V", "version": "1.0.0", "summary": ""# + escaped + #""}""# + pounds,
                summary: summary)
        }
    }

    @Test(
        "the note has the value of the literal, escapes resolved",
        arguments: [
            .line("plain", "plain"),
            .line(#"\u{65E5}\u{1F600}"#, "日😀"),
            .line("größer 日本 😀", "größer 日本 😀"),
            .line(#"\\\"quoted\\\""#, #"\"quoted\""#),
            .line(#"a\\nb"#, #"a\nb"#),
            .raw("#", #"a\nb \"c\" \u65e5"#, #"a\nb \"c\" \u65e5"#),
            .raw("#", ##"\#u{e9}"##, "é"),
            .raw("##", ##"quote \" and #"##, ##"quote \" and #"##),
            Literal(
                source:
                    "\"\"\"\n    {\"name\": \"V\",\n      \"version\": \"1.0.0\", \"summary\": \"one \\\n    line\"}\n    \"\"\"",
                summary: "one line"),
            Literal(
                source:
                    "\"\"\"\r\n  {\"name\": \"V\",\r\n  \"version\": \"1.0.0\",\r\n  \"summary\": \"CRLF\"}\r\n  \"\"\"",
                summary: "CRLF"),
        ] as [Literal])
    func value(_ literal: Literal) {
        let expansion = Expansion(of: "#manifest(\(literal.source))")
        #expect(expansion.diagnostics == [])
        #expect(
            expansion.noteContent
                == #"{"module":"Video","name":"V","version":"1.0.0","summary":"\#(literal.summary)"}"#)
    }

    struct Misuse: Sendable, CustomTestStringConvertible {
        let source: String
        let diagnostics: [String]
        var testDescription: String { source }
    }

    @Test(
        "anything but one plain literal at file scope is refused",
        arguments: [
            Misuse(source: "#manifest()", diagnostics: ["1:1 #manifest needs a string literal as its argument"]),
            Misuse(
                source: "#manifest(text)",
                diagnostics: [
                    "1:11 #manifest needs its text as one string literal here: a macro sees the source of its argument, "
                        + "not its value"
                ]),
            Misuse(
                source: "#manifest(\"{}\" + \"\")",
                diagnostics: [
                    "1:11 #manifest needs its text as one string literal here: a macro sees the source of its argument, "
                        + "not its value"
                ]),
            Misuse(
                source: "#manifest(\"\"\"\n    {\n    \\(name)\n    }\n    \"\"\")",
                diagnostics: [
                    "3:5 #manifest can't work out an interpolation: write the text itself, or use a raw literal "
                        + "#\"\"\"…\"\"\"# if the backslash belongs to it"
                ]),
            Misuse(
                source: #"#manifest("\q")"#,
                diagnostics: ["1:12 #manifest can't read this string literal: correct its errors first"]),
            Misuse(
                source: "struct Video {\n    #manifest(\"{}\")\n}",
                diagnostics: [
                    "2:5 #manifest stands inside another declaration: move it to file scope, outside of every type and "
                        + "function"
                ]),
            Misuse(
                source: "func video() {\n    #manifest(\"{}\")\n}",
                diagnostics: [
                    "2:5 #manifest stands inside another declaration: move it to file scope, outside of every type and "
                        + "function"
                ]),
        ])
    func misuse(_ misuse: Misuse) {
        let expansion = Expansion(of: misuse.source)
        #expect(expansion.diagnostics == misuse.diagnostics)
        #expect(!expansion.source.contains("@section"))
    }
}
