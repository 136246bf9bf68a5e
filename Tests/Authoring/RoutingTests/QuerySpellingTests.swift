import Testing

@testable import Routing

@Suite("Names in queries that differ in their bytes only")
struct QuerySpellingTests {
    @Test("are two names, among few and among many", arguments: [0, 40])
    func merged(others: Int) throws {
        let rest = (0..<others).map { "&n\($0)=" }.joined()
        let items = try QueryItem.items(of: "?%C3%A9=1&e%CC%81=2\(rest)&K=3&%E2%84%AA=4&%C3%A9=5", RoutingOptions())
        let values = QueryItem.merged(items, RoutingOptions())
        #expect(values.count == 4 + others)
        #expect(Set(items).count == items.count)
        let texts = Dictionary(values.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
        #expect(texts[Array("e\u{301}".utf8)] == .text("2"))
        #expect(texts[Array("K".utf8)] == .text("3"))
        #expect(texts[Array("\u{212A}".utf8)] == .text("4"))
    }

    @Test("are not taken for each other when case does not count")
    func renamed() {
        let items = [QueryItem(name: "e\u{301}", value: "1"), QueryItem(name: "ID", value: "2")]
        let renamed = QueryItem.renamed(items, ["\u{E9}", "id"])
        #expect(renamed.map { Array($0.name.utf8) } == ["e\u{301}", "id"].map { Array($0.utf8) })
    }

    @Test("keep their own values, also in a URL that is made from them")
    func values() throws {
        var table = RouteTable<Int>()
        try table.add(RoutePattern("a://:\u{E9}/:e\u{301}"), 0)
        let found = try #require(table.match("a://1/2?%C3%B3=4&o%CC%81=3")).exactParameters()
        let names = ["e\u{301}", "o\u{301}", "\u{E9}", "\u{F3}"]
        #expect(found.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
        #expect(found.map(\.value) == [.text("2"), .text("3"), .text("1"), .text("4")])
        #expect(try RoutePattern("b://:e\u{301}/:\u{E9}").url(named: found) == "b://2/1?o%CC%81=3&%C3%B3=4")
    }

    @Test("are two placeholders of a pattern")
    func placeholders() throws {
        #expect(try RoutePattern("a://:\u{E9}/:e\u{301}").placeholders.count == 2)
        #expect(throws: RoutePatternError.self) { try RoutePattern("a://:\u{E9}/:\u{E9}") }
    }
}
