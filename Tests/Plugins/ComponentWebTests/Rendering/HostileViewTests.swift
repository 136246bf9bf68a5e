import ComponentKit
import PageKit
import Testing

@testable import ComponentWeb

@Suite("Views with hostile texts")
struct HostileViewTests {
    static let texts = [
        "<script>alert(1)</script>", #""><img src=x onerror=alert(1)>"#, "' onclick='x", "</textarea></title></select>",
        "]]><!--", "javascript:alert(1)", "data:text/html,<script>", "//evil.example", "\u{0}\u{1}\u{8}\u{1B}[31m\r\n",
        "\u{202E}\u{2066}\u{2028}\u{2029}\u{FFFE}", "&lt;&#60;&amp", "..", "a b\tc\nd", "\\u003cscript>", "",
    ]

    @Test("stay texts, whichever of their strings is hostile", arguments: texts)
    func everyString(text: String) throws {
        var count = 0
        for view in WebSamples.views {
            let payload = view.payload
            for path in payload.stringPaths {
                // The names of styles and the like are no texts.
                guard let hostile = try? payload.replacing(path[...], with: text).value(as: ViewNode.self) else {
                    continue
                }
                _ = try WebSamples.element(hostile)
                count += 1
            }
        }
        // Far more than one a kind.
        #expect(count > 200)
    }

    @Test("are shown on a page whose own strings are hostile", arguments: texts)
    func everyStringOfPage(text: String) throws {
        let frame = WebSamples.section("frame", PageFrame(title: "t") { Button("a", .refresh()) })
        let page = WebSamples.page(
            [WebSamples.section("s", WebSamples.form, title: "T", layout: SectionLayout(columns: 2, inset: 1))],
            frame: frame)
        let payload = page.payload
        for path in payload.stringPaths {
            guard let hostile = try? payload.replacing(path[...], with: text).value(as: Page.self) else { continue }
            let state = DocumentState(
                site: text, language: text, navigation: [PageLink(id: text, title: text)],
                message: PageMessage(text: text),
                form: FormState(
                    section: "s", action: .call(text), values: ["text": text], field: text, reason: text),
                signOut: "/out")
            _ = try HTMLReader.document(WebSamples.renderer.document(hostile, state).text(token: "T"))
            let question = ConfirmationState(
                page: hostile, section: text, action: .call(text, [text: .string(text)], confirm: text),
                values: [text: text])
            _ = try HTMLReader.document(WebSamples.renderer.confirmation(question, state).text(token: "T"))
        }
        let message = MessagePage(title: text, text: text, status: 404, links: [PageLink(id: text, title: text)])
        _ = try HTMLReader.document(WebSamples.renderer.message(message).text(token: "T"))
        for kind in [SignInState.Kind.password, .token] {
            let signIn = SignInState(kind: kind, path: text, next: text, problem: text)
            _ = try HTMLReader.document(WebSamples.renderer.signIn(signIn).text(token: "T"))
        }
    }

    @Test("send every action back as it is", arguments: texts)
    func actions(text: String) throws {
        let actions: [Action] = [
            .call(
                text, [text: .string(text), "n": [1, 2.5, .null, true, .bytes([0, 255])]], title: text, confirm: text),
            .open(text, title: text, confirm: text), .refresh(title: text),
        ]
        for action in actions {
            let button = try #require(try WebSamples.element(Button("b", action)).first("button"))
            let value = try #require(button["value"])
            let read: Action = try Payload(json: value).value()
            #expect(read == action)
            #expect(button["data-confirm"]?.isEmpty == (action.confirmation.map(\.isEmpty)))
        }
    }

    @Test("send every name and choice of a form back as it is", arguments: texts)
    func fields(text: String) throws {
        let form = Form("f", .refresh()) {
            Field(text, text, .choice([FieldChoice(value: "x" + text, title: text)]), value: .string("x" + text))
            Field("y" + text, text, .text, value: .string(text))
        }
        let html = try WebSamples.element(form)
        // Control characters are in no name that a page accepts.
        let isPlain =
            !text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" && $0 != "\t" }
            && !text.contains("\u{FFFE}")
        if isPlain {
            #expect(html.first("select")?["name"] == "field." + text)
            let options = html.find("option").map { $0["value"] }
            #expect(options.contains("x" + text))
            #expect(html.all.first { $0["type"] == "text" }?["value"] == text)
        }
        #expect(html.find("label").count == 2)
    }
}

extension Payload {
    fileprivate enum Step {
        case key(String)
        case index(Int)
    }

    /// The paths to all strings.
    fileprivate var stringPaths: [[Step]] {
        switch kind {
        case .string: [[]]
        case .map:
            ((try? entries()) ?? []).flatMap { entry in entry.value.stringPaths.map { [.key(entry.key)] + $0 } }
        case .array:
            ((try? items()) ?? []).enumerated().flatMap { index, item in
                item.stringPaths.map { [.index(index)] + $0 }
            }
        default: []
        }
    }

    fileprivate func replacing(_ path: ArraySlice<Step>, with text: String) throws -> Payload {
        switch path.first {
        case nil: return .string(text)
        case .key(let key):
            return Payload(
                entries: try entries().map { entry in
                    (
                        entry.key,
                        entry.key == key ? try entry.value.replacing(path.dropFirst(), with: text) : entry.value
                    )
                })
        case .index(let index):
            return .array(
                try items().enumerated().map { place, item in
                    place == index ? try item.replacing(path.dropFirst(), with: text) : item
                })
        }
    }
}
