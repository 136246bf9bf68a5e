import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import PageKit
import TestSupport
import Testing

@testable import ComponentPages

@Suite("Components that bring pages along")
struct PageSourceTests {
    private static let shown = ["fixture.place shown: fixture.place on fixture: -"]

    /// Keeps those waiting who ask the component for its pages, or lets them go.
    private func hold(_ isHeld: Bool, _ host: LinkHost) async throws {
        _ = try await host.call("FixturePages", "hold", ["isHeld": .bool(isHeld)])
    }

    /// How often the component has been asked for its pages.
    private func questions(_ host: LinkHost) async throws -> Int {
        try await host.call("FixturePages", "questions").int()
    }

    /// How many callers wait for ComponentPages.
    private func callers(_ host: LinkHost) -> Int {
        host.components.first { $0.name == "ComponentPages" }?.callsInFlight ?? 0
    }

    private func error(of id: String, _ pages: PageServiceClient) async -> PageError? {
        do {
            _ = try await pages.page(id: id, after: nil)
            return nil
        } catch {
            return error as? PageError
        }
    }

    @Test("are asked once for all who want their pages, and once more if they change meanwhile")
    func shared() async throws {
        let place = try PagePlace()
        try await place.withPages(.file, ["FixtureComponent"]) { host, pages, _ in
            try await hold(true, host)
            let ids = (0..<5).map { "missing-\($0)" }
            func ask() -> [Task<PageError?, Never>] { ids.map { id in Task { await error(of: id, pages) } } }
            var tasks = ask()
            #expect(await holds { try await questions(host) > 0 })
            #expect(await holds { callers(host) >= 5 })
            await host.events.deliver(PageModuleChanged("FixtureComponent"))
            tasks += ask()
            #expect(await holds { callers(host) >= 10 })
            #expect(try await questions(host) == 1)
            try await hold(false, host)
            for (task, id) in zip(tasks, ids + ids) {
                #expect(await task.value == .unknownPage(id: id, similar: nil))
            }
            #expect(try await questions(host) == 2)
        }
    }

    @Test("have their pages although the first who asked for them has gone")
    func cancelled() async throws {
        let place = try PagePlace()
        try await place.withPages(.file, ["FixtureComponent"]) { host, pages, _ in
            try await hold(true, host)
            let caller = Task { try await pages.pages() }
            #expect(await holds { try await questions(host) == 1 })
            caller.cancel()
            _ = await caller.result
            try await hold(false, host)
            #expect(try await pages.settled("fixture").summaries == PageSourceTests.shown)
        }
    }

    @Test("may have any page while too many of their methods hang")
    func stuck() async throws {
        let place = try PagePlace()
        try await place.withPages(.file, ["FixtureComponent"], stuckLimit: 2) { host, pages, _ in
            let arrivals = Lock(0)
            let gate = DispatchSemaphore(value: 0)
            let closure = host.link.closure { _ in
                arrivals.withLock { $0 += 1 }
                gate.wait()
                return "passed"
            }
            for count in 1...2 {
                let task = Task { try await host.call("FixtureLink", "apply", ["closure": closure]) }
                #expect(await holds { arrivals.withLock { $0 } == count })
                task.cancel()
                _ = await task.result
            }
            let isStuck = await holds {
                do throws(LinkError) {
                    _ = try await host.call("FixtureLink", "nothing")
                    return false
                } catch {
                    return error.code == .stuck
                }
            }
            #expect(isStuck)
            #expect(await error(of: "missing", pages) == .notYetKnown(id: "missing"))
            for _ in 1...2 { gate.signal() }
        }
    }

    @Test("and do not answer leave their pages as they were, which are not asked again for each caller")
    func late() async throws {
        let place = try PagePlace()
        let timeout = Double(TestPatience.seconds(2))
        try await place.withPages(.file, ["FixtureComponent"], timeout: timeout) { host, pages, _ in
            var counters: CallCounters? {
                host.counters.first { $0.className == "PageLink" && $0.selector == "place" }?.counters
            }
            // Loads the component, which may take longer than the timeout.
            try await hold(false, host)
            #expect(await pages.shows("fixture", PageSourceTests.shown))
            try await hold(true, host)
            await host.events.deliver(PageModuleChanged("FixtureComponent"))
            let isLate = await holds { await error(of: "missing", pages) == .notYetKnown(id: "missing") }
            #expect(isLate)
            #expect(try await pages.page(id: "fixture", after: nil).summaries == PageSourceTests.shown)
            // The page does not count as changed since it was last asked.
            let isLeft = await holds(within: .seconds(20)) {
                let calls = counters?.calls
                await #expect(throws: PageError.actionNotOffered(page: "fixture", section: "fixture.place")) {
                    try await pages.perform(
                        page: "fixture", section: "fixture.place", action: .refresh(), values: [:])
                }
                return counters?.inFlight == 0 && counters?.calls == calls
            }
            #expect(isLeft)
        }
    }

    @Test("and do not answer are left alone for longer each time")
    func rests() {
        var rests: [Duration] = []
        for _ in 0..<7 { rests.append(PageLibrary.nextRest(after: rests.last)) }
        #expect(rests == [30, 60, 120, 240, 480, 600, 600].map { Duration.seconds($0) })
    }
}
