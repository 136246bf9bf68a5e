import Foundation
import NXUIContract
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("The look that another component describes")
struct LookTests {
    private static let palette = Palette(
        background: "#F6F7F9", surface: "#FFFFFF", border: "#D5DAE1", text: "#1B2430", muted: "#566273",
        accent: "#1F5FBF", onAccent: "#FFFFFF", success: "#1B7A43", danger: "#B3261E")

    private static let drawing = #"<svg viewBox="0 0 24 24"><path d="M12 5v14"/></svg>"#

    private static func icon(_ name: String, _ svg: String = drawing) -> Icon {
        Icon(name: name, mediaType: "image/svg+xml", data: Data(svg.utf8))
    }

    private static func look(_ change: (inout Look) -> Void = { _ in }) -> Look {
        var look = Look(
            style: Style(
                light: palette, dark: palette, spacing: 16, cornerRadius: 6, fonts: ["Noto Sans", "system-ui"]),
            icons: [icon("add")])
        change(&look)
        return look
    }

    private static func css(_ look: Look) throws -> String {
        String(decoding: try WebLook(look).styleSheet, as: UTF8.self)
    }

    @Test("becomes variables for light and dark, and its hash changes with every part of it")
    func variables() throws {
        let css = try Self.css(Self.look { $0.style.dark.accent = "#1f5fc0" })
        let (light, dark) = try #require(css.firstRange(of: "@media (prefers-color-scheme: dark)")).split(css)
        for part in [
            "font-family: \"Noto Sans\", system-ui, sans-serif;", "--gap: 16px;", "--radius: 6px;",
            "--small-radius: 4px;", "--accent: #1F5FBF;", "--on-accent: #FFFFFF;", "--failure: #B3261E;",
        ] {
            #expect(light.contains(part), "\(part)")
        }
        #expect(dark.contains("--accent: #1F5FC0;") && !dark.contains("font-family"))
        let changes: [(inout Look) -> Void] = [
            { _ in }, { $0.style.light.border = "#000000" }, { $0.style.dark.border = "#000000" },
            { $0.style.spacing = 15 }, { $0.style.cornerRadius = 5 }, { $0.style.fonts = ["Noto Sans"] },
            { $0.icons[0].name = "plus" }, { $0.icons = [Self.icon("add", Self.drawing.replacing("14", with: "15"))] },
            { $0.icons = [] },
        ]
        let versions = try changes.map { try WebLook(Self.look($0)).version }
        #expect(Set(versions).count == changes.count)
        #expect(try WebLook(Self.look()).version == versions[0])
    }

    /// Changes of a look that are refused, and what is said about each.
    static let refused: [(what: String, change: @Sendable (inout Look) -> Void)] = [
        ("light.accent", { $0.style.light.accent = "red" }),
        ("light.accent", { $0.style.light.accent = "#1F5FBF;}body{display:none" }),
        ("light.text", { $0.style.light.text = "#12345" }),
        ("light.text", { $0.style.light.text = "#+12345" }),
        ("light.text", { $0.style.light.text = "#１２３４５６" }),
        ("dark.border", { $0.style.dark.border = "" }),
        ("dark.danger", { $0.style.dark.danger = "url(//evil.example/a)" }),
        ("light: text on background", { $0.style.light.text = $0.style.light.background }),
        ("dark: text on surface", { $0.style.dark.surface = "#2B3440" }),
        ("light: muted on background", { $0.style.light.muted = "#EEEEEE" }),
        ("dark: danger on background", { $0.style.dark.danger = "#F6F7F9" }),
        ("light: onAccent on accent", { $0.style.light.onAccent = "#1F5FB0" }),
        ("spacing", { $0.style.spacing = -1 }), ("spacing", { $0.style.spacing = .max }),
        ("cornerRadius", { $0.style.cornerRadius = 65 }),
        ("fonts", { $0.style.fonts = [] }), ("fonts", { $0.style.fonts = [""] }),
        ("fonts", { $0.style.fonts = Array(repeating: "a", count: 21) }),
        ("fonts", { $0.style.fonts = [String(repeating: "a", count: 65)] }),
        ("fonts", { $0.style.fonts = ["a\"; } * { color: red"] }), ("fonts", { $0.style.fonts = ["a\\"] }),
        ("fonts", { $0.style.fonts = ["</style>"] }), ("fonts", { $0.style.fonts = ["a\n"] }),
        ("fonts", { $0.style.fonts = ["caf\u{E9}"] }),
        ("fonts", { $0.style.fonts = ["e" + String(repeating: "\u{301}", count: 5000)] }),
        ("icons", { $0.icons = (0...200).map { icon("i\($0)") } }), ("icons", { $0.icons = [icon("")] }),
        ("icons", { $0.icons = [icon("a b")] }), ("icons", { $0.icons = [icon("a"), icon("a")] }),
        ("icons", { $0.icons = [icon("a", "")] }),
    ]

    @Test("is refused as a whole if a part of it is not what it has to be", arguments: refused.indices)
    func refusal(index: Int) throws {
        let (what, change) = Self.refused[index]
        let problem = #expect(throws: LookProblem.self) { try WebLook(Self.look(change)) }
        let text = try #require(problem).description
        #expect(text.hasPrefix("\(what): expected "), "\(text)")
        #expect(text.utf8.count < 600 && !text.contains("\n"), "\(text)")
    }

    static let drawings = [
        #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor">"#
            + #"<circle cx="1" cy="-2" r=".5" stroke-dasharray="2.5 2"/></svg>"#,
        #"<svg viewBox="0 0 8 8"\#n width="8" height="8">\#n <path d="M4 1,2e1a1 1 0 0 1-1 1z" />"#
            + #" <rect x="1" rx="2"/>\#n</svg>\#n"#,
        #"<svg viewBox="0 0 8 8"><polygon points="1,2 3,4" fill="currentColor" fill-rule="evenodd"/></svg>"#,
    ]

    @Test("has icons of shapes, which are written anew", arguments: drawings)
    func shapes(svg: String) throws {
        let drawing = try #require(IconDrawing(svg: svg.utf8))
        let markup = drawing.out.rendered.text()
        #expect(markup.hasPrefix(#"<svg class="icon" width="20" height="20" aria-hidden="true" viewBox="0 0 "#))
        #expect(markup.hasSuffix("/></svg>"))
        #expect(!markup.contains("xmlns") && markup.ranges(of: "width=\"8\"").isEmpty)
        // What is written is read as one element with the shapes in it.
        #expect(try HTMLReader.element(markup).name == "svg")
    }

    static let hostile = [
        "", "<svg>", #"<svg viewBox="0 0 8 8"></svg>"#, #"<svg viewBox="0 0 8 8"/>"#,
        #"<svg><path d="M1 1"/></svg>"#, #"<svg viewBox="0 0 8 8"><path d="M1 1"/></svg><script/>"#,
        #"<svg viewBox="0 0 8 8" onload="1"><path d="M1 1"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><script>alert(1)</script></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1 1" onclick="1"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1 1" style="color:red"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1 1" fill="url(#a)"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1 1" fill="red"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1 1" d="M2 2"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d='M1 1'/></svg>"#, #"<svg viewBox="0 0 8 8"><path d=M1/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1&#x22; onload=1"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="<b>"/></svg>"#, #"<svg viewBox="0 0 8 8"><path d="M1 1/></svg>"#,
        #"<svg viewBox="0 0 8 8"><use href="/a.svg#b"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><image href="//evil.example/a"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><foreignObject><p/></foreignObject></svg>"#,
        #"<svg viewBox="0 0 8 8"><a href="javascript:1"><path d="M1 1"/></a></svg>"#,
        #"<svg viewBox="0 0 8 8"><!-- --><path d="M1 1"/></svg>"#,
        #"<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 8 8"><path d="M1 1"/></svg>"#,
        #"<svg viewBox="0 0 8 8">text<path d="M1 1"/></svg>"#,
        #"<svg viewBox="0 0 8 8" xmlns="http://evil.example/"><path d="M1 1"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path/></svg>"#, #"<svg viewBox="0 0 8 8"><pathd="M1 1"/></svg>"#,
        #"<svg viewBox="0 0 8 8"><path d="M1 1"></path></svg>"#, "<svg viewBox=\"0 0 8 8\"><path d=\"M1\u{0}\"/></svg>",
        #"<svg viewBox="0 0 8 8">"# + String(repeating: #"<path d="M1"/>"#, count: 65) + "</svg>",
        #"<svg viewBox="0 0 8 8"><path d="M"# + String(repeating: "1", count: 8192) + #""/></svg>"#,
    ]

    @Test("has no icons with anything else in them", arguments: hostile)
    func refusedIcons(svg: String) { #expect(IconDrawing(svg: svg.utf8) == nil) }

    @Test("has its distances everywhere: the style sheet of pages sets its own at the beginning only")
    func distances() throws {
        let file = "Plugins/ComponentWeb/ComponentWeb.resources/web/page.css"
        let css = try String(contentsOf: BuiltProducts.packageDirectory.appending(path: file), encoding: .utf8)
        for name in ["--gap", "--radius", "--small-radius"] {
            let values = css.ranges(of: " \(name): ").map { css[$0.upperBound...].prefix { $0 != ";" } }
            #expect(values.filter { !$0.hasPrefix("var(") }.count == 1, "\(name): \(values)")
        }
    }

    @Test("has the icons that NXUI has", .enabled(if: WebPlace.isComplete))
    func ownIcons() throws {
        let folder = BuiltProducts.packageDirectory.appending(path: "Plugins/NXUI/NXUI.resources/icons")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 13)
        for file in files { #expect(IconDrawing(svg: try Data(contentsOf: file)) != nil, "\(file.path)") }
    }
}

extension Range<String.Index> {
    /// What is before the range in a text, and what is after it.
    fileprivate func split(_ text: String) -> (Substring, Substring) { (text[..<lowerBound], text[upperBound...]) }
}
