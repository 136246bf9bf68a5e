import ComponentKit
import PageKit
import Testing

@testable import ComponentWeb

@Suite("Pages as documents")
struct DocumentTests {
    private static let renderer = WebSamples.renderer

    private static func document(_ page: Page, _ state: DocumentState = DocumentState()) throws -> HTMLElement {
        try HTMLReader.document(renderer.document(page, state).text(token: "TOKEN"))
    }

    @Test("ask again without scripts as long as a section is loading, unless a form is being filled in")
    func loading() throws {
        var page = WebSamples.page([WebSamples.section("one", Text("1"))])
        let refusal = FormState(section: "one", action: .show(page: "x"), values: [:], reason: "No.")
        func asksAgain(_ state: DocumentState = DocumentState()) throws -> Bool {
            try Self.document(page, state).find("noscript").contains { !$0.find("meta").isEmpty }
        }
        #expect(try !asksAgain())
        page.sections[0].state = .loading
        #expect(try asksAgain())
        #expect(try !asksAgain(DocumentState(form: refusal)))
    }

    @Test("have all that a browser and a screen reader need")
    func parts() throws {
        let page = WebSamples.page(
            [
                WebSamples.section("one", Text("1"), title: "One", layout: SectionLayout(columns: 3, inset: 2)),
                WebSamples.section("two", Text("2"), title: "Two", layout: SectionLayout(isFolded: true)),
            ], title: "A & B")
        let state = DocumentState(
            site: "Site", language: "de",
            navigation: [PageLink(id: "home", title: "Home"), PageLink(id: "x", title: "X")],
            message: PageMessage(text: "Saved."), signOut: "/sign-out")
        let document = try Self.document(page, state)
        #expect(document["lang"] == "de")
        #expect(document.first("title")?.text == "A & B – Site")
        #expect(document.find("meta").contains { $0["charset"] == "utf-8" })
        #expect(document.find("meta").contains { $0["name"] == "viewport" })
        #expect(
            document.find("link").map { $0["href"] } == [
                "/resources/ComponentWeb/web/page.css?v=abc", "/resources/ComponentWeb/web/icon.svg?v=abc",
            ])
        let scripts = document.find("script")
        #expect(
            scripts.map { $0["src"] }
                == ["page", "forms", "reading"].map { "/resources/ComponentWeb/web/\($0).js?v=abc" })
        #expect(scripts.allSatisfy { $0["defer"] != nil })
        #expect(document.first("body")?["data-events"] == "/pages/home/events")
        let main = try #require(document.first("main"))
        #expect(main["data-page"] == "home" && main["data-revision"] == "4")
        #expect(document.first(".skip")?["href"] == "#\(main["id"] ?? "")")
        #expect(document.find("h1").map(\.text) == ["A & B"] && document.find("h2").map(\.text) == ["One", "Two"])
        #expect(document.find("nav").count == 1)
        #expect(document.find("a").filter { $0["aria-current"] == "page" }.map(\.text) == ["Home"])
        #expect(document.first(".status")?["role"] == "status" && document.first(".status")?.text == "Saved.")
        #expect(document.first(".sign-out")?["action"] == "/sign-out")
        let sections = document.find("section")
        #expect(sections.map { $0["data-section"] } == ["one", "two"])
        #expect(sections.allSatisfy { section in document.all.contains { $0["id"] == section["aria-labelledby"] } })
        #expect(sections[0]["data-inset"] == "2" && sections[0].first(".view")?["data-columns"] == "3")
        #expect(sections[1].first("details")?["open"] == nil && sections[1].first("summary")?.text == "Two")
        // Each section has a form of its own for its buttons, outside of what patches change.
        for section in sections {
            let form = try #require(section.children.last)
            #expect(form.name == "form" && form["id"] == "s-\(section["data-section"] ?? "")")
            #expect(form.find("input").map { $0["name"] } == ["token", "section"])
        }
        let identifiers = document.all.compactMap { $0["id"] }
        #expect(Set(identifiers).count == identifiers.count)
    }

    @Test("say which sections are headers, and which spaces are wanted")
    func layout() throws {
        let page = WebSamples.page([
            WebSamples.section("a.header", Text("0"), title: "A", layout: SectionLayout(isHeader: true)),
            WebSamples.section("a", Text("1"), layout: SectionLayout(itemSpace: 0, lineSpace: 2)),
            WebSamples.section("b", Text("2"), layout: SectionLayout(itemSpace: -1, lineSpace: 99)),
        ])
        let document = try Self.document(page)
        #expect(document.find("section").map { $0["data-header"] } == ["", nil, nil])
        let views = document.find(".view")
        #expect(views.map { $0["data-item-space"] } == [nil, "0", "0"])
        #expect(views.map { $0["data-line-space"] } == [nil, "2", "10"])
    }

    @Test("have the parts of a frame around their sections")
    func frame() throws {
        let frame = PageFrame(title: "Own title") { Button("Home", .show(page: "home")) }
            .header { Text("above") }.footer { Text("below") }
        let page = WebSamples.page([WebSamples.section("s", Text("in"))], frame: WebSamples.section("f", frame))
        let links = DocumentState(navigation: [PageLink(id: "home", title: "Home")])
        let document = try Self.document(page, links)
        #expect(document.find("h1").map(\.text) == ["Own title"])
        #expect(document.find("nav").count == 1)
        #expect(document.first("nav")?["data-view"] == "f/navigation")
        #expect(document.find("a").filter { $0["aria-current"] == "page" }.map(\.text) == ["Home"])
        let texts = document.find(".text").map(\.text)
        #expect(texts == ["above", "in", "below"])
        #expect(document.find("form").map { $0["id"] } == ["s-s", "s-f"])

        // A delegate may answer any view, which stands above the sections.
        let other = WebSamples.page([], frame: WebSamples.section("f", Text("any")))
        let shown = try Self.document(other, links)
        #expect(shown.first(".frame-header")?.text == "any")
        #expect(shown.first("nav")?["data-view"] == nil)
    }

    @Test("have who reads them in the header, once, with the way home and to other pages")
    func header() throws {
        var reader = WebSamples.section("reader", Text("Welcome, Ada"))
        reader.module = "account.greeting"
        let page = WebSamples.page([reader, WebSamples.section("s", Text("in"))])
        let links = [PageLink(id: "home", title: "Home"), PageLink(id: "list", title: "List")]
        let document = try Self.document(page, DocumentState(site: "Site", navigation: links))
        let header = try #require(document.first("header"))
        #expect(header.first(".site")?["href"] == "/" && header.first(".site")?.text == "Site")
        #expect(header.first("img")?["alt"] == "" && header.first("img")?["src"] != nil)
        #expect(header.find("nav").map(\.text) == ["HomeList"])
        #expect(header.find("section").map { $0["data-section"] } == ["reader"])
        #expect(header.find("form").map { $0["id"] } == ["s-reader"])
        #expect(document.first("main")?.find("section").map { $0["data-section"] } == ["s"])
        #expect(document.find(".trail").isEmpty)

        // One with a title, or folded, is a section like others.
        reader.title = "Who"
        let titled = try Self.document(WebSamples.page([reader]))
        #expect(titled.first("header")?.find("section").isEmpty == true)
        #expect(titled.first("main")?.find("section").count == 1)
    }

    @Test("lead back to the page above, unless the navigation leads to the page itself")
    func trail() throws {
        let state = DocumentState(
            navigation: [PageLink(id: "list", title: "List")], parent: PageLink(id: "list", title: "List"))
        var page = WebSamples.page([WebSamples.section("s", Text("in"))])
        let plain = try Self.document(page, state)
        #expect(plain.first(".trail")?["aria-label"] == "Breadcrumb" && plain.first(".trail")?.text == "List")
        #expect(plain.first(".trail")?.first("a")?["href"] == "/pages/list")
        #expect(plain.first("nav")?.first("a")?["aria-current"] == "true")

        let tabs = PageFrame { for id in ["list", "home"] { Button(id, .show(page: id)) } }
        page.frame = WebSamples.section("f", tabs)
        #expect(try Self.document(page, state).find(".trail").isEmpty)
        // A frame may call it otherwise.
        page.frame = WebSamples.section("f", PageFrame { Button("All", .show(page: "list")) })
        #expect(try Self.document(page, state).first(".trail")?.text == "All")
    }

    @Test("of the console lead back to the site, and mark the page that a component's page is below")
    func console() throws {
        let tabs = PageFrame { for id in ["console", "console.log", "home"] { Button(id, .show(page: id)) } }
        for (id, current) in [
            ("console", ["console": "page"]), ("console.log", ["console.log": "page"]),
            ("console.Zoo", ["console": "true"]), ("consoles", [:]),
        ] {
            var page = WebSamples.page([], frame: WebSamples.section("f", tabs))
            page.id = id
            let document = try Self.document(page)
            #expect(document.first(".site")?["class"] == (id == "consoles" ? "site" : "site back"))
            let marked = document.find("nav").flatMap { $0.find("a") }.filter { $0["aria-current"] != nil }
            #expect(marked.map { "\($0.text) \($0["aria-current"] ?? "")" } == current.map { "\($0) \($1)" }, "\(id)")
        }
    }

    @Test("are kept only if their frame says when other pages come or go: it leads to all that they lead to")
    func links() {
        let plain = WebSamples.page([])
        let parent = PageLink(id: "list", title: "List")
        func framed(_ ids: String...) -> Page {
            let frame = PageFrame { for id in ids { Button(id, .show(page: id)) } }
            return WebSamples.page([], frame: WebSamples.section("f", frame))
        }
        for (page, parent, isKept) in [
            (plain, nil, false), (plain, parent, false), (framed(), nil, false), (framed("home"), nil, true),
            (framed("home"), parent, false), (framed("list"), parent, true),
        ] as [(Page, PageLink?, Bool)] {
            #expect(page.hasOnlyLinksOfFrame(above: parent) == isKept)
        }
    }

    @Test("show a refused form where it is, unfolded, and a lost one in its section")
    func refused() throws {
        let section = WebSamples.section("s", WebSamples.form, title: "S", layout: SectionLayout(isFolded: true))
        let action = try #require(WebSamples.form.node.action)
        var state = FormState(section: "s", action: action, values: [:], field: "text", reason: "No.")
        let document = try Self.document(WebSamples.page([section]), DocumentState(form: state))
        #expect(document.first("details")?["open"] != nil)
        #expect(document.all.filter { $0["autofocus"] != nil }.map { $0["name"] } == ["field.text"])
        state.action = .call("gone")
        let lost = try Self.document(WebSamples.page([section]), DocumentState(form: state))
        #expect(lost.find(".note").map(\.text) == ["No."])
        // The script finds the view as before.
        #expect(lost.all.first { $0["data-view"] == "s" }?.children.last?.name == "form")
    }

    @Test("say what cannot be shown, and ask who somebody is")
    func others() throws {
        let message = MessagePage(
            title: "No such page", text: "There is no page <x>.", status: 404, links: [PageLink(id: "h", title: "Home")]
        )
        let document = try HTMLReader.document(Self.renderer.message(message).text())
        #expect(document.first("h1")?.text == "No such page")
        #expect(document.first("main")?.text.contains("There is no page <x>.") == true)
        #expect(document.first("main")?.first("a")?["href"] == "/pages/h")
        #expect(document.first("body")?["data-events"] == nil)

        for (kind, label) in [(SignInState.Kind.password, "Password"), (.token, "Token")] {
            let question = SignInState(kind: kind, next: "/pages/a?b=\"", problem: "Wrong.")
            let form = try #require(
                try HTMLReader.document(Self.renderer.signIn(question).text(token: "TOKEN")).first("form"))
            #expect(form["action"] == "/sign-in" && form["method"] == "post")
            #expect(form.find("input").map { $0["name"] } == ["token", "next", "secret"])
            #expect(form.find("input").map { $0["value"] } == ["TOKEN", "/pages/a?b=\"", nil])
            #expect(form.first("label")?.text == label)
            let secret = try #require(form.find("input").last)
            #expect(secret["type"] == "password" && secret["aria-describedby"] == "problem")
            #expect(form.first(".problem")?.text == "Wrong.")
        }
    }
}
