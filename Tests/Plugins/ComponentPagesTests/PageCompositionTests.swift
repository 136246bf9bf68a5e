import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Pages are composed")
struct PageCompositionTests {
    @Test("of the sections in their file, with the views of the modules", arguments: ComponentDepth.allCases)
    func sections(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        TestModules.values.withLock { $0["sections-\(depth)"] = ["a", "b"] }
        try place.write(
            page: "home", #"{"module": "test.text", "title": "First", "columns": 2, "inset": 1, "folded": true}"#,
            #"{"module": "test.rows", "data": {"key": "sections-\#(depth)"}}"#,
            #"{"module": "test.text", "name": "again"}"#)
        try await place.withPages(depth) { _, pages, _ in
            let page = try await pages.settled("home")
            #expect(page.title == "T")
            #expect(
                page.summaries == [
                    "test.text shown: test.text on home, First", "test.rows shown: a, b",
                    "again shown: again on home, no title",
                ])
            #expect(page.sections[0].layout == SectionLayout(columns: 2, inset: 1, isFolded: true))
            #expect(page.sections[0].title == "First")
            #expect(page.sections.allSatisfy { $0.component == "host" })
            #expect(!page.isLoading)
        }
    }

    @Test("with fallbacks for what is missing or fails, and without what has none")
    func fallbacks() async throws {
        let place = try PagePlace()
        try place.write(
            page: "home", #"{"module": "nobody.has"}"#,
            #"{"module": "nobody.else", "fallback": {"text": "Not here."}}"#,
            #"{"module": "test.throws", "fallback": {"text": "Not now."}}"#, #"{"module": "test.condition"}"#,
            #"{"module": "test.text"}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("home")
            #expect(
                page.summaries == [
                    "nobody.else fallback: Not here.", "test.throws fallback: Not now.",
                    "test.condition failed: The module test.condition is a condition: it has no view.",
                    "test.text shown: test.text on home, no title",
                ])
        }
    }

    static let hostile: [(module: String, reason: String)] = [
        ("test.throws", "The module test.throws of host failed: no  [31mview"),
        ("test.hangs", "The module test.hangs of host has not answered in time."),
        ("test.same-keys", #"an invalid view: list: two of its views have the key "a""#),
        ("test.control", "an invalid view: text: its text contains the control character U+1B"),
        ("test.large", "an invalid view: text: the views have more than 4194304 bytes"),
        ("test.many", "an invalid view: list › row \"9999\": there are more than 10000 views"),
        ("test.nested", "an invalid view: stack › stack"),
        ("wrong.number", "of WrongViews answered with an invalid view: the payload: expected map"),
        ("wrong.shape", "The module wrong.shape of WrongViews answered with an invalid view: content: expected"),
        ("wrong.deep", "The module wrong.deep of WrongViews cannot be asked: invalidReply"),
        ("wrong.large", "The module wrong.large of WrongViews cannot be asked: invalidReply"),
    ]

    @Test("although a module is hostile, which costs its own section only", arguments: ComponentDepth.allCases)
    func hostile(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        let names = PageCompositionTests.hostile.map(\.module)
        let sections = names.map { #"{"module": "\#($0)"}"# } + [#"{"module": "test.text"}"#]
        try place.write(
            #"{"page": "home", "sections": [\#(sections.joined(separator: ", "))]}"#, to: "home.json")
        try await place.withPages(depth, ["WrongViews"], timeout: 30) { _, pages, _ in
            let page = try await pages.settled("home")
            #expect(page.sections.map(\.name) == names + ["test.text"])
            #expect(page.summaries.last == "test.text shown: test.text on home, no title")
            for (section, (module, reason)) in zip(page.sections, PageCompositionTests.hostile) {
                #expect(section.name == module && section.summary.contains(" failed: "))
                #expect(section.summary.contains(reason), "\(section.summary)")
                // People are told nothing of that.
                guard case .failure(let content) = section.view.content else { continue }
                let advice = module == "test.hangs" ? "It has taken too long." : nil
                #expect(content.message == "This part cannot be shown now." && content.advice == advice, "\(content)")
            }
        }
    }

    @Test("within 300 ms, with what is slower as an update")
    func slow() async throws {
        let place = try PagePlace()
        try place.write(
            page: "home", #"{"module": "test.slow", "data": {"count": 8000}}"#, #"{"module": "test.text"}"#)
        try await place.withPages(timeout: 300) { _, pages, _ in
            // Loading the component is not part of it.
            _ = try await pages.pages()
            let page = try await pages.page(id: "home", after: nil)
            #expect(page.summaries.first == "test.slow loading: Loading…")
            let later = try await pages.settled("home")
            #expect(
                later.summaries == ["test.slow shown: at last", "test.text shown: test.text on home, no title"])
            #expect(later.revision > page.revision)
        }
    }

    @Test("with the frame of their delegate, which another one replaces")
    func frame() async throws {
        let place = try PagePlace()
        func write(_ delegate: String) throws {
            try place.write(
                #"{"page": "home", "title": "T", "delegate": "\#(delegate)", "sections": [{"module": "test.text"}]}"#,
                to: "home.json")
        }
        try write("test.frame")
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("home")
            #expect(page.title == "Framed home")
            #expect(page.frame?.view.views(of: .navigation).count == 1)
            #expect(page.frame?.view.views(of: .header) == [])
            #expect(page.frame?.view.views(of: .footer) == [Text("the end").node])
            // On a busy machine, the page is the one of the former file for a while.
            try write("test.other-frame")
            let isReplaced = await holds { try await pages.settled("home").title == "T" }
            #expect(isReplaced)
            #expect(try await pages.settled("home").frame?.view.views(of: .navigation) == [Text("another").node])
            try write("nobody.has")
            let isGone = await holds { try await pages.settled("home").frame == nil }
            #expect(isGone)
        }
    }

    @Test("without the sections that a condition hides, until it says otherwise")
    func conditions() async throws {
        let place = try PagePlace()
        try place.write(
            page: "hiding", #"{"module": "test.text", "name": "in", "hidden": {"unless": "test.condition"}}"#,
            #"{"module": "test.text", "name": "out", "hidden": {"if": "test.condition"}}"#,
            #"{"module": "test.text", "name": "gone", "hidden": {"unless": "nobody.has"}}"#,
            #"{"module": "test.text", "name": "there", "hidden": {"if": "nobody.has"}}"#)
        try await place.withPages { host, pages, _ in
            for (value, expected) in [("no", ["out", "there"]), ("yes", ["in", "there"]), ("no", ["out", "there"])] {
                TestModules.values.withLock { $0["hiding"] = [value] }
                host.events.post(PageModuleChanged("test.condition"))
                var page = try await pages.settled("hiding")
                let isShown = await holds {
                    if page.sections.map(\.name) == expected { return true }
                    page = try await pages.page(id: "hiding", after: page.revision)
                    return false
                }
                #expect(isShown)
            }
        }
    }

    @Test("with conditions that depend on the page")
    func conditionsOfPages() async throws {
        let place = try PagePlace()
        for page in ["one", "two"] {
            try place.write(page: page, #"{"module": "test.text", "hidden": {"unless": "test.condition"}}"#)
        }
        TestModules.values.withLock { $0["two"] = ["yes"] }
        try await place.withPages { _, pages, _ in
            #expect(await pages.shows("one", []))
            #expect(await pages.shows("two", ["test.text shown: test.text on two, no title"]))
            #expect(await pages.shows("one", []))
        }
    }

    @Test("with a section whose condition answers late once it has")
    func lateCondition() async throws {
        let place = try PagePlace()
        try place.write(
            page: "late", #"{"module": "test.text", "hidden": {"unless": "test.slow-condition"}}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.page(id: "late", after: nil)
            #expect(page.sections.isEmpty)
            TestModules.values.withLock { $0["late"] = ["yes"] }
            var next = page
            let isThere = await holds {
                if next.sections.isEmpty { next = try await pages.page(id: "late", after: next.revision) }
                next = try await pages.settled("late")
                return next.summaries == ["test.text shown: test.text on late, no title"]
            }
            #expect(isThere)
        }
    }

    @Test("without asking a condition again before it has answered, and once more if it has changed meanwhile")
    func askedOnce() async throws {
        let place = try PagePlace()
        let section = #"{"module": "test.text", "hidden": {"unless": "test.slow-condition"}}"#
        try await place.withPages(timeout: 300) { host, pages, _ in
            func asked() -> Int { TestModules.questions.withLock { $0["once"] ?? 0 } }
            func shows(_ names: String...) async -> Bool {
                await holds { try await pages.settled("once").sections.map(\.name) == names }
            }
            for name in ["a", "b", "c"] {
                try place.write(page: "once", section, #"{"module": "test.text", "name": "\#(name)"}"#)
                #expect(await shows(name))
            }
            #expect(await holds { asked() > 0 })
            for _ in 0..<3 {
                await host.events.deliver(PageModuleChanged("test.slow-condition"))
                #expect(await shows("c"))
            }
            #expect(asked() == 1)
            TestModules.values.withLock { $0["once"] = ["yes"] }
            #expect(await shows("test.text", "c"))
            #expect(await holds { asked() > 1 })
            #expect(await shows("test.text", "c"))
            #expect(asked() == 2)
        }
    }

    @Test("with what a condition has hidden before while it is asked again, since people may be typing there")
    func askedAgain() async throws {
        let place = try PagePlace()
        let section = #"{"module": "test.text", "hidden": {"unless": "test.slow-condition"}}"#
        try place.write(page: "again", section)
        try await place.withPages(timeout: 300) { host, pages, _ in
            func say(_ answer: [String]?) async {
                TestModules.values.withLock { $0["again"] = answer }
                await host.events.deliver(PageModuleChanged("test.slow-condition"))
            }
            func names() async throws -> [String] { try await pages.settled("again").sections.map(\.name) }
            for answer in ["no", "throws"] {
                await say(["yes"])
                #expect(await holds { try await names().first == "test.text" })
                await say(nil)
                // The page is planned with what its file says now, without the answer.
                try place.write(page: "again", section, #"{"module": "test.text", "name": "\#(answer)"}"#)
                #expect(await holds { try await names().contains(answer) })
                #expect(try await names() == ["test.text", answer])
                TestModules.values.withLock { $0["again"] = [answer] }
                #expect(await holds { try await names() == [answer] })
            }
        }
    }

    @Test("as before while its component does not say which pages there are; others are not known then")
    func late() async throws {
        let place = try PagePlace()
        let timeout = Double(TestPatience.seconds(2))
        try await place.withPages(.file, ["FixtureComponent"], timeout: timeout) { host, pages, _ in
            func hold(_ isHeld: Bool) async throws {
                _ = try await host.call("FixturePages", "hold", ["isHeld": .bool(isHeld)])
                await host.events.deliver(PageModuleChanged("FixtureComponent"))
            }
            func error(of id: String) async -> PageError? {
                do {
                    _ = try await pages.page(id: id, after: nil)
                    return nil
                } catch {
                    return error as? PageError
                }
            }
            let shown = ["fixture.place shown: fixture.place on fixture: -"]
            // Loads the component, which may take longer than the timeout.
            try await hold(false)
            #expect(await pages.shows("fixture", shown))
            let failure = Lock<String?>(nil)
            let updates = try await pages.updates(id: "fixture")
            let reading = Task {
                do { for try await _ in updates {} } catch { failure.withLock { $0 = "\(error)" } }
            }
            defer { reading.cancel() }
            try await hold(true)
            #expect(await holds { await error(of: "missing") == .notYetKnown(id: "missing") })
            #expect(try await pages.settled("fixture").summaries == shown)
            try await hold(false)
            #expect(await holds { await error(of: "missing") == .unknownPage(id: "missing", similar: nil) })
            #expect(await pages.shows("fixture", shown))
            // The reader has not been told that the page is gone.
            #expect(failure.withLock { $0 } == nil)
        }
    }

    @Test("of pages that components bring along, after those of operators")
    func brought() async throws {
        let place = try PagePlace()
        try await place.withPages(.file, ["FixtureComponent"]) { _, pages, _ in
            let brought = try await pages.pages().filter { $0.source.hasPrefix("FixtureComponent: ") }
            #expect(brought.map(\.id) == ["fixture"])
            #expect(brought.first?.problems == [])
            #expect(await pages.shows("fixture", ["fixture.place shown: fixture.place on fixture: -"]))
            try place.write(page: "fixture", #"{"module": "test.text"}"#)
            #expect(await pages.shows("fixture", ["test.text shown: test.text on fixture, no title"]))
        }
    }

    @Test("and opened by URL")
    func route() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.text"}"#)
        try await place.withPages { host, _, _ in
            let isOpened = await holds {
                let page: Page = try await host.open("studio://pages/home").value()
                return page.summaries == ["test.text shown: test.text on home, no title"]
            }
            #expect(isOpened)
        }
    }

    @Test("a page with too much on it fails the sections that are too many")
    func tooMuch() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.text"}"#)
        let heavy = (0..<4).map { #"{"module": "test.heavy", "name": "h\#($0)"}"# }
        try place.write(page: "large", ([#"{"module": "test.text"}"#] + heavy).joined(separator: ", "))
        try await place.withPages { _, pages, _ in
            let sections = try await pages.settled("large").sections
            #expect(sections.map(\.state).count { $0 == .shown } == 3)
            #expect(sections.first?.state == .shown)
            for section in sections where section.state != .shown {
                #expect(section.summary == "\(section.name) failed: The page is too large.")
            }
            var updates = try await pages.updates(id: "large").makeAsyncIterator()
            #expect(try await updates.next() != nil)
        }
    }

}
