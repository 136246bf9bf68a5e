import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// What `CallerContextTests` checks of calls, for requests of browsers.
@Suite("The session of a request", .enabled(if: WebPlace.isComplete))
struct RequestContextTests {
    let place: WebPlace

    init() throws {
        place = try WebPlace()
        for selector in ["nowQuick", "hold", "thread"] {
            try place.write(page: selector, #"{"module": "fixture.whose", "data": {"selector": "\#(selector)"}}"#)
        }
    }

    @Test("is that of its browser, whoever answers", arguments: ["person", "program", "thread"])
    func context(answerer: String) async throws {
        try await place.withWeb(others: WebPlace.others + ["FixtureComponent"]) { web in
            let (ada, ben) = (try await web.newCookie(), try await web.newCookie())
            func whose(_ page: String, _ cookie: String) async throws -> String? {
                let text = try await web.ask("GET", "/pages/\(page)", ["Cookie": cookie]).text
                return text.firstMatch(of: #/[^>]+, then [^<]+/#).map { String($0.output) }
            }
            /// What a page shows once it is complete.
            func shown(
                _ page: String, _ cookie: String, meanwhile: () async throws -> Void = {}
            ) async throws -> String? {
                var shown: String?
                let isShown = await holds(within: .seconds(60)) {
                    try await meanwhile()
                    shown = try await whose(page, cookie)
                    return shown != nil
                }
                #expect(isShown)
                return shown
            }
            let (ofAda, ofBen) = (try await shown("nowQuick", ada), try await shown("nowQuick", ben))
            #expect(ofAda != ofBen)
            guard answerer != "thread" else {
                #expect(try await shown("thread", ada) == ofAda)
                return
            }
            // Begins to make the section.
            _ = try await web.ask("GET", "/pages/hold", ["Cookie": ada])
            #expect(await holds { try await web.host.call("WhoseLink", "heldCount") == 1 })
            let grace = answerer == "person" ? try Session(id: "grace") : nil
            let held = try await shown("hold", ada) {
                _ = try await Session.with(grace) { try await web.host.call("WhoseLink", "letGo") }
            }
            #expect(held == ofAda)
        }
    }
}
