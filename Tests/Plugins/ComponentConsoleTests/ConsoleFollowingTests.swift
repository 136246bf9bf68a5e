import ComponentHost
import ComponentKit
import HostTestSupport
import Logging
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

@Suite("Routes, events and the log of a host", .enabled(if: ConsolePlace.hasPages))
struct ConsoleFollowingTests {
    static let urls: [(url: String, outside: Bool, texts: [String], candidate: String)] = [
        ("fixture://item/7?loud=true", false, ["It opens RoutedLink.item."], "fixture://item/:id"),
        ("fixture://files/a/b", false, ["It opens RoutedLink.file."], "fixture://files/*path"),
        ("fixture://files/a/b", true, ["No route matches."], "fixture://files/*path"),
        ("fixture://nowhere/at/all", false, ["No route matches."], ""),
    ]

    @Test("where a URL leads is explained", arguments: urls)
    func explains(url: String, outside: Bool, texts: [String], candidate: String) async throws {
        try await ConsolePlace.withConsole(["FixtureComponent"]) { _, pages, _ in
            let before = try await pages.view(.explain, on: "console.routes")
            #expect(before.children.map(\.key) == ["form"])
            let values = ["url": url, "outside": outside ? "on" : ""]
            try await pages.perform(.explain, on: "console.routes", values) { $0.selector == "explain" }
            let view = try await pages.view(.explain, on: "console.routes")
            #expect(view.texts.contains(texts[0]), "\(view.texts)")
            #expect(candidate.isEmpty || view.cells.contains { $0[1] == candidate }, "\(view.cells)")
            // Somebody else has not asked.
            let other = try await Session.with(try Session(id: "other")) {
                try await pages.view(.explain, on: "console.routes")
            }
            #expect(other.children.map(\.key) == ["form"])
        }
    }

    @Test("routes and events are listed with their components")
    func lists() async throws {
        try await ConsolePlace.withConsole(["FixtureComponent"]) { _, pages, _ in
            let routes = try await pages.view(.routes, on: "console.routes").records
            let route = try #require(routes.first { $0["Pattern"] == "fixture://item/:id" }, "\(routes)")
            #expect(route["Component"] == "FixtureComponent" && route["Calls"] == "RoutedLink.item")
            // It can be called, which is nothing to tell.
            #expect(route["From outside"] == "yes" && route["Problem"] == "")
            let events = try await pages.view(.events, on: "console.events").cells
            let changed = try #require(events.first { $0[0] == "org.hslink.fixture/changed" })
            #expect(changed[1] == "FixtureComponent" && changed[2].contains("EventLink.changed of FixtureComponent"))
            let parts = try await pages.view(.componentParts, on: "console.FixtureComponent")
            #expect(parts.cells.contains { $0[0].hasPrefix("sum(a: Int, b: Int, c: Int) → Int") }, "\(parts.cells)")
            #expect(parts.cells.contains { $0[0] == "timeout" && $0[1] == "Double = 30" })
            #expect(!parts.texts.isEmpty)
        }
    }

    @Test("posts are shown as they happen")
    func posts() async throws {
        try await ConsolePlace.withConsole { host, pages, _ in
            let follower = try await PageFollower("console.events", pages)
            #expect(await follower.shows(.posts) { _ in true })
            let names = (0..<5).map { "org.hslink.test/event\($0)" }
            for name in names {
                host.events.post(name, .null, sticky: name == names.last)
                let isSeen = await follower.shows(.posts) { $0.cells.first?[1] == name }
                #expect(isSeen, "\(name)")
            }
            #expect(follower.view(.posts)?.cells.first?[3] == "yes")
            follower.end()
        }
    }

    @Test("lines of the log are shown as they are written, from the level that each session has chosen")
    func log() async throws {
        try await ConsolePlace.withConsole(["FixtureComponent"]) { options in
            options.logger.logLevel = .debug
        } _: { host, pages, _ in
            let session = try Session(id: "one")
            let followers = [
                try await PageFollower("console.log", pages),
                try await Session.with(session) { try await PageFollower("console.log", pages) },
            ]
            try await Session.with(session) {
                _ = try await pages.perform(.log, on: "console.log") { $0 == .call("choose", ["level": "debug"]) }
            }
            // It writes a line when it is loaded.
            _ = try await host.call("FixtureLink", "count")
            let isSeen = await followers[1].shows(.log) { view in
                view.cells.contains { $0[1...].elementsEqual(["debug", "FixtureComponent", "fixture starts"]) }
            }
            #expect(isSeen, "\(String(describing: followers[1].view(.log)?.cells))")
            let others = try await pages.view(.log, on: "console.log").cells
            #expect(others.allSatisfy { $0[1] != "debug" })
            for follower in followers { follower.end() }
        }
    }

    @Test("each session searches the log, and pauses it, on its own")
    func filters() async throws {
        try await ConsolePlace.withConsole { host, pages, _ in
            let session = try Session(id: "one")
            try await Session.with(session) {
                _ = try await pages.perform(.log, on: "console.log", ["text": "no such text"]) {
                    $0.selector == "search"
                }
                #expect(
                    await holds {
                        try await pages.view(.log, on: "console.log").texts.contains("No line contains this text.")
                    })
                _ = try await pages.perform(.log, on: "console.log") { $0.selector == "pause" }
                let isPaused = await holds {
                    try await pages.view(.log, on: "console.log").actions.contains { $0.selector == "resume" }
                }
                #expect(isPaused)
                _ = try await pages.perform(.log, on: "console.log", ["text": ""]) { $0.selector == "search" }
                #expect(await holds { try await pages.view(.log, on: "console.log").fields.first?.value == .null })
            }
            let other = try await pages.view(.log, on: "console.log")
            #expect(other.actions.contains { $0.selector == "pause" })
        }
    }

    @Test("each session chooses the method whose durations it sees")
    func histogram() async throws {
        try await ConsolePlace.withConsole(["CGood"]) { host, pages, _ in
            for _ in 0..<5 { _ = try await host.call("CGoodLink", "sum", ["a": 1, "b": 2], kind: .class) }
            let session = try Session(id: "one")
            try await Session.with(session) {
                try await pages.perform(.histogram, on: "console.counters", ["method": "+CGoodLink.sum"]) {
                    $0.selector == "choose"
                }
                // There are not enough methods for a button that shows all.
                _ = try await host.call("ConsoleCounters", "showAll")
                let view = try await pages.view(.histogram, on: "console.counters")
                #expect(view.fields.first?.value == "+CGoodLink.sum")
            }
        }
    }
}
