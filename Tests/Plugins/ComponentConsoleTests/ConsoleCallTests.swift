import ComponentHost
import ComponentKit
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

/// The page of a component in a host, as people in a session use it.
private struct CallPage {
    let pages: PageServiceClient
    let id: String

    func choose(_ method: String) async throws {
        try await pages.perform(.componentCall, on: id, ["method": method]) { $0.selector == "choose" }
        // The page does not wait for the next form if it is slow.
        #expect(
            await holds {
                try await pages.view(.componentCall, on: id).actions.contains { action in
                    guard case .call("perform", let parameters) = action.effect else { return false }
                    return parameters["console.target"]?["method"] == .string(method)
                }
            })
    }

    func call(_ values: [String: String] = [:]) async throws {
        try await pages.perform(.componentCall, on: id, values) { $0.selector == "perform" }
    }

    /// What stands below the form: the answer, or what went wrong.
    func answer() async throws -> String? {
        let view = try await pages.view(.componentCall, on: id)
        return view.all.compactMap { node in
            switch node.content {
            case .text(let text) where node.key == "json": text.text
            case .failure(let failure): failure.message
            case .placeholder(let placeholder) where placeholder.isLoading: placeholder.text
            default: nil
            }
        }.first
    }

    func shows(_ text: String) async -> Bool { await holds { try await answer()?.contains(text) == true } }
}

@Suite("Calls from pages", .enabled(if: ConsolePlace.hasPages))
struct ConsoleCallTests {
    private func withPage<Value>(
        _ component: String, options: [String: String] = ["calls": "true"],
        _ body: (LinkHost, CallPage) async throws -> Value
    ) async throws -> Value {
        try await ConsolePlace.withConsole([component], options: options) { host, pages, _ in
            try await body(host, CallPage(pages: pages, id: "console.\(component)"))
        }
    }

    @Test("a form calls a method, and its answer is shown")
    func answers() async throws {
        try await withPage("FixtureComponent") { host, page in
            #expect(try await page.answer() == nil)
            try await page.choose("FixtureLink.sum")
            let view = try await page.pages.view(.componentCall, on: page.id)
            #expect(view.fields.map(\.name) == ["method", "a", "b", "c"])
            #expect(
                view.fields.dropFirst().allSatisfy { $0.kind == .integer(least: .min, most: .max) && $0.isRequired })
            try await page.call(["a": "1", "b": "2", "c": "3"])
            #expect(await page.shows("6"))
            let call = try #require(try await page.pages.view(.componentCall, on: page.id).records.first)
            #expect(call["Method"] == "FixtureLink.sum" && call["Took"]?.hasSuffix("s") == true)
            #expect(call["Called"]?.hasSuffix("Z") == true)
            // What was filled in is there to be called again.
            let again = try await page.pages.view(.componentCall, on: page.id)
            #expect(again.fields.dropFirst().map(\.value) == [1, 2, 3])
            // What does not fit is refused before anything is called.
            await #expect(throws: PageError.invalidValue(field: "b", reason: "Fill in this field.")) {
                try await page.call(["a": "1", "c": "3"])
            }
            try await page.choose("TypedLink.greet")
            try await page.call(["name": "Ada", "times": "2"])
            #expect(await page.shows("\"Hello, Ada!\",\n  \"Hello, Ada!\""))
            try await page.choose("TypedLink.plain")
            await #expect(throws: PageError.self) { try await page.call(["info": "{"]) }
        }
    }

    @Test("a failure is shown with its code, its message and its details")
    func failures() async throws {
        try await withPage("FixtureComponent") { host, page in
            for (method, values, text) in [
                ("FixtureLink.throwOwn", [:], "method failed: as asked (fixture 7)"),
                ("TypedLink.refuse", ["limit": "0"], "method failed: "),
                ("FixtureLink.wrongKey", ["payload": "{}"], "payload mismatch: owner"),
                ("FixtureLink.makeCounter", [:], "<object"),
                ("FixtureLink.twin", [:], "\"object\""), ("+FixtureLink.twin", [:], "\"class\""),
            ] as [(String, [String: String], String)] {
                try await page.choose(method)
                try await page.call(values)
                let isShown = await page.shows(text)
                let answer = try await page.answer() ?? "nothing"
                #expect(isShown, "\(method): \(answer)")
            }
        }
    }

    @Test("a call that takes long is in flight meanwhile, and then its answer comes")
    func slow() async throws {
        try await withPage("FixtureComponent") { host, page in
            try await page.choose("FixtureLink.asyncSleep")
            // Long enough for a machine that does much else.
            try await page.call(["payload": #"{"seconds": 15}"#])
            #expect(try await page.answer() == "The call is in flight.")
            #expect(await page.shows("slept"))
        }
    }

    @Test("each session has its own choice and its own answers")
    func sessions() async throws {
        try await withPage("FixtureComponent") { host, page in
            let sessions = [try Session(id: "one"), try Session(id: "two")]
            for (number, session) in sessions.enumerated() {
                try await Session.with(session) {
                    #expect(try await page.answer() == nil)
                    try await page.choose("FixtureLink.sum")
                    try await page.call(["a": "\(number)", "b": "40", "c": "2"])
                    #expect(await page.shows("\(number + 42)"))
                }
            }
            #expect(try await page.answer() == nil)
            // The method is called in the session of the caller.
            try await Session.with(sessions[0]) {
                #expect(try await page.answer() == "42")
                try await page.choose("FixtureLink.carried")
                try await page.call()
                #expect(await page.shows("\"session\": \"one\""))
            }
        }
    }

    @Test("are neither offered nor made unless they are allowed")
    func refused() async throws {
        try await withPage("FixtureComponent", options: [:]) { host, page in
            let view = try await page.pages.view(.componentCall, on: page.id)
            #expect(view.actions == [])
            #expect(view.texts == [Permission.calls.refusal])
            let target: Payload = ["component": "FixtureComponent", "method": "FixtureLink.count"]
            for (selector, payload) in [
                ("perform", ["console.target": target]),
                ("choose", ["component": "FixtureComponent", "method": "FixtureLink.count"]),
            ] as [(String, Payload)] {
                let error = await #expect(throws: LinkError.self) {
                    try await host.call("ConsoleComponent", selector, payload)
                }
                #expect(error?.message == Permission.calls.refusal)
            }
            #expect(try await host.call("FixtureLink", "count") == 1)
        }
    }

    @Test("reach only what a component declares for callers")
    func undeclared() async throws {
        try await withPage("FixtureComponent") { host, _ in
            for (component, method) in [
                ("FixtureComponent", "EventLink.changed"), ("FixtureComponent", "+hslink.Pages.modules"),
                ("FixtureComponent", ""), ("Nobody", "FixtureLink.count"), ("hslink", "+hslink.Pages.modules"),
            ] {
                let error = await #expect(throws: LinkError.self) {
                    try await host.call(
                        "ConsoleComponent", "perform",
                        ["console.target": ["component": .string(component), "method": .string(method)]])
                }
                // Who calls is an operator, and reads why it is not done.
                guard case .actionFailed(let message, nil)? = error?.original as? PageError else {
                    Issue.record("\(component) \(method): \(String(describing: error))")
                    continue
                }
                #expect(message.contains(component))
            }
        }
    }

    @Test("components are loaded and tried again if that is allowed")
    func changes() async throws {
        try await ConsolePlace.withConsole(["CGood", "CreateFailsOnce"], options: ["changes": "true"]) {
            host, pages, _ in
            let loaded = try await pages.perform(.component, on: "console.CGood") { $0.selector == "load" }
            #expect(loaded.value == "CGood is loaded.")
            #expect(
                await holds { try await pages.view(.component, on: "console.CGood").badges.first?.text == "running" })
            let id = "console.CreateFailsOnce"
            let error = await #expect(throws: PageError.self) {
                try await pages.perform(.component, on: id) { $0.selector == "load" }
            }
            #expect("\(String(describing: error))".contains("not the first time"), "\(String(describing: error))")
            let view = try await pages.view(.component, on: id)
            #expect(view.buttons == ["Try again"] && view.badges == [BadgeContent(text: "failed", tone: .failure)])
            #expect(view.texts.contains { $0.hasPrefix("What to do: ") })
            try await pages.perform(.component, on: id) { $0.selector == "retry" }
            #expect(await holds { try await pages.view(.component, on: id).buttons == ["Load"] })
            try await pages.perform(.component, on: id) { $0.selector == "load" }
            #expect(await holds { try await pages.view(.component, on: id).buttons == [] })
        }
    }

    @Test("nothing is loaded, tried again or scanned unless that is allowed")
    func noChanges() async throws {
        try await ConsolePlace.withConsole(["CGood", "NeedsMissing"]) { host, pages, plugins in
            for (page, module) in [
                ("console", ConsoleModule.components), ("console.CGood", .component),
                ("console.NeedsMissing", .component),
            ] {
                let view = try await pages.view(module, on: page)
                #expect(view.actions.allSatisfy { $0.selector == nil })
                #expect(view.texts.contains(Permission.changes.refusal))
            }
            try plugins.delete("libNeedsMissing.so")
            for (name, selector, payload) in [
                ("ConsoleOverview", "rescan", [:]), ("ConsoleComponent", "load", ["component": "CGood"]),
                ("ConsoleComponent", "retry", ["component": "CGood"]),
            ] as [(String, String, Payload)] {
                let error = await #expect(throws: LinkError.self) { try await host.call(name, selector, payload) }
                #expect(error?.message == Permission.changes.refusal)
            }
            #expect(host.state(of: "CGood").map { "\($0)" } == "available")
            #expect(host.components.contains { $0.name == "NeedsMissing" })
        }
    }

    @Test("an option that makes no sense keeps the console from starting", arguments: ["0.1", "61", "nan"])
    func options(interval: String) async throws {
        try await ConsolePlace.withConsole(options: ["interval": interval]) { host, pages, _ in
            let error = await #expect(throws: LinkError.self) {
                try await host.call("ConsoleLog", "choose", ["level": "info"])
            }
            #expect(error?.code == .notLoaded, "\(String(describing: error))")
            // Other pages are not concerned.
            let ids = try await pages.pages().map(\.id)
            #expect(!ids.contains { $0.hasPrefix("console") })
        }
    }
}
