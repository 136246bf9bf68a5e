import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Readers of a page")
struct PageUpdateTests {
    @Test("receive the one row that has changed", arguments: ComponentDepth.allCases)
    func patch(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        let key = "patch-\(depth)"
        TestModules.values.withLock { $0[key] = (0..<1000).map { "row \($0)" } }
        try place.write(page: "home", #"{"module": "test.rows", "data": {"key": "\#(key)"}}"#)
        try await place.withPages(depth) { host, pages, _ in
            var updates = try await pages.updates(id: "home").makeAsyncIterator()
            var page = Page(id: "", title: "", revision: 0, sections: [])
            while page.sections.isEmpty || page.isLoading {
                try page.apply(try #require(try await updates.next()))
            }
            TestModules.values.withLock { $0[key]?[500] = "new" }
            host.events.post(PageModuleChanged("test.rows"))
            let update = try #require(try await updates.next())
            guard case .sections(let changes, page.revision, page.revision + 1) = update, changes.count == 1,
                case .view("test.rows", let patch) = changes[0]
            else {
                Issue.record("\(update)")
                return
            }
            #expect(patch.changes.count == 2)
            #expect(try patch.payload.cbor().count < 1000)
            try page.apply(update)
            #expect(try await pages.page(id: "home", after: nil).sections == page.sections)
        }
    }

    @Test("receive a view whose view model has changed, and nothing for what the view does not show")
    func observed() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.observed"}"#)
        try await place.withPages { host, pages, _ in
            var page = try await pages.settled("home")
            #expect(page.summaries == ["test.observed shown: clear"])
            for sky in ["cloudy", "rainy", "clear"] {
                _ = try await host.call("ObservedModules", "change", ["wind": 7])
                let asked = TestModules.questions.withLock { $0["observed-home"] }
                _ = try await host.call("ObservedModules", "change", ["sky": .string(sky)])
                page = try await pages.page(id: "home", after: page.revision)
                #expect(page.summaries == ["test.observed shown: \(sky)"])
                #expect(TestModules.questions.withLock { $0["observed-home"] } == asked.map { $0 + 1 })
            }
        }
    }

    @Test("are told once of a view model that has changed, however often and in how many sessions its view was made")
    func observedOften() async throws {
        try await PagePlace().withPages { host, _, _ in
            let told = Lock<[String]>([])
            host.events.on(PageModuleChanged.self) { change in
                if change.page == "often" { told.withLock { $0.append(change.section ?? "") } }
            }
            func ask(_ section: String) async throws {
                let context = PageContext(page: "often", section: section, module: "test.observed")
                _ = try await host.call("ObservedModules", "sky", ["context": context.payload])
            }
            for session in [nil, try Session(id: "a"), try Session(id: "b")] {
                try await Session.with(session) { for _ in 0..<100 { try await ask("first") } }
            }
            _ = try await host.call("ObservedModules", "change", ["sky": "cloudy"])
            #expect(await holds { told.withLock { !$0.isEmpty } })
            try await ask("last")
            _ = try await host.call("ObservedModules", "change", ["sky": "rainy"])
            #expect(await holds { told.withLock { $0.contains("last") } })
            #expect(told.withLock { $0 } == ["first", "last"])
        }
    }

    @Test("receive nothing about modules that are on another page, or for another section")
    func scope() async throws {
        let place = try PagePlace()
        try place.write(
            page: "home", #"{"module": "test.rows", "name": "a", "data": {"key": "scope-a"}}"#,
            #"{"module": "test.rows", "name": "b", "data": {"key": "scope-b"}}"#)
        try await place.withPages { host, pages, _ in
            // A call for the page would ask a module once more that is late.
            let record = PageRecord(try await pages.updates(id: "home"))
            #expect(await holds { record.page.summaries == ["a shown: ", "b shown: "] })
            for key in ["scope-a", "scope-b"] { TestModules.values.withLock { $0[key] = ["new"] } }
            func asked() -> [Int] { TestModules.questions.withLock { [$0["scope-a"] ?? 0, $0["scope-b"] ?? 0] } }
            let before = asked()
            await host.events.deliver(PageModuleChanged("test.rows", page: "other"))
            await host.events.deliver(PageModuleChanged("test.text"))
            await host.events.deliver(PageModuleChanged("test.rows", page: "home", section: "b"))
            #expect(await holds { record.page.summaries == ["a shown: ", "b shown: new"] })
            #expect(asked() == [before[0], before[1] + 1])
            record.end()
        }
    }

    @Test("keep what a section shows until its next module has answered; those who come meanwhile see a placeholder")
    func stays() async throws {
        let place = try PagePlace()
        func write(_ title: String, _ module: String) throws {
            let section = #"{"name": "x", "module": "\#(module)", "data": {"key": "stays \#(title)"}}"#
            try place.write(#"{"page": "home", "title": "\#(title)", "sections": [\#(section)]}"#, to: "home.json")
        }
        TestModules.values.withLock { $0["stays old"] = ["a"] }
        try write("old", "test.rows")
        try await place.withPages(timeout: 300) { _, pages, _ in
            let record = PageRecord(try await pages.updates(id: "home"))
            #expect(await holds { record.page.summaries == ["x shown: a"] })
            try write("new", "test.slow-rows")
            #expect(await holds { record.page.title == "new" })
            #expect(record.page.summaries == ["x shown: a"])
            let other = PageRecord(try await pages.updates(id: "home"))
            #expect(await holds { other.page.summaries == ["x loading: Loading…"] })
            #expect(try await pages.page(id: "home", after: nil).isLoading)
            TestModules.values.withLock { $0["stays new"] = ["b", "c"] }
            #expect(await holds { record.page.summaries == ["x shown: b, c"] && other.page == record.page })
            record.end()
            other.end()
        }
    }

    @Test("that fall behind receive the page as a whole, and end where the others do")
    func behind() async throws {
        let queue = PageQueue()
        var page = Page(id: "p", title: "0", revision: 0, sections: [])
        for number in 1...100 {
            page.title = "\(number)"
            page.revision = number
            queue.add(.page(page), page)
        }
        queue.end()
        var last = Page(id: "", title: "", revision: 0, sections: [])
        var count = 0
        while let update = try await queue.next() {
            try last.apply(update)
            count += 1
        }
        #expect(last == page)
        #expect(count <= PageQueue.limit)
    }

    @Test("are announced when the first comes and the last leaves")
    func announced() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.text"}"#)
        try await place.withPages { host, pages, _ in
            let events = Lock<[String]>([])
            host.events.on(PageEvent.self) { event in
                events.withLock { $0.append("\(event.kind.rawValue) \(event.page)") }
            }
            var first: AsyncThrowingStream<PageUpdate, any Error>? = try await pages.updates(id: "home")
            var second: AsyncThrowingStream<PageUpdate, any Error>? = try await pages.updates(id: "home")
            let hasAppeared = await holds { events.withLock { $0 } == ["appeared home"] }
            #expect(hasAppeared)
            withExtendedLifetime(first) { first = nil }
            withExtendedLifetime(second) { second = nil }
            let hasGone = await holds { events.withLock { $0 } == ["appeared home", "disappeared home"] }
            #expect(hasGone)
        }
    }

    @Test("may also ask for one revision after the other")
    func longPolls() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.text"}"#)
        try await place.withPages { host, pages, _ in
            let events = Lock<[PageEventKind]>([])
            host.events.on(PageEvent.self) { event in events.withLock { $0.append(event.kind) } }
            // To look at a page once is not to follow it.
            let page = try await pages.page(id: "home", after: nil)
            #expect(try await pages.page(id: "home", after: page.revision - 1).id == "home")
            let hasAppeared = await holds { events.withLock { $0.first } == .appeared }
            #expect(hasAppeared)
            // Who does not ask for the next revision has left.
            let hasGone = await holds { events.withLock { $0 } == [.appeared, .disappeared] }
            #expect(hasGone)
        }
    }

    @Test("see the section of a component that is taken out go, and come when it is put back")
    func componentsComeAndGo() async throws {
        let place = try PagePlace()
        try place.write(
            page: "home", #"{"module": "test.text"}"#, #"{"module": "fixture.place", "title": "F"}"#,
            #"{"module": "fixture.place", "name": "with", "fallback": {"text": "gone"}}"#)
        try await place.withPages(.file, []) { host, pages, plugins in
            let without = ["test.text shown: test.text on home, no title", "with fallback: gone"]
            var page = try await pages.settled("home")
            let added = Task { [revision = page.revision] in try await pages.page(id: "home", after: revision) }
            try plugins.add("FixtureComponent")
            host.rescan()
            _ = try await added.value
            let isThere = await holds {
                page = try await pages.page(id: "home", after: nil)
                return page.summaries == [
                    without[0], "fixture.place shown: fixture.place on home: F", "with shown: with on home: -",
                ]
            }
            #expect(isThere)
            // It is in memory now, and stays there without its file.
            for _ in 0..<2 {
                try FileManager.default.removeItem(atPath: plugins.file("libFixtureComponent.so"))
                host.rescan()
                let isGone = await holds {
                    page = try await pages.page(id: "home", after: page.revision)
                    return page.summaries == without
                }
                #expect(isGone)
                try plugins.add("FixtureComponent")
                host.rescan()
                let isBack = await holds {
                    page = try await pages.page(id: "home", after: page.revision)
                    return page.sections.count == 3 && page.sections[1].state == .shown
                }
                #expect(isBack)
            }
        }
    }
}
