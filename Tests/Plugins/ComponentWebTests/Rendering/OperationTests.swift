import ComponentKit
import PageKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("What a browser does when a page changes")
struct OperationTests {
    private static let renderer = WebSamples.renderer

    /// The elements of a page by the names of what they show, as the script finds them.
    private static func document(_ page: Page) throws -> BrowserPage {
        try BrowserPage(HTMLReader.document(renderer.document(page).text(token: "T")))
    }

    @Test(
        "for any two views, what is done makes the elements of the one those of the other",
        arguments: 0..<UInt64(TestLength.rounds(4, long: 12)))
    func law(seed: UInt64) throws {
        var random = RandomViews(seed: seed)
        var names: Set<String> = []
        for _ in 0..<50 {
            let old = random.view()
            let new = random.next(4) > 0 ? random.changed(old) : random.view()
            let before = WebSamples.page([WebSamples.section("s", old, title: "S")])
            var after = WebSamples.page([WebSamples.section("s", new, title: "S")])
            after.revision = 5
            var browser = try Self.document(before)
            var page = before
            if let update = PageUpdate(from: before, to: after) {
                let text = try Self.renderer.operations(update, on: &page).text(token: "T")
                names.formUnion(try browser.apply(text))
            }
            #expect(page.sections == after.sections)
            #expect(try browser == Self.document(after), "\(old)\n\(new)")
        }
        // Each kind of operation has been made.
        #expect(names == ["replace", "update", "insert", "remove", "move"])
    }

    @Test("the parts of a frame change in their places, together with sections", arguments: 0..<6)
    func frames(seed: UInt64) throws {
        var random = RandomViews(seed: seed)
        var names: Set<String> = []
        func frame(_ header: ViewNode, _ footer: ViewNode) -> ViewNode {
            var frame = PageFrame(title: random.next(4) == 0 ? "x" : nil) { Button("a", .show(page: "a")) }
            if random.next(4) > 0 { frame = frame.header { header } }
            return random.next(4) == 0 ? Stack { header }.node : frame.footer { footer }.node
        }
        for _ in 0..<30 {
            let (header, footer, view) = (random.view(1), random.view(1), random.view(1))
            let before = WebSamples.page(
                [WebSamples.section("s", view)], frame: WebSamples.section("frame", frame(header, footer)))
            var after = WebSamples.page(
                [WebSamples.section("s", random.changed(view))],
                frame: WebSamples.section("frame", frame(random.changed(header), random.changed(footer))))
            after.revision = 5
            var browser = try Self.document(before)
            var page = before
            if let update = PageUpdate(from: before, to: after) {
                names.formUnion(try browser.apply(Self.renderer.operations(update, on: &page).text(token: "T")))
            }
            #expect(page.frame == after.frame && page.sections == after.sections)
            #expect(try browser == Self.document(after))
        }
        #expect(names.isSuperset(of: ["part", "title", "update", "insert"]))
    }

    @Test("one row of a thousand that changes is one small operation, with the token's place in it")
    func oneRow() throws {
        func rows(_ changed: Int?) -> ViewNode {
            List(0..<1000) { key in
                Row(key == changed ? "new \"</script>" : "row \(key)").key(key)
            }.node
        }
        var page = WebSamples.page([WebSamples.section("s", rows(nil))])
        let patch = ViewPatch(from: rows(nil), to: rows(500))
        let update = PageUpdate.sections([.view(section: "s", patch: patch)], after: page.revision, revision: 9)
        let text = try Self.renderer.operations(update, on: &page).text()
        let row =
            #"\u003cli class=\"row\">\u003cdiv class=\"row-text\">\u003cspan class=\"row-title\">"#
            + #"new &quot;&lt;/script&gt;\u003c/span>\u003c/div>\u003c/li>"#
        #expect(text == #"{"revision":9,"ops":[["update","s",[500],"\#(row)"]]}"#)
        #expect(page.revision == 9 && page.sections[0].view == rows(500))

        let change = ViewPatch(changes: [.replace(path: [], with: WebSamples.form.node)])
        let form = PageUpdate.sections([.view(section: "s", patch: change)], after: 9, revision: 10)
        let rendered = try Self.renderer.operations(form, on: &page)
        #expect(rendered.marks.count == 1)
        let json = try Payload(json: rendered.text(token: "TOKEN"))
        let html = try json["ops"]?.items()[0].items()[3].string()
        #expect(html == WebSamples.html(WebSamples.form))
    }

    @Test("a list says that it is empty only while it is")
    func emptyList() throws {
        func list(_ rows: Int) -> ViewNode {
            List(0..<rows, empty: "None.") { Row("row \($0)").key($0) }.node
        }
        for (rows, next, name) in [(0, 1, "replace"), (1, 2, "insert"), (2, 1, "remove"), (1, 0, "replace")] {
            var page = WebSamples.page([WebSamples.section("s", list(rows))])
            var browser = try Self.document(page)
            let patch = ViewPatch(from: list(rows), to: list(next))
            let text = try Self.renderer.operations(
                .sections([.view(section: "s", patch: patch)], after: page.revision, revision: 9), on: &page
            ).text(token: "T")
            #expect(try browser.apply(text) == [name], "\(rows) \(next)")
            #expect(text.contains("None.") == (next == 0))
            #expect(try browser == Self.document(page))
        }
    }

    @Test("sections and pages are replaced as a whole")
    func whole() throws {
        var page = WebSamples.page([WebSamples.section("a", Text("1")), WebSamples.section("b", Text("2"))])
        var browser = try Self.document(page)
        let section = WebSamples.section("b", Text("3"), title: "B", state: .failed)
        let update = PageUpdate.sections([.section(section)], after: page.revision, revision: 7)
        let first = try Self.renderer.operations(update, on: &page)
        #expect(try browser.apply(first.text(token: "T")) == ["section"])
        #expect(page.sections[1] == section && page.revision == 7)
        #expect(try browser == Self.document(page))

        var reader = WebSamples.section("reader", Text("Ada"))
        reader.module = "account.greeting"
        let frame = PageFrame { Button("a", .show(page: "a")) }
        var next = WebSamples.page([reader, section], title: "Other", frame: WebSamples.section("f", frame))
        next.revision = 8
        let second = try Self.renderer.operations(.page(next), on: &page)
        #expect(try browser.apply(second.text(token: "T")) == ["page"])
        #expect(page == next)
        #expect(try browser == Self.document(next))
    }

    @Test("an update of another state is refused, and changes nothing")
    func foreign() throws {
        var page = WebSamples.page(
            [WebSamples.section("a", Stack { Text("1") })], frame: WebSamples.section("f", PageFrame {}))
        let before = page
        let fitting = SectionChange.section(WebSamples.section("a", Text("2")))
        func expectRefusal(_ change: SectionChange, after revision: Int? = nil) {
            let update = PageUpdate.sections([fitting, change], after: revision ?? page.revision, revision: 9)
            #expect(throws: PageUpdateError.self) { try Self.renderer.operations(update, on: &page) }
            #expect(page == before)
        }
        let wrong: [ViewChange] = [
            .replace(path: [1], with: Text("x").node), .update(path: [0], to: Stack { Text("x") }.node),
            .insert(path: [], index: 3, view: Text("x").node), .remove(path: [0], index: 0),
            .move(path: [], from: 0, to: 1), .move(path: [-1], from: 0, to: 0),
        ]
        for change in wrong {
            let patch = ViewPatch(
                changes: [.remove(path: [], index: 0), .insert(path: [], index: 0, view: Text("y").node)] + [change])
            for section in ["a", "f"] { expectRefusal(.view(section: section, patch: patch)) }
        }
        expectRefusal(.view(section: "none", patch: ViewPatch()))
        expectRefusal(.section(WebSamples.section("none", Text("x"))))
        expectRefusal(fitting, after: page.revision - 1)
    }

    @Test("the link to the page above is marked, and no longer once there is one to the page itself")
    func above() throws {
        func page(_ ids: [String], _ revision: Int) -> Page {
            let frame = PageFrame { for id in ids { Button(id, .show(page: id)).key(id) } }
            var page = WebSamples.page([], frame: WebSamples.section("f", frame))
            (page.id, page.revision) = ("console.Zoo", revision)
            return page
        }
        var shown = page(["home"], 4)
        var browser = try Self.document(shown)
        for (revision, ids) in [["home", "console"], ["home", "console", "console.Zoo"], ["console"]].enumerated() {
            let next = page(ids, revision + 5)
            let update = try #require(PageUpdate(from: shown, to: next))
            _ = try browser.apply(Self.renderer.operations(update, on: &shown).text(token: "T"))
            #expect(shown == next)
            #expect(try browser == Self.document(next), "\(ids)")
        }
    }

    @Test("what is rendered grows with the page and not faster, also for ten thousand changes")
    func linear() throws {
        func rows(_ count: Int, _ word: String) -> ViewNode {
            List(0..<count) { key in Row("\(word) \(10_000 + key % 10_000)").key(key) }.node
        }
        func size(_ count: Int) throws -> (page: Int, patch: Int) {
            var page = WebSamples.page([WebSamples.section("s", rows(count, "a"))])
            let size = Self.renderer.document(page).bytes.count
            let changes = (0..<count).map { ViewChange.update(path: [$0], to: rows(count, "b").children[$0]) }
            guard count <= 10_000 else { return (size, 0) }
            let update = PageUpdate.sections(
                [.view(section: "s", patch: ViewPatch(changes: changes))], after: page.revision, revision: 9)
            return (size, try Self.renderer.operations(update, on: &page).bytes.count)
        }
        let (empty, none) = try size(0)
        let (small, few) = try size(100)
        let (large, many) = try size(1000)
        #expect(large - empty == 10 * (small - empty))
        // Paths are longer there.
        #expect((many - none) <= 10 * (few - none) + 1000 * 2 && many > 5 * few)
        // As many as payloads have values at most.
        let page = WebSamples.page([WebSamples.section("s", rows(300_000, "a"))])
        #expect(Self.renderer.document(page).bytes.count - empty == 3000 * (small - empty))
    }

    @Test("views that are too deep end in an ellipsis")
    func deep() throws {
        var view = Text("bottom").node
        for _ in 0..<5000 {
            var outer = Stack {}.node
            outer.children = [view]
            view = outer
        }
        let html = try WebSamples.element(view)
        #expect(html.find("div").count == ViewContext.deepest)
        #expect(html.text == "…")
    }
}

/// The elements of a document that the script changes, and what it does with them.
private struct BrowserPage: Equatable {
    private let root: HTMLElement

    init(_ root: HTMLElement) { self.root = root }

    /// Equal if what is shown is equal, whatever the revision and the title of the window.
    static func == (a: BrowserPage, b: BrowserPage) -> Bool { a.page == b.page && a.header == b.header }

    /// What the page has in the header of the document.
    private var header: HTMLElement? { root.all.first { $0["id"] == "bar" } }

    private var page: HTMLElement? {
        let page = root.all.first { $0["id"] == "page" }
        page?.first("main")?.attributes["data-revision"] = ""
        return page
    }

    /// Makes the operations of an event.
    ///
    /// - Returns: Their names.
    mutating func apply(_ json: String) throws -> Set<String> {
        var names: Set<String> = []
        for operation in try Payload(json: json)["ops"]?.items() ?? [] {
            let parts = try operation.items()
            let name = try parts[0].string()
            names.insert(name)
            try make(name, parts)
        }
        return names
    }

    private func make(_ name: String, _ parts: [Payload]) throws {
        let target = try parts[1].string()
        switch name {
        case "page":
            try replace(#require(page), HTMLReader.element(parts[2].string()))
            try #require(header).nodes = HTMLReader.elements(parts[3].string()).map { .element($0) }
        case "title": root.all.first { $0["id"] == "title" }?.nodes = target.isEmpty ? [] : [.text(target)]
        case "section":
            try replace(
                #require(root.all.first { $0["data-section"] == target }), HTMLReader.element(parts[2].string()))
        case "part":
            try host(target).nodes = HTMLReader.elements(parts[2].string()).map { .element($0) }
        case "replace": try replace(at(target, parts[2]), HTMLReader.element(parts[3].string()))
        case "update":
            let old = try at(target, parts[2])
            let new = try HTMLReader.element(parts[3].string())
            #expect((old.container == nil) == (new.container == nil))
            #expect(new.container?.nodes.isEmpty ?? true)
            new.container?.nodes = old.container?.nodes ?? []
            try replace(old, new)
        case "insert":
            let container = try #require(try at(target, parts[2]).container)
            container.nodes.insert(.element(try HTMLReader.element(parts[4].string())), at: try parts[3].int())
        case "remove": try #require(try at(target, parts[2]).container).nodes.remove(at: try parts[3].int())
        case "move":
            let container = try #require(try at(target, parts[2]).container)
            container.nodes.insert(container.nodes.remove(at: try parts[3].int()), at: try parts[4].int())
        default: Issue.record("unknown operation \(name)")
        }
    }

    private func host(_ target: String) throws -> HTMLElement {
        try #require(root.all.first { $0["data-view"] == target })
    }

    private func at(_ target: String, _ path: Payload) throws -> HTMLElement {
        var element = try #require(try host(target).children.last)
        for index in try path.items() {
            let container = try #require(element.container)
            // Nothing else is in it.
            #expect(container.children.count == container.nodes.count)
            element = container.children[try index.int()]
        }
        return element
    }

    private func replace(_ old: HTMLElement, _ new: HTMLElement) throws {
        for element in root.all {
            guard
                let index = element.nodes.firstIndex(where: {
                    if case .element(let one) = $0 { one === old } else { false }
                })
            else { continue }
            element.nodes[index] = .element(new)
            return
        }
        throw HTMLProblem(description: "not in the document")
    }
}
