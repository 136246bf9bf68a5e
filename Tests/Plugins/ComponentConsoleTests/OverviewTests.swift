import ComponentHost
import ComponentKit
import HostContract
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentConsole

@Suite("The overview of a host", .enabled(if: ConsolePlace.hasPages))
struct OverviewTests {
    @Test("names components that failed, with the reason and what would recover them")
    func failed() async throws {
        try await ConsolePlace.withConsole(["NeedsMissing", "CreateFails", "CGood", "TextFile"]) { host, pages, _ in
            let rows = try await pages.view(.components).records
            let missing = try #require(rows.first { $0["Component"] == "NeedsMissing" })
            #expect(missing["State"] == "failed" && missing["Reason"]?.contains("NotThere") == true)
            #expect(missing["What to do"] == "add the component NotThere, then rescan")
            #expect(rows.first { $0["Component"] == "CGood" }?["State"] == "available")
            #expect(rows.first { $0["Component"] == "ComponentConsole" }?["State"] == "running")
            let files = try await pages.view(.unused).cells
            #expect(files.contains { $0[0].hasSuffix("/libTextFile.so") && $0[1] == "not elf" })
            let notes = try await pages.view(.summary).notes
            #expect(notes.allSatisfy { $0.style == .failure }, "\(notes)")
            #expect(notes.first?.text.hasPrefix("NeedsMissing has failed: ") == true)
            #expect(notes.contains { $0.text.hasPrefix("1 file is not used: libTextFile.so – ") })

            // A start that fails is seen without asking again.
            let follower = try await PageFollower("console", pages)
            await #expect(throws: LinkError.self) { try await host.call("CreateFailsLink", "run", kind: .class) }
            let isSeen = await follower.shows(.components) { view in
                view.records.contains {
                    $0["Component"] == "CreateFails" && $0["State"] == "failed"
                        && $0["Reason"]?.contains("licence") == true
                }
            }
            #expect(isSeen, "\(String(describing: follower.view(.components)?.cells))")
            let isNamed = await follower.shows(.summary) { view in
                view.notes.contains { $0.text.hasPrefix("CreateFails has failed: ") }
            }
            #expect(isNamed)
            follower.end()
        }
    }

    @Test("is quiet when nothing changes, and follows calls when they are made")
    func quiet() async throws {
        try await ConsolePlace.withConsole(["CGood"]) { host, pages, _ in
            let followers = try [
                await PageFollower("console", pages), await PageFollower("console.counters", pages),
                await PageFollower("console.CGood", pages),
            ]
            for follower in followers { #expect(await holds { follower.count > 0 }) }
            // Asked for, and not subscribed to: the calls of a handler would be news for the page with counters.
            let owner = try host.service(HostServiceClient.self)
            var last = followers.map(\.count)
            var number = try await owner.posts(after: nil).last?.number
            // Until everything has been shown, and then for ten looks.
            var start = ContinuousClock.now
            let isQuiet = await holds {
                let counts = followers.map(\.count)
                if counts != last {
                    start = .now
                    number = try await owner.posts(after: nil).last?.number
                }
                last = counts
                return start.duration(to: .now) > .seconds(2)
            }
            #expect(isQuiet, "\(last)")
            let posts = try await owner.posts(after: number).filter { $0.event == PageModuleChanged.eventName }
            #expect(posts.count < 20, "\(posts.count)")
            _ = try await host.call("CGoodLink", "sum", ["a": 1, "b": 2], kind: .class)
            let isSeen = await followers[2].shows(.componentCounters) {
                $0.cells.contains { $0[0] == "+CGoodLink.sum" && $0[1] == "1" }
            }
            #expect(isSeen)
            #expect(await followers[1].shows(.counters) { $0.cells.contains { $0[0] == "+CGoodLink.sum" } })
            for follower in followers { follower.end() }
        }
    }

    @Test("scans the directories again if that is allowed")
    func rescan() async throws {
        try await ConsolePlace.withConsole(options: ["changes": "true"]) { host, pages, plugins in
            let nothing = try await pages.perform(.components, on: "console") { $0.selector == "rescan" }
            #expect(nothing.value == "Nothing has changed.")
            try plugins.add("CGood")
            let changed = try await pages.perform(.components, on: "console") { $0.selector == "rescan" }
            #expect(try changed.value.string().hasPrefix("CGood: appeared, version 1.0.0"))
            #expect(await holds { try await pages.view(.components).cells.contains { $0[0] == "CGood" } })
        }
    }

    @Test("a component's page comes and goes with its file")
    func pages() async throws {
        try await ConsolePlace.withConsole { host, pages, plugins in
            func ids() async throws -> [String] { try await pages.pages().map(\.id) }
            let expected = [
                "console", "console.ComponentConsole", "console.ComponentPages", "console.counters", "console.events",
                "console.log", "console.routes", "console.times",
            ]
            #expect(try await ids().filter { $0 != "home" } == expected)
            let own = try await pages.pages().filter { $0.id.hasPrefix("console") }
            #expect(own.allSatisfy { $0.problems.isEmpty })
            await #expect(throws: PageError.self) { try await pages.page(id: "console.CGood", after: nil) }
            try plugins.add("CGood")
            host.rescan()
            #expect(await pages.have("console.CGood"))
            let page = try await pages.settled("console.CGood")
            #expect(page.title == "CGood" && page.frame != nil)
            #expect(page.sections.map(\.state) == Array(repeating: .shown, count: 4), "\(page.sections)")
            try plugins.delete("libCGood.so")
            host.rescan()
            #expect(await holds { try await !ids().contains("console.CGood") })
            await #expect(throws: PageError.self) { try await pages.page(id: "console.CGood", after: nil) }
        }
    }

    @Test("all pages of the console show something, whatever is missing in the host")
    func missing() async throws {
        try await ConsolePlace.withConsole(["FixtureComponent", "BadUtf8"]) { host, pages, _ in
            for page in try await pages.pages() where page.id.hasPrefix("console") {
                let page = try await pages.settled(page.id)
                #expect(!page.sections.isEmpty && page.frame?.state == .shown)
                for section in page.sections { #expect(section.state == .shown, "\(page.id): \(section)") }
            }
            #expect(try await pages.view(.times, on: "console.times").texts.first?.contains("--profile") == true)
            let frame = try await pages.settled("console").frame
            let leadsHome = frame?.view.actions.contains(.show(page: "home")) ?? false
            let hasHome = try await pages.pages().contains { $0.id == "home" }
            #expect(leadsHome == hasHome)
        }
    }

    @Test("the host's times are shown if it records them")
    func times() async throws {
        try await ConsolePlace.withConsole { options in
            options.recordsTimes = true
        } _: { _, pages, _ in
            let cells = try await pages.view(.times, on: "console.times").cells
            #expect(cells.contains { $0[0] == "ComponentConsole" && $0[1] == "start" }, "\(cells)")
        }
    }
}
