import PageKit
import Testing

@Suite("Parts of long lists")
struct ListPartTests {
    static let parts: [(asked: Int, count: Int, size: Int, most: Int, shown: Int, next: Int?)] = [
        (1, 0, 200, 2000, 0, nil), (1, 200, 200, 2000, 200, nil), (1, 201, 200, 2000, 200, 2),
        (2, 201, 200, 2000, 201, nil), (3, 1000, 100, 2000, 300, 4), (3, 1000, 100, 300, 300, nil),
        (3, 1000, 100, 250, 250, nil), (0, 5, 2, 9, 2, 2), (-1, 5, 0, 9, 1, 2), (.max, 5, .max, 9, 5, nil),
        (.max, 50, 1, 9, 9, nil), (1, 5, 2, -1, 0, nil),
    ]

    @Test("have as many items as people have asked for, up to the limit", arguments: parts)
    func part(asked: Int, count: Int, size: Int, most: Int, shown: Int, next: Int?) throws {
        let context = PageContext(page: "p", section: "s", parts: asked)
        let part = context.part(of: count, size: size, atMost: most)
        #expect(part.count == shown && part.left == count - shown)
        #expect(part.more?.parts == next && part.more?.effect == next.map { _ in ActionEffect.refresh })
        #expect(part.more?.title == next.map { _ in "Show more (\(count - shown) left)" })
        try List { Row("a") }.side(part.more).node.check()
    }

    @Test("are asked for with an action that every list may have")
    func more() throws {
        for (asked, next) in [(1, 2), (7, 8), (-3, 2), (.max, 10_000)] {
            let action = PageContext(page: "p", section: "s", parts: asked).more()
            #expect(action.parts == next && action.title == "Show more")
            try Button("x", action).node.check()
        }
        #expect(PageContext(page: "p", section: "s").more(title: "Older").title == "Older")
        #expect(List { Row("a") }.side(nil).node.sideActions.isEmpty)
    }
}
