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

    @Test("become the next state by updates as small as possible", arguments: pairs)
    func updates(old: Page, new: Page, kinds: String) throws {
        var new = new
        new.revision = 3
        let updates = PageUpdate.updates(from: old, to: new)
        let words = updates.map { update in
            switch update {
            case .page: "page"
            case .section: "section"
            case .view: "view"
            }
        }
        #expect(words.joined(separator: " ") == kinds)
        var page = old
        for update in updates { try page.apply(try update.payload.copied().value()) }
        if updates.isEmpty { new.revision = old.revision }
        #expect(page == new)
    }

    @Test("refuse updates of other pages, and stay as they are")
    func otherPage() {
        var page = Self.page([Self.section("a", Text("1"))])
        let before = page
        let patch = ViewPatch(changes: [.remove(path: [], index: 3)])
        for update in [
            PageUpdate.section(Self.section("b", Text("1")), revision: 9),
            .view(section: "b", patch: patch, revision: 9),
            .view(section: "a", patch: patch, revision: 9),
        ] {
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
