import ComponentHost
import ComponentKit
import Foundation
import PageKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Pages that a component has not named in time", .enabled(if: WebPlace.isComplete))
struct LatePageTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test("are there later and not missing, which a browser is told without the name of the component")
    func late() async throws {
        try place.write(page: "mine", #"{"module": "fixture.place"}"#)
        try await place.withWeb(others: ["FixtureComponent"], timeout: TestPatience.seconds(2)) { web in
            func hold(_ isHeld: Bool) async throws {
                _ = try await web.host.call("FixturePages", "hold", ["isHeld": .bool(isHeld)])
                await web.host.events.deliver(PageModuleChanged("FixtureComponent"))
            }
            func status(_ page: String) async throws -> Int { try await web.ask("GET", "/pages/\(page)").status }
            try await hold(true)
            let mine = try await web.ask("GET", "/pages/mine")
            #expect(mine.status == 200)
            let cookie = try #require(mine.cookie)
            for page in ["fixture", "none", "fixture/events"] {
                let answer = try await web.ask("GET", "/pages/\(page)", ["Cookie": cookie])
                #expect(answer.status == 503, "\(page)")
                #expect(answer.headers["retry-after"] == "30", "\(page)")
                #expect(!answer.text.contains("Fixture"), "\(page)")
            }
            try await hold(false)
            #expect(await holds { try await status("fixture") == 200 })
            #expect(await holds { try await status("none") == 404 })
        }
    }
}
