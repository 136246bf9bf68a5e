import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Pages that take values")
struct PageValueTests {
    let place: PagePlace

    init() throws {
        place = try PagePlace()
        try place.write(
            #"{"page": "item", "values": "test.item", "sections": [{"module": "test.item", "values": true}]}"#,
            to: "item.json")
        try place.write(page: "items", #"{"module": "test.items"}"#)
    }

    static let examples = [
        ("item?id=3", "item?id=3", "3 "), ("item?id=4", "item?id=4", "4 "),
        ("item?note=b&id=3", "item?id=3&note=b", "3 b"),
        ("item?id=-9223372036854775808", "item?id=-9223372036854775808", "-9223372036854775808 "),
        ("item?id=3&tags=x&tags=a", "item?id=3&tags=x&tags=a", "3 x,a"),
        ("item?id=3&tags=x", "item?id=3&tags=x", "3 x"),
        ("item?id=3&note=%C3%A9", "item?id=3&note=%C3%A9", "3 \u{E9}"),
        ("item?id=3&note=e\u{301}", "item?id=3&note=e%CC%81", "3 e\u{301}"),
    ]

    @Test("give them to their modules as a model, and are another page for each", arguments: ComponentDepth.allCases)
    func shown(depth: ComponentDepth) async throws {
        try await place.withPages(depth) { _, pages, _ in
            for (asked, id, text) in PageValueTests.examples {
                let page = try await pages.settled(asked)
                #expect(page.id == id)
                let seen = try #require(page.summaries.first)
                #expect(Array(seen.utf8) == Array("test.item shown: \(text) on \(id)".utf8))
            }
            let summary = try #require(try await pages.pages().first { $0.id == "item" })
            #expect(summary.values == ["id: Int64", "note: String?", "tags: [String] = []"] && summary.problems == [])
        }
    }

    static let mistakes: [(id: String, page: String, value: String)] = [
        ("item", "item", "id"), ("item?", "item", "id"), ("item?note=x", "item", "id"), ("item?id=", "item", "id"),
        ("item?id=x", "item", "id"), ("item?id=3.0", "item", "id"), ("item?id=9223372036854775808", "item", "id"),
        ("item?id=%1B%5B2J", "item", "id"), ("item?id=3&id=4", "item", "id"),
        ("item?id=3&note=a&note=b", "item", "note"),
        ("item?id=3&x=1", "item", "x"), ("item?id=3&ID=4", "item", "ID"),
        ("item?id=3&id\u{301}=4", "item", "id\u{301}"),
        // The values of one page in the id of another, or twice.
        ("item?id=1?id=2", "item", "id"), ("items?id=3", "items", ""),
        ("item?id=3&note=\(String(repeating: "x", count: 5000))", "item", ""),
    ]

    @Test("are not shown with missing, unknown and wrong ones, and say which", arguments: mistakes)
    func refused(id: String, page: String, value: String) async throws {
        try await place.withPages { _, pages, _ in
            let error = await #expect(throws: PageError.self) { try await pages.settled(id) }
            guard case .invalidPageValue(page, let found, let reason)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(Array(found.utf8) == Array(value.utf8) && reason.contains("value"), "\(reason)")
            #expect(!reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(reason.utf8.count < 300)
        }
    }

    @Test("do not exist with the values for which a module has nothing, and end when that has been deleted")
    func gone() async throws {
        try await place.withPages { host, pages, _ in
            await #expect(throws: PageError.unknownPage(id: "item?id=404", similar: nil)) {
                try await pages.settled("item?id=404")
            }
            await #expect(throws: PageError.unknownPage(id: "itm", similar: "item")) {
                try await pages.settled("itm?id=3")
            }
            let updates = try await pages.updates(id: "item?id=50")
            let others = try await pages.updates(id: "item?id=51")
            ValueModules.gone.withLock { _ = $0.insert(50) }
            host.events.post(PageModuleChanged("test.item", page: "item"))
            await #expect(throws: PageError.deleted(id: "item?id=50")) { for try await _ in updates {} }
            #expect(await holds { ValueModules.questions.withLock { $0["item?id=51"] ?? 0 } >= 2 })
            #expect(try await pages.settled("item?id=51").summaries == ["test.item shown: 51  on item?id=51"])
            withExtendedLifetime(others) {}
        }
    }

    @Test("ask again after a change for some of them only")
    func changes() async throws {
        try await place.withPages { host, pages, _ in
            let (one, other) = (try await pages.updates(id: "item?id=60"), try await pages.updates(id: "item?id=61"))
            func asked(_ id: Int) -> Int { ValueModules.questions.withLock { $0["item?id=\(id)"] ?? 0 } }
            #expect(await holds { asked(60) > 0 && asked(61) > 0 })
            let former = asked(61)
            for _ in 0..<5 {
                let before = asked(60)
                host.events.post(PageModuleChanged("test.item", page: "item?id=60"))
                #expect(await holds { asked(60) > before })
            }
            // Components that come may lead to a question, but not each change of the other page.
            #expect(asked(61) < former + 5)
            withExtendedLifetime((one, other)) {}
        }
    }

    @Test("each follow a view model")
    func observed() async throws {
        try place.write(
            #"{"page": "sky", "values": "test.item", "sections": [{"module": "test.observed"}]}"#, to: "sky.json")
        try await place.withPages { host, pages, _ in
            let readings = [try await pages.updates(id: "sky?id=1"), try await pages.updates(id: "sky?id=2")]
            var shown = readings.map { _ in Page(id: "", title: "", revision: 0, sections: []) }
            for sky in ["clear", "red", "blue"] {
                _ = try await host.call("ObservedModules", "change", ["sky": .string(sky)])
                for (index, updates) in readings.enumerated() {
                    while shown[index].summaries != ["test.observed shown: \(sky)"] {
                        var next = updates.makeAsyncIterator()
                        try shown[index].apply(try #require(try await next.next()))
                    }
                }
            }
        }
    }

    @Test("lead from a list to an item, which is deleted, and back", arguments: ComponentDepth.allCases)
    func tour(depth: ComponentDepth) async throws {
        let number = depth == .file ? 80 : 81
        try place.write(page: "items", #"{"module": "test.items", "name": "\#(number)"}"#)
        try await place.withPages(depth) { _, pages, _ in
            func perform(_ action: Action?, of section: String, on page: Page) async throws -> ActionOutcome {
                try await pages.perform(page: page.id, section: section, action: try #require(action), values: [:])
            }
            let list = try await pages.settled("items")
            let rows = try #require(list.sections.first?.view.children)
            let opened = try await perform(rows[0].action, of: "\(number)", on: list)
            #expect(opened == ActionOutcome(page: "item?id=\(number)"))
            let item = try await pages.settled(try #require(opened.page))
            let deletion = item.sections.first?.view.sideActions.first
            let left = try await perform(deletion, of: "test.item", on: item)
            #expect(left == ActionOutcome(page: "items", value: "gone"))
            for _ in 0..<2 {
                await #expect(throws: PageError.self) { try await pages.settled(item.id) }
                await #expect(throws: PageError.self) { try await perform(deletion, of: "test.item", on: item) }
            }
            // A URL leads to a page, too, even if that does not exist.
            #expect(try await perform(rows[1].action, of: "\(number)", on: list).page == "item?id=404")
        }
    }

    @Test("are shown with a thousand different ones, of which few are kept", arguments: [nil, "browser"])
    func many(session: String?) async throws {
        try await place.withPages(kept: 50) { _, pages, _ in
            try await Session.with(try session.map { try Session(id: $0) }) {
                for id in 1000..<2000 {
                    let page = try await pages.settled("item?id=\(id)")
                    #expect(page.summaries == ["test.item shown: \(id)  on item?id=\(id)"])
                    await #expect(throws: PageError.self) { try await pages.settled("item?id=\(id)&x=1") }
                }
            }
        }
    }

    @Test("give them to their delegate if it takes the same model", arguments: ComponentDepth.allCases)
    func delegate(depth: ComponentDepth) async throws {
        for (page, delegate, values) in [
            ("own", "item-frame", true), ("any", "any-frame", true), ("none", "any-frame", false),
            ("wrong", "item-frame", false), ("plain", "frame", true),
        ] {
            let ofPage = values ? #""values": "test.item", "# : ""
            try place.write(
                #"{"page": "\#(page)", \#(ofPage)"delegate": "test.\#(delegate)", "sections": []}"#, to: "\(page).json")
        }
        try await place.withPages(depth) { _, pages, _ in
            for (id, title) in [
                ("own?id=3", "Item 3"), ("own?id=4&note=a", "Item 4"), ("any?id=3", "Item 3"), ("none", "No item"),
                ("wrong", "wrong"), ("plain?id=3", "Framed plain?id=3"),
            ] {
                #expect(try await pages.settled(id).title == title)
            }
            #expect(try await pages.settled("wrong").frame?.state == .failed)
            await #expect(throws: PageError.unknownPage(id: "own?id=405", similar: nil)) {
                try await pages.settled("own?id=405")
            }
            let problems = try await pages.pages().filter { ["own", "any", "none", "plain"].contains($0.id) }
                .flatMap(\.problems)
            #expect(problems == [])
            let wrong = try await pages.pages().first { $0.id == "wrong" }?.problems.map(\.message)
            #expect(
                wrong == [
                    "a delegate receives no data but the values of its page, if their model is the same: "
                        + "data: expected ItemValues, found nothing"
                ])
        }
    }

    @Test("give them to their conditions if they take the same model")
    func conditions() async throws {
        for (page, values) in [("large", #""values": "test.item", "#), ("wrong", "")] {
            try place.write(
                """
                {"page": "\(page)", \(values)"sections": [
                  {"module": "test.text", "hidden": {"unless": "test.is-item-large"}}]}
                """, to: "\(page).json")
        }
        try await place.withPages { _, pages, _ in
            for (id, count) in [("large?id=3", 0), ("large?id=300", 1), ("wrong", 0)] {
                let isShown = await holds { try await pages.settled(id).sections.count == count }
                #expect(isShown, "\(id)")
            }
            let all = try await pages.pages()
            #expect(all.first { $0.id == "large" }?.problems == [])
            #expect(
                all.first { $0.id == "wrong" }?.problems.map { "\($0.line): \($0.message)" } == [
                    "2: a condition receives no data but the values of its page, if their model is the same: "
                        + "data: expected ItemValues, found nothing"
                ])
        }
    }

    @Test("name a module with data, whose model the sections with the values have, too")
    func files() async throws {
        try place.write(
            """
            {"page": "wrong", "values": "test.text", "sections": [
              {"module": "test.item", "values": true},
              {"module": "test.form", "values": false}]}
            """, to: "wrong.json")
        try place.write(
            """
            {"page": "other", "values": "test.item", "sections": [
              {"module": "test.rows", "values": true},
              {"module": "test.item", "data": {"id": "x"}}]}
            """, to: "other.json")
        try place.write(#"{"page": "none", "values": "nobody.has", "sections": []}"#, to: "none.json")
        try await place.withPages { _, pages, _ in
            let all = try await pages.pages()
            func problems(_ id: String) -> [String] {
                all.first { $0.id == id }?.problems.map { "\($0.line): \($0.message)" } ?? []
            }
            #expect(
                problems("wrong") == [
                    #"1: "test.text" takes no data whose fields its manifest describes"#,
                    #"2: "test.item" does not take the data of "test.text""#,
                ])
            #expect(
                problems("other") == [
                    #"2: "test.rows" does not take the data of "test.item""#,
                    "3: id: expected an integer, found string",
                ])
            #expect(problems("none") == [#"1: no component offers the module "nobody.has""#])
            #expect(try await pages.settled("none?id=3").sections == [])
        }
    }
}
