import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Actions of a page")
struct PageActionTests {
    /// What people are told of an action that throws anything else than a `PageError`.
    private static let notDone = "That could not be done. The operator of this site can find the reason in the log."

    @Test("call selectors of the module, whose view is new afterwards", arguments: ComponentDepth.allCases)
    func call(depth: ComponentDepth) async throws {
        let place = try PagePlace()
        let key = "call-\(depth)"
        TestModules.values.withLock { $0[key] = ["a", "b"] }
        try place.write(page: "home", #"{"module": "test.rows", "data": {"key": "\#(key)"}}"#)
        try await place.withPages(depth) { _, pages, _ in
            let page = try await pages.settled("home")
            let action = try #require(page.sections.first?.view.children.first?.sideActions.first)
            let outcome = try await pages.perform(page: "home", section: "test.rows", action: action, values: [:])
            #expect(outcome.value == "removed a" && outcome.page == nil)
            #expect(await pages.shows("home", ["test.rows shown: b"]))
            // It is not offered any more.
            await #expect(throws: PageError.actionNotOffered(page: "home", section: "test.rows")) {
                try await pages.perform(page: "home", section: "test.rows", action: action, values: [:])
            }
        }
    }

    @Test("of a frame call selectors of the delegate")
    func frame() async throws {
        let place = try PagePlace()
        try place.write(#"{"page": "home", "delegate": "test.frame", "sections": []}"#, to: "home.json")
        try await place.withPages { _, pages, _ in
            let frame = try #require(try await pages.settled("home").frame)
            let action = try #require(frame.view.views(of: .navigation).first?.sideActions.first)
            let outcome = try await pages.perform(page: "home", section: frame.name, action: action, values: [:])
            #expect(outcome.value == "OSLO")
        }
    }

    @Test("show more of a long list, as long as there is more and the data of the section stays")
    func more() async throws {
        let place = try PagePlace()
        func write(_ key: String, title: String) throws {
            try place.write(
                page: "long", #"{"module": "test.parts", "title": "\#(title)", "data": {"key": "\#(key)"}}"#)
        }
        try write("a", title: "One")
        try await place.withPages { host, pages, _ in
            func list() async throws -> ViewNode {
                try #require(try await pages.settled("long").sections.first { $0.state == .shown }).view
            }
            func perform(_ action: Action) async throws {
                _ = try await pages.perform(page: "long", section: "test.parts", action: action, values: [:])
            }
            let first = try #require(try await list().sideActions.first)
            for count in [3, 6, 9] {
                #expect(await holds { try await list().children.count == count })
                let shown = try await list()
                #expect(shown.sideActions.map(\.title) == ["Show more (\(10 - count) left)"])
                try await perform(try #require(shown.sideActions.first))
            }
            #expect(await holds { try await list().children.count == 10 })
            #expect(try await list().sideActions.isEmpty)
            // What was offered before is not offered any more.
            await #expect(throws: PageError.actionNotOffered(page: "long", section: "test.parts")) {
                try await perform(first)
            }
            await host.events.deliver(PageModuleChanged("test.parts"))
            try write("a", title: "Two")
            #expect(await holds { try await pages.settled("long").sections.first?.title == "Two" })
            #expect(try await list().children.count == 10)
            try write("b", title: "Two")
            #expect(await holds { try await list().children.map(\.title) == ["b0", "b1", "b2"] })
        }
    }

    @Test("of a form have its values, which are checked first")
    func form() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.form", "data": {"key": "form"}}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("home")
            let action = try #require(page.sections.first?.view.action)
            func submit(_ values: [String: String]) async throws -> Payload {
                try await pages.perform(page: "home", section: "test.form", action: action, values: values).value
            }
            #expect(try await submit(["title": "x"]) == 1)
            #expect(try await submit(["title": "y", "times": "3"]) == 4)
            for (values, error) in [
                ([:], PageError.invalidValue(field: "title", reason: "Fill in this field.")),
                (
                    ["title": "x", "times": "4"],
                    .invalidValue(field: "times", reason: "Write a whole number from 1 to 3.")
                ),
                (["title": "xxxxxxxxxxx"], .invalidValue(field: "title", reason: "Write at most 10 characters.")),
                (["title": "x", "key": "other"], .invalidValue(field: "key", reason: "The form has no such field.")),
                (["title": "taken"], .invalidValue(field: "title", reason: "Choose another one.")),
                (["title": "no"], .actionFailed(message: "not this one", forPeople: Self.notDone)),
                (["title": "told"], .actionFailed(message: "exact", forPeople: "Not now.")),
            ] as [([String: String], PageError)] {
                await #expect(throws: error) { try await submit(values) }
            }
            #expect(TestModules.values.withLock { $0["form"] } == ["x", "y", "y", "y"])
        }
    }

    @Test("wait for a section whose condition or module is late")
    func late() async throws {
        let place = try PagePlace()
        try place.write(
            page: "acting",
            #"""
            {"module": "test.slow-rows", "data": {"key": "late rows"}, "hidden": {"unless": "test.slow-condition"}}
            """#)
        try await place.withPages(timeout: 300) { _, pages, _ in
            #expect(try await pages.page(id: "acting", after: nil).sections.isEmpty)
            async let outcome = pages.perform(
                page: "acting", section: "test.slow-rows",
                action: .call("remove", ["key": "late rows", "title": "a"], title: "Remove"), values: [:])
            // Each of these waits as long for the condition as an action that did not wait would.
            async let settled = pages.settledPage(id: "acting", section: "test.slow-rows")
            for _ in 0..<3 { #expect(try await pages.page(id: "acting", after: nil).sections.isEmpty) }
            TestModules.values.withLock { $0["acting"] = ["yes"] }
            #expect(
                await holds { try await pages.page(id: "acting", after: nil).sections.first?.state == .loading })
            for _ in 0..<3 { _ = try await pages.page(id: "acting", after: nil) }
            TestModules.values.withLock { $0["late rows"] = ["a", "b"] }
            #expect(try await outcome.value == "removed a")
            #expect(try await settled.sections.first?.state == .shown)
            // Nothing is late now.
            #expect(try await pages.settledPage(id: "acting", section: "none").sections.count == 1)
        }
    }

    @Test("do what the view says, however the request spells it")
    func spelling() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.accent"}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("home")
            var action = try #require(page.sections.first?.view.action)
            // Swift takes both spellings as equal, and payloads do not.
            action.effect = .open(url: "test://shout?text=he\u{301}")
            let outcome = try await pages.perform(page: "home", section: "test.accent", action: action, values: [:])
            #expect(outcome.value == "H\u{C9}")
        }
    }

    @Test("open routes, lead to other pages, ask again and fail with the reason")
    func effects() async throws {
        let place = try PagePlace()
        try place.write(page: "home", #"{"module": "test.actions", "data": {}}"#)
        try await place.withPages { _, pages, _ in
            let page = try await pages.settled("home")
            let actions = page.sections.first?.view.children.compactMap(\.action) ?? []
            #expect(actions.count == 5)
            var outcomes: [ActionOutcome] = []
            for action in actions.prefix(3) {
                outcomes.append(
                    try await pages.perform(page: "home", section: "test.actions", action: action, values: [:]))
            }
            #expect(outcomes.map(\.page) == ["next", nil, nil])
            #expect(outcomes.map(\.value) == [.null, "HELLO", .null])
            await #expect(throws: PageError.actionFailed(message: "not this one", forPeople: Self.notDone)) {
                try await pages.perform(page: "home", section: "test.actions", action: actions[3], values: [:])
            }
            // What the host says is for programs; people have a sentence of their own.
            let error = await #expect(throws: PageError.self) {
                try await pages.perform(page: "home", section: "test.actions", action: actions[4], values: [:])
            }
            guard case .actionFailed(let message, let forPeople?)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(message.contains("no route matches"), "\(message)")
            #expect(forPeople == "This part of the site is not available now. Try again later.")
        }
    }

    @Test("that a page does not offer are refused")
    func refused() async throws {
        let place = try PagePlace()
        try place.write(
            page: "home", #"{"module": "test.text"}"#,
            #"{"module": "test.throws", "fallback": {"text": "x"}}"#, #"{"module": "nobody.has"}"#)
        try await place.withPages { _, pages, _ in
            let action = Action.call("remove", ["key": "x", "title": "y"])
            for (section, error) in [
                ("test.text", PageError.actionNotOffered(page: "home", section: "test.text")),
                ("test.throws", .actionNotOffered(page: "home", section: "test.throws")),
                ("nobody.has", .unknownSection(page: "home", section: "nobody.has")),
                ("", .unknownSection(page: "home", section: "")),
            ] {
                await #expect(throws: error) {
                    try await pages.perform(page: "home", section: section, action: action, values: [:])
                }
            }
            await #expect(throws: PageError.unknownPage(id: "none", similar: nil)) {
                try await pages.perform(page: "none", section: "a", action: .refresh(), values: [:])
            }
        }
    }
}
