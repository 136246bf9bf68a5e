import ComponentKit
import PageKit
import Testing

@testable import ComponentWeb

@Suite("Forms in HTML")
struct FormTests {
    private static func field(_ name: String, in form: HTMLElement) throws -> HTMLElement {
        try #require(form.all.first { $0["name"] == "field.\(name)" })
    }

    @Test("have for each kind of field what a browser offers for it")
    func kinds() throws {
        let form = try WebSamples.element(WebSamples.form)
        #expect(form["method"] == "post" && form["action"] == "/pages/home/perform")
        let expected: [(String, String, [String: String])] = [
            ("text", "input", ["type": "text", "dir": "auto", "maxlength": "9", "value": "abc", "required": ""]),
            ("lines", "textarea", ["dir": "auto", "maxlength": "99"]),
            ("password", "input", ["type": "password", "autocomplete": "current-password", "required": ""]),
            ("email", "input", ["type": "email", "autocomplete": "email", "maxlength": "254", "aria-invalid": "true"]),
            ("integer", "input", ["type": "number", "min": "-2", "max": "7", "step": "1", "value": "3"]),
            ("number", "input", ["type": "number", "min": "0.5", "max": "2", "step": "any", "value": "1"]),
            ("toggle", "input", ["type": "checkbox", "value": "on", "checked": ""]),
            ("date", "input", ["type": "date", "value": "2026-11-23"]), ("choice", "select", [:]),
        ]
        for (name, element, attributes) in expected {
            let field = try Self.field(name, in: form)
            #expect(field.name == element)
            for (attribute, value) in attributes { #expect(field[attribute] == value, "\(name) \(attribute)") }
            // Each has a label, and what describes it is there.
            #expect(form.find("label").contains { $0["for"] == field["id"] })
            for id in field["aria-describedby"]?.split(separator: " ") ?? [] {
                #expect(form.all.contains { $0["id"] == String(id) && !$0.text.isEmpty })
            }
        }
        #expect(try Self.field("lines", in: form).text == "\na\nb")
        #expect(try Self.field("password", in: form)["value"] == nil)
        #expect(form.find("option").filter { $0["selected"] != nil }.map { $0["value"] } == ["b"])
        let hidden = form.find("input").filter { $0["type"] == "hidden" }
        #expect(hidden.map { $0["name"] } == ["token", "section"] && hidden.map { $0["value"] } == ["TOKEN", "s"])
        let submit = try #require(form.find("button").first)
        #expect(submit["form"] == nil && submit["name"] == "action" && submit["data-confirm"] == "Send it?")
        let action: Action = try Payload(json: #require(submit["value"])).value()
        #expect(action == WebSamples.form.node.action)
    }

    @Test("a required box is marked, and browsers refuse to leave it empty")
    func requiredBox() throws {
        for isRequired in [false, true] {
            let field = Field("agree", "I agree", .toggle)
            let form = try WebSamples.element(Form("f", .refresh()) { isRequired ? field.required() : field })
            #expect((try Self.field("agree", in: form)["required"] != nil) == isRequired)
            #expect(form.find("label").map { $0.text } == [isRequired ? "I agree *" : "I agree"])
        }
    }

    @Test("a required choice begins with nothing chosen")
    func choices() throws {
        func options(_ field: Field) throws -> [String] {
            try WebSamples.element(Form("f", .refresh()) { field }).find("option").map { $0.text }
        }
        let kind = FieldKind.choice([FieldChoice(value: "a", title: "A")])
        #expect(try options(Field("x", "X", kind)) == ["–", "A"])
        #expect(try options(Field("x", "X", kind).required()) == ["Choose…", "A"])
        #expect(try options(Field("x", "X", kind, value: "a").required()) == ["A"])
        #expect(try options(Field("x", "X", kind, value: "gone").required()) == ["Choose…", "A"])
    }

    @Test("that are sent when a choice is made say so to the script, and have a button all the same")
    func submittedOnChange() throws {
        let form = Form("Show", .call("show")) { Field("x", "X", .choice([FieldChoice(value: "a", title: "A")])) }
        #expect(try WebSamples.element(form)["data-submits"] == nil)
        let element = try WebSamples.element(form.submittedOnChange())
        #expect(element["data-submits"] != nil && element.first("button")?["type"] == "submit")
    }

    @Test("that were refused show again what was filled in, except passwords, and what is wrong")
    func refused() throws {
        let action = try #require(WebSamples.form.node.action)
        let values = [
            "text": "<typed>", "password": "secret", "lines": "x", "email": "e", "integer": "99", "choice": "a",
            "date": "2026-02-31",
        ]
        let state = FormState(section: "s", action: action, values: values, field: "integer", reason: "Too many.")
        let form = try WebSamples.element(WebSamples.form, state)
        #expect(try Self.field("text", in: form)["value"] == "<typed>")
        #expect(try Self.field("lines", in: form).text == "x")
        #expect(try Self.field("password", in: form)["value"] == nil)
        #expect(!form.description.contains("secret"))
        #expect(try Self.field("integer", in: form)["value"] == "99")
        #expect(try Self.field("toggle", in: form)["checked"] == nil)
        #expect(try Self.field("number", in: form)["value"] == nil)
        #expect(form.find("option").filter { $0["selected"] != nil }.map { $0["value"] } == ["a"])
        let field = try Self.field("integer", in: form)
        #expect(field["aria-invalid"] == "true" && field["autofocus"] != nil)
        let problem = try #require(form.all.first { $0["id"] == field["aria-describedby"] })
        #expect(problem.text == "Too many.")
        // What the module said before is out of date.
        #expect(form.all.count { $0["aria-invalid"] != nil } == 1)
    }

    @Test(
        "that were refused as a whole say why, also for a field that is not there",
        arguments: [nil, "gone"] as [String?])
    func refusedAsWhole(field: String?) throws {
        let action = try #require(WebSamples.form.node.action)
        let state = FormState(section: "s", action: action, values: [:], field: field, reason: "Not <now>.")
        let form = try WebSamples.element(WebSamples.form, state)
        let note = try #require(form.first(".form-problem"))
        #expect(note["role"] == "alert" && note["autofocus"] != nil && note.text == "Not <now>.")
        // Another form, another section.
        let others = [
            FormState(section: "s", action: .refresh(), values: ["text": "typed"], reason: "r"),
            FormState(section: "t", action: action, values: ["text": "typed"], reason: "r"),
        ]
        for other in others {
            #expect(try WebSamples.element(WebSamples.form, other) == WebSamples.element(WebSamples.form))
        }
    }

    @Test("two forms of a section have fields of the same names with different identifiers")
    func identifiers() throws {
        let html = try WebSamples.element(
            Stack {
                Form("a", .call("a")) { Field("x", "X", .text) }
                Form("b", .call("b")) { Field("x", "X", .text) }
            })
        let identifiers = html.all.compactMap { $0["id"] }
        #expect(identifiers.count == 2 && Set(identifiers).count == 2)
    }

    @Test("a question without scripts is answered with the words of the button, in its colour")
    func words() throws {
        let delete = Action.call("delete", title: "Delete", confirm: "Sure?", role: .destructive)
        let views: [(view: ViewNode, words: String, name: String)] = [
            (Row("a").side(delete).node, "Delete", "button destructive"),
            (Row("a").side(.refresh()).action(.open("a://b", confirm: "Sure?")).node, "Continue", "button primary"),
            (Button("Go", .call("go", title: "t", confirm: "Sure?")).node, "Go", "button primary"),
            (Button("Go", .call("go", confirm: "Sure?"), role: .destructive).node, "Go", "button destructive"),
            (Form("Erase", delete) {}.node, "Erase", "button destructive"),
        ]
        for (view, words, name) in views {
            let action = try #require(([view.action] + view.sideActions).compactMap(\.self).first { $0 != .refresh() })
            let question = ConfirmationState(
                page: WebSamples.page([WebSamples.section("s", Stack { view })]), section: "s", action: action)
            let document = try HTMLReader.document(WebSamples.renderer.confirmation(question).text(token: "TOKEN"))
            let button = try #require(document.first("main")?.first("button"))
            #expect(button.text == words && button["class"] == name)
            // The script finds the role at the element that a person chooses.
            let isDestructive = name == "button destructive"
            let chosen = try WebSamples.element(view).find("button").first { $0["data-confirm"] != nil }
            #expect((chosen?["data-role"] == "destructive") == isDestructive)
        }
    }

    @Test("a question without scripts posts the same values, and asks for passwords again")
    func confirmation() throws {
        let action = try #require(WebSamples.form.node.action)
        let page = WebSamples.page([WebSamples.section("s", WebSamples.form)])
        let question = ConfirmationState(
            page: page, section: "s", action: action, values: ["text": "a\"b", "toggle": "on", "password": "secret"])
        let document = try HTMLReader.document(WebSamples.renderer.confirmation(question).text(token: "TOKEN"))
        #expect(document.first("h1")?.text == "Send it?")
        let form = try #require(document.first("form"))
        #expect(form["action"] == "/pages/home/perform")
        let hidden = form.find("input").filter { $0["type"] == "hidden" }
        let posted = Dictionary(uniqueKeysWithValues: hidden.map { ($0["name"] ?? "", $0["value"] ?? "") })
        #expect(
            posted.filter { $0.key != "action" } == [
                "token": "TOKEN", "section": "s", "confirmed": "yes", "field.text": "a\"b", "field.toggle": "on",
            ])
        let read: Action = try Payload(json: #require(posted["action"])).value()
        #expect(read == action)
        #expect(!document.description.contains("secret"))
        #expect(try Self.field("password", in: form)["type"] == "password")
        #expect(form.first("button")?.text == "Send" && form.first("button")?["class"] == "button primary")
        #expect(form.first("a")?.text == "Cancel" && form.first("a")?["href"] == "/pages/home")
    }

    @Test("a browser fills in the name of a user where a password is asked for, and in no other form")
    func userNames() throws {
        for (name, hasPassword, isUser) in [
            ("name", true, true), ("name", false, false), ("username", false, true), ("label", true, false),
        ] {
            let form = try WebSamples.element(
                Form("f", .refresh()) {
                    Field(name, "X", .text(longest: 9))
                    if hasPassword { Stack { Field("password", "P", .password) } }
                })
            #expect(try Self.field(name, in: form)["autocomplete"] == (isUser ? "username" : nil), "\(name)")
        }
    }
}
