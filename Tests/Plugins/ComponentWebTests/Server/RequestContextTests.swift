import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

/// What `CallerContextTests` checks of calls, for requests of browsers and of programs.
///
/// A browser that goes away ends no section: the page is made for all browsers of its session. After the stop of the host
/// nobody can be asked whose session its sections and calls were ended in.
@Suite("The session of a request", .enabled(if: WebPlace.isComplete))
struct RequestContextTests {
    let place: WebPlace

    init() throws {
        place = try WebPlace()
        for selector in ["nowQuick", "hold", "thread"] {
            try place.write(page: selector, #"{"module": "fixture.whose", "data": {"selector": "\#(selector)"}}"#)
        }
    }

    @Test(
        "is that of its browser, whoever answers", arguments: ["person", "program", "thread", "deadline", "departure"])
    func context(answerer: String) async throws {
        let timeout = answerer == "deadline" ? TestPatience.seconds(2) : WebPlace.timeout
        try await place.withWeb(others: WebPlace.others + ["FixtureComponent"], timeout: timeout) { web in
            // Loads the component, which may take longer than the deadline.
            _ = try await web.host.call("WhoseLink", "now")
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
            if answerer == "departure" {
                let connection = try await send("GET /pages/hold/events", "Cookie: \(ada)", to: web)
                #expect(await holds { try await web.host.call("WhoseLink", "heldCount") == 1 })
                connection.leave()
            } else {
                // Once more if the deadline has passed before it was held.
                let isHeld = await holds {
                    _ = try await web.ask("GET", "/pages/hold", ["Cookie": ada])
                    return try await web.host.call("WhoseLink", "heldCount").int() > 0
                }
                #expect(isHeld)
            }
            guard answerer != "deadline" else {
                let id = try #require(ofAda?.components(separatedBy: ", then ").last)
                let isCancelled = await holds {
                    let cancelled = try await web.host.call("WhoseLink", "cancelled").items()
                    return !cancelled.isEmpty && cancelled.allSatisfy { $0 == .string(id) }
                }
                #expect(isCancelled)
                #expect(try await shown("thread", ada) == ofAda)
                return
            }
            let grace = answerer == "program" ? nil : try Session(id: "grace")
            let held = try await shown("hold", ada) {
                _ = try await Session.with(grace) { try await web.host.call("WhoseLink", "letGo") }
            }
            #expect(held == ofAda)
        }
    }

    @Test("of a program is nobody's, whoever ends its call", arguments: ["answer", "deadline", "departure"])
    func program(end: String) async throws {
        let token = TokenDigest.newToken()
        let options = #""programs": {"token": "\#(TokenDigest(of: token))", "classes": ["WhoseLink"]}"#
        try await place.withWeb(options, others: WebPlace.others + ["FixtureComponent"]) { web in
            _ = try await web.host.call("WhoseLink", "now")
            // A cookie lets no program into the session of a browser.
            let headers = ["Authorization": "Bearer \(token)", "Cookie": try await web.newCookie()]
            let lines = headers.map { "\($0): \($1)" }.joined(separator: "\r\n")
            func begin(_ seconds: Int) async throws -> RawConnection {
                try await send("POST /call/WhoseLink/suspend?timeout=\(seconds)", lines, to: web)
            }
            let isHeld = { try await web.host.call("WhoseLink", "heldCount").int() > 0 }
            var last = try await begin(end == "deadline" ? 1 : 300)
            if end == "deadline" {
                // It may pass before the method begins.
                for seconds in [4, 16, 64] {
                    if await holds(within: .seconds(seconds), isHeld) { break }
                    last = try await begin(seconds)
                }
            }
            let connection = last
            #expect(await holds(isHeld))
            switch end {
            case "answer":
                let grace = try Session(id: "grace")
                #expect(try await Session.with(grace) { try await web.host.call("WhoseLink", "letGo") } == 1)
                let answer = try #require(HTTPAnswer(try await onOwnThread { connection.readAll() }))
                #expect(try Payload(json: answer.text)["value"] == "nobody")
            case "departure": connection.leave()
            default: break
            }
            if end != "answer" {
                // The method, and what it waits for.
                let areCancelled = await holds {
                    let cancelled = try await web.host.call("WhoseLink", "cancelled").items()
                    return cancelled.count >= 2 && cancelled.allSatisfy { $0 == "nobody" }
                }
                #expect(areCancelled)
            }
            let next = try await web.ask("POST", "/call/WhoseLink/nowQuick", headers)
            #expect(try Payload(json: next.text)["value"] == "nobody")
        }
    }

    /// Sends a request without a body, and leaves the connection to the caller.
    private func send(_ request: String, _ headers: String, to web: WebHost) async throws -> RawConnection {
        let port = web.port
        return try await onOwnThread {
            let connection = try RawConnection(port: port)
            connection.send("\(request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)\r\n\r\n")
            return connection
        }
    }
}
