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

    @Test("are two placeholders of a pattern")
    func placeholders() throws {
        #expect(try RoutePattern("a://:\u{E9}/:e\u{301}").placeholders.count == 2)
        #expect(throws: RoutePatternError.self) { try RoutePattern("a://:\u{E9}/:\u{E9}") }
    }
}
