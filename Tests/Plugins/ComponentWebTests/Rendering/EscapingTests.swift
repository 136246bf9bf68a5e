import Testing

@testable import ComponentWeb

@Suite("Escaping")
struct EscapingTests {
    /// U+FDD0, which no literal may contain.
    private static let noncharacter = Unicode.Scalar(0xFDD0 as UInt32).map { String($0) } ?? ""

    static let texts: [(text: String, shown: String, exact: String)] = [
        ("plain – ü 漢 👩‍👩‍👧", "plain – ü 漢 👩‍👩‍👧", "plain – ü 漢 👩‍👩‍👧"),
        (#"<b a="1">&'"#, "&lt;b a=&quot;1&quot;&gt;&amp;&#39;", "&lt;b a=&quot;1&quot;&gt;&amp;&#39;"),
        ("a\nb\tc", "a\nb\tc", "a\nb\tc"),
        (
            "a\r\u{0}\u{1}\u{1B}\u{7F}\u{85}\u{9F}", "a\(String(repeating: "\u{FFFD}", count: 7))",
            "a\(String(repeating: "\u{FFFD}", count: 7))"
        ),
        (
            "\u{202E}evil\u{202C}\u{2066}x\u{2069}", "\u{FFFD}evil\u{FFFD}\u{FFFD}x\u{FFFD}",
            "\u{202E}evil\u{202C}\u{2066}x\u{2069}"
        ),
        ("\u{200F}שלום\u{200E}", "\u{200F}שלום\u{200E}", "\u{200F}שלום\u{200E}"),
        ("a\u{2028}b\u{2029}", "a&#x2028;b&#x2029;", "a&#x2028;b&#x2029;"),
        (
            "\u{FFFE}\(noncharacter)\u{1FFFF}\u{E000}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{E000}",
            "\u{FFFD}\u{FFFD}\u{FFFD}\u{E000}"
        ),
        ("", "", ""),
    ]

    @Test("makes of no text anything but text", arguments: texts)
    func text(text: String, shown: String, exact: String) {
        var out = HTMLWriter()
        out.text(text)
        out.markup("|")
        out.attribute("title", text)
        out.markup("|")
        out.attribute("value", exact: text)
        out.markup("|")
        out.exactText(text)
        let expected = "\(shown)| title=\"\(shown)\"| value=\"\(exact)\"|\(exact)"
        #expect(out.rendered.bytes == Array(expected.utf8), "\(out.rendered.text())")
    }

    @Test("keeps JSON as it is for the one who reads it")
    func json() {
        var out = HTMLWriter()
        out.attribute("value", json: "{\"a\":\"<\u{202E}\u{2028}\u{1FFFF}é\"}")
        #expect(
            out.rendered.text() == #" value="{&quot;a&quot;:&quot;&lt;\u202e\u2028\ud83f\udfffé&quot;}""#)
    }

    @Test("makes identifiers of names, different ones of different names")
    func identifiers() {
        let names = [["a"], ["a b"], ["a-b"], ["a", "b"], ["a~20b"], ["ä"], ["\""], [""], ["", ""]]
        let identifiers = names.map { names in
            var out = HTMLWriter()
            out.identifier("x-", names)
            return out.rendered.text()
        }
        #expect(identifiers[0...3] == ["x-a", "x-a~20b", "x-a~2db", "x-a-b"])
        #expect(Set(identifiers).count == names.count)
        #expect(identifiers.allSatisfy { $0.utf8.allSatisfy { $0.isLetterOrDigit || "~-._".utf8.contains($0) } })
    }

    @Test(
        "writes pictures in base64",
        arguments: [
            ([], ""), ([0], "AA=="), ([255, 254], "//4="), ([1, 2, 3], "AQID"),
            (Array(0..<16), "AAECAwQFBgcICQoLDA0ODw=="),
        ] as [([UInt8], String)])
    func picture(bytes: [UInt8], text: String) {
        var out = HTMLWriter()
        out.attribute("src", picture: bytes, type: "image/png")
        #expect(out.rendered.text() == " src=\"data:image/png;base64,\(text)\"")
    }

    @Test("leaves a place for the token of each session")
    func marks() {
        var out = HTMLWriter()
        #expect(out.rendered.segments.map { Array($0) } == [[]])
        out.text("a\u{1}")
        out.tokenField()
        var other = HTMLWriter()
        other.tokenField()
        out.append(other)
        let rendered = out.rendered
        #expect(rendered.marks.count == 2)
        #expect(rendered.marks.allSatisfy { rendered.bytes[$0] == Rendered.tokenMark })
        #expect(rendered.bytes.count { $0 == Rendered.tokenMark } == 2)
        let field = #"<input type="hidden" name="token" value="T-1_x">"#
        #expect(rendered.text(token: "T-1_x") == "a\u{FFFD}\(field)\(field)")
        #expect(rendered.segments.count == 3)
        #expect(rendered.segments.joined(separator: Array("T-1_x".utf8)).elementsEqual(rendered.bytes(token: "T-1_x")))
    }

    static let urls: [(WebURL?, String?)] = [
        (WebURL(web: "https://example.com/a?b=c&d#e"), "https://example.com/a?b=c&d#e"),
        (WebURL(web: "HTTP://example.com"), "HTTP://example.com"),
        (WebURL(web: "mailto:a@b.c"), "mailto:a@b.c"), (WebURL(web: "javascript:alert(1)"), nil),
        (WebURL(web: " javascript:alert(1)"), nil), (WebURL(web: "java\nscript:alert(1)"), nil),
        (WebURL(web: "data:text/html,x"), nil), (WebURL(web: "//evil"), nil), (WebURL(web: "https:evil"), nil),
        (WebURL(web: "https:///evil"), nil), (WebURL(web: #"https:\\evil"#), nil), (WebURL(web: "mailto:"), nil),
        (WebURL(web: "/here"), nil), (WebURL(web: ""), nil), (WebURL(web: "vbscript:x"), nil),
        (WebURL(web: "https://a/\"><b \u{202E}\n"), "https://a/%22%3E%3Cb%20%E2%80%AE%0A"),
        (WebPlaces.page("a.b-c_d"), "/pages/a.b-c_d"), (WebPlaces.page(".."), nil), (WebPlaces.page(""), nil),
        (WebPlaces.page("a/../b"), "/pages/a%2F..%2Fb"), (WebPlaces.perform("ü"), "/pages/%C3%BC/perform"),
        (WebPlaces.page("a?id=3&b=x y"), "/pages/a?b=x%20y&id=3"),
        (WebPlaces.page("a?\"><b=\u{1B}"), "/pages/a?%22%3E%3Cb=%1B"),
        (WebPlaces.page("a?b=\(String(repeating: "x", count: 2000))"), nil),
        (WebPlaces.page("../x?a=/../b"), "/pages/..%2Fx?a=%2F..%2Fb"),
        (WebPlaces.events("a?id=3"), "/pages/a%3Fid%3D3/events"),
        (WebPlaces.events("a?b#c%"), "/pages/a%3Fb%23c%25/events"),
        (WebSamples.renderer.places.media("films/a b.mp4", of: "C"), "/media/C/films/a%20b.mp4?s=sig"),
        (WebSamples.renderer.places.media("../x", of: "C"), nil),
        (WebSamples.renderer.places.media("a//b", of: "C"), nil),
        (WebSamples.renderer.places.media("/etc/passwd", of: "C"), nil),
        (WebSamples.renderer.places.media("a", of: ".."), nil),
        (WebSamples.renderer.places.resource("i/a.png", of: "C"), "/resources/C/i/a.png?v=abc"),
        (WebSamples.renderer.places.resource("missing", of: "C"), nil),
    ]

    @Test("lets only places of our own and of the web be linked to", arguments: urls)
    func url(url: WebURL?, text: String?) { #expect(url?.text == text) }
}
