import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("The layout of sections")
struct SectionLayoutTests {
    @Test("has the spaces that the page file sets")
    func spaces() async throws {
        let place = try PagePlace()
        try place.write(page: "spaces", #"{"module": "test.text", "itemSpace": 1, "lineSpace": 0}"#)
        try await place.withPages { _, pages, _ in
            let section = try #require(try await pages.settled("spaces").sections.first)
            #expect(section.layout == SectionLayout(itemSpace: 1, lineSpace: 0))
        }
    }

    @Test("has the view of another module above the section, below its title", arguments: ComponentDepth.allCases)
    func header(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        let key = "header-\(depth)"
        TestModules.values.withLock { $0[key] = ["a", "b"] }
        let header = #""header": {"module": "test.rows", "data": {"key": "\#(key)"}}"#
        try place.write(page: "headed", #"{"module": "test.text", "name": "one", "title": "One", \#(header)}"#)
        try await place.withPages(depth) { _, pages, _ in
            let page = try await pages.settled("headed")
            #expect(page.summaries == ["one.header shown: a, b", "one shown: one on headed, One"])
            #expect(page.sections.map(\.title) == ["One", nil])
            #expect(page.sections.map(\.layout.isHeader) == [true, false])
            // Its actions are those of its own module.
            let action = try #require(page.sections[0].view.children.first?.sideActions.first)
            _ = try await pages.perform(page: "headed", section: "one.header", action: action, values: [:])
            #expect(await pages.shows("headed", ["one.header shown: b", "one shown: one on headed, One"]))
        }
    }

    @Test("leaves out a header whose section is hidden or missing, or whose own module is missing")
    func headersAlone() async throws {
        let place = try PagePlace()
        let header = #""header": {"module": "test.text"}"#
        try place.write(
            page: "alone", #"{"module": "nobody.has", \#(header)}"#,
            #"{"module": "test.text", "name": "hidden", "hidden": {"unless": "nobody.has"}, \#(header)}"#,
            #"{"module": "test.text", "name": "bare", "title": "Bare", "header": {"module": "nobody.has"}}"#,
            #"{"module": "nobody.else", "name": "instead", "fallback": {"text": "none"}, \#(header)}"#,
            #"{"module": "test.text", "name": "folded", "title": "Folded", "folded": true, \#(header)}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("alone")
            #expect(page.sections.map(\.name) == ["bare", "instead.header", "instead", "folded.header", "folded"])
            // The title of a folded section unfolds it.
            #expect(page.sections.map(\.title) == ["Bare", nil, nil, nil, "Folded"])
        }
    }

    @Test("folds a section as long as a condition says so; one that fails or is missing does not count")
    func folding() async throws {
        let place = try PagePlace()
        try place.write(
            page: "folding", #"{"module": "test.text", "name": "if", "folded": {"if": "test.condition"}}"#,
            #"{"module": "test.text", "name": "unless", "folded": {"unless": "test.condition"}}"#,
            #"{"module": "test.text", "name": "missing", "folded": {"if": "nobody.has"}}"#,
            #"{"module": "test.text", "name": "failing", "folded": {"unless": "test.text"}}"#)
        try await place.withPages { host, pages, _ in
            func folded() async throws -> [String] {
                try await pages.settled("folding").sections.filter(\.layout.isFolded).map(\.name)
            }
            #expect(await holds { try await folded() == ["unless"] })
            TestModules.values.withLock { $0["folding"] = ["yes"] }
            await host.events.deliver(PageModuleChanged("test.condition"))
            #expect(await holds { try await folded() == ["if"] })
        }
    }

    @Test("is checked with the modules that it names")
    func problems() async throws {
        let place = try PagePlace()
        try place.write(
            """
            {"page": "wrong", "sections": [
              {"module": "test.text", "header": {"module": "test.row"}},
              {"module": "test.text", "name": "a", "header": {"module": "test.text", "data": 1}},
              {"module": "test.text", "name": "b", "folded": {"if": "test.rows"}}
            ]}
            """, to: "wrong.json")
        try await place.withPages { _, pages, _ in
            let page = try #require(try await pages.pages().first { $0.id == "wrong" })
            #expect(
                page.problems.map { "\($0.line):\($0.column) \($0.message)" } == [
                    #"2:48 no component offers the module "test.row"; did you mean "test.rows"?"#,
                    "3:82 data: expected no data, because the module takes none, found int",
                    #"4:57 "test.rows" is not a condition: it has a view"#,
                ])
            #expect(page.modules == ["test.row", "test.text", "test.rows"])
        }
    }
}
