import ComponentKit
import PageKit
import TestSupport
import Testing

@Suite("Pages as values")
struct PageTests {
    private static func section(_ name: String, _ view: some View, state: SectionState = .shown) -> PageSection {
        PageSection(name: name, module: "m", state: state, layout: SectionLayout(), view: view.node)
    }

    private static func page(_ sections: [PageSection], title: String = "t", frame: PageSection? = nil) -> Page {
        Page(id: "p", title: title, revision: 2, frame: frame, sections: sections)
    }

    static let pairs: [(old: Page, new: Page, kinds: String)] = [
        (page([section("a", Text("1"))]), page([section("a", Text("1"))]), ""),
        (page([section("a", Text("1"))]), page([section("a", Text("2"))]), "view"),
        (page([section("a", Text("1"))]), page([section("a", Text("1"), state: .failed)]), "section"),
        (page([section("a", Text("1"))]), page([section("b", Text("1"))]), "page"),
        (page([section("a", Text("1"))]), page([]), "page"),
        (page([], title: "x"), page([], title: "y"), "page"),
        (page([]), page([], frame: section("frame", PageFrame {})), "page"),
        (
            page([section("a", Text("1")), section("b", Text("1"))], frame: section("frame", PageFrame {})),
            page(
                [section("a", Text("2")), section("b", Text("3"))], frame: section("frame", PageFrame(title: "n") {})),
            "view view view"
        ),
    ]

    @Test("become the next state by one update, as small as possible", arguments: pairs)
    func updates(old: Page, new: Page, kinds: String) throws {
        var new = new
        new.revision = 3
        let update = PageUpdate(from: old, to: new)
        let words: [String] =
            switch update {
            case .page: ["page"]
            case .sections(let changes, _, _): changes.map { if case .view = $0 { "view" } else { "section" } }
            case nil: []
            }
        #expect(words.joined(separator: " ") == kinds)
        guard let update else {
            new.revision = old.revision
            #expect(old == new)
            return
        }
        var page = old
        try page.apply(try update.payload.copied().value())
        #expect(page == new)
    }

    @Test("refuse updates of other pages, and stay as they are")
    func otherPage() {
        var page = Self.page([Self.section("a", Text("1"))])
        let before = page
        let patch = ViewPatch(changes: [.remove(path: [], index: 3)])
        let fitting = SectionChange.section(Self.section("a", Text("2")))
        for (change, after) in [
            (.section(Self.section("b", Text("1"))), 2), (.view(section: "b", patch: patch), 2),
            (.view(section: "a", patch: patch), 2), (fitting, 1), (fitting, 3),
        ] as [(SectionChange, Int)] {
            // None of several changes is made.
            let update = PageUpdate.sections([fitting, change], after: after, revision: 9)
            #expect(throws: PageUpdateError.self) { try page.apply(update) }
            #expect(page == before)
        }
    }

    @Test(
        "have frames of their parts only",
        arguments: [
            (PageFrame {}.header { Text("x") }.footer { Text("x") }.node, nil),
            (Stack { PageFrame {} }.node, "a page frame cannot be inside another view"),
        ] as [(ViewNode, String?)])
    func frames(view: ViewNode, problem: String?) {
        do throws(ViewError) {
            try view.check()
            #expect(problem == nil)
        } catch {
            #expect(error.reason == problem)
        }
    }
}

extension Payload {
    /// The payload as it arrives elsewhere.
    fileprivate func copied() throws -> Payload { try Payload(cbor: try cbor()) }
}
