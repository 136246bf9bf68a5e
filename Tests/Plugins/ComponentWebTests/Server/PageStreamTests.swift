import ComponentHost
import ComponentKit
import Foundation
import PageKit
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Pages in browsers follow what changes", .enabled(if: WebPlace.isComplete))
struct PageStreamTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// Opens the stream of a page and reads until a text comes, or the stream ends.
    ///
    /// - Parameter opened: receives an element once the stream follows the page.
    private func read(
        _ web: WebHost, _ path: String, cookie: String, until text: String, _ headers: String = "",
        opened: AsyncStream<Void>.Continuation? = nil
    ) async throws -> String {
        let port = web.port
        defer { opened?.finish() }
        return try await onOwnThread {
            let connection = try RawConnection(port: port, patience: 120)
            connection.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\(headers)\r\n")
            let bytes = connection.readAll { bytes in
                let read = String(decoding: bytes, as: UTF8.self)
                // The first line of a stream.
                if read.contains("retry:") { opened?.yield() }
                return read.contains(text)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func revision(_ web: WebHost, _ page: String, cookie: String) async throws -> Int {
        let shown = try await web.ask("GET", "/pages/\(page)", ["Cookie": cookie])
        return try #require(Int(shown.between("data-revision=\"", "\"") ?? ""))
    }

    @Test("what one browser deletes goes in another one, as a patch with that row only")
    func deleting() async throws {
        try await place.withWeb { web in
            // Both are of one person: guests have nothing in common.
            let person = ["name": "Ada", "password": "correct horse"]
            var cookies: [String] = []
            for action in ["signUp", "signIn"] {
                let cookie = try await web.newCookie()
                let answer = try await web.perform(
                    "account", "account.entry", actionWith: action, person, cookie: cookie)
                cookies.append(try #require(answer.cookie, "\(answer.text.prefix(2000))"))
            }
            let (first, second) = (cookies[0], cookies[1])
            for city in ["Delft", "Turin"] {
                let answer = try await web.perform(
                    "owner", "addresses", actionWith: "addAddress",
                    ["label": "Home", "street": "Street 1", "city": city, "country": "X", "postalCode": "1"],
                    cookie: first)
                #expect(answer.status == 303, "\(answer.text.prefix(2000))")
            }
            let known = try await revision(web, "owner", cookie: second)
            let (opened, open) = AsyncStream.makeStream(of: Void.self)
            async let stream = read(
                web, "/pages/owner/events?after=\(known)", cookie: second, until: "\"remove\"", opened: open)
            for await _ in opened { break }
            let deleted = try await web.perform("owner", "addresses", actionWith: "deleteAddress", cookie: first)
            #expect(deleted.status == 303)
            let text = try await stream
            #expect(
                text.contains("content-type: text/event-stream") || text.contains("Content-Type: text/event-stream"))
            #expect(text.contains("\"remove\""), "\(text)")
            // The page may have been sent as a whole before, if it changed after it was shown, and other sections of it
            // may change in the same moment.
            let patch = try #require(text.components(separatedBy: "data: {").first { $0.contains("\"remove\"") })
            #expect(!patch.contains("Turin"), "\(patch)")
        }
    }

    @Test("where a reader is becomes an event, if the page shows that section and tab")
    func happened() async throws {
        try place.write(page: "read", #"{"module": "owner.card"}"#)
        try await place.withWeb { web in
            let (reader, other) = (try await web.newCookie(), try await web.newCookie())
            let posted = Lock<[String]>([])
            web.host.events.on(PageEvent.self) { event in
                guard event.kind == .scrolledTo || event.kind == .switched else { return }
                let session = Session.current == nil ? "no session" : "a session"
                posted.withLock { $0.append("\(event.kind.rawValue) \(event.section ?? "") in \(session)") }
            }
            func tell(_ kind: String, _ section: String, cookie: String, token: String? = nil) async throws -> Int {
                var known = token
                if known == nil { known = try await web.ask("GET", "/pages/home", ["Cookie": cookie]).token }
                let form = ["token": known ?? "", "kind": kind, "section": section, "name": "none"]
                let path = "/pages/read/happened"
                return try await web.ask("POST", path, ["Cookie": cookie], body: form.urlEncoded).status
            }
            _ = try await read(web, "/pages/read/events?after=1", cookie: reader, until: "owner.card")
            for (kind, section, status) in [
                ("scrolledTo", "owner.cards", 204), ("switched", "owner.card", 204), ("appeared", "owner.card", 204),
                ("other", "owner.card", 400), ("scrolledTo", "owner.card", 204),
            ] {
                let answer = try await tell(kind, section, cookie: reader)
                #expect(answer == status, "\(kind) \(section)")
            }
            // The other browser does not show the page.
            let elsewhere = try await tell("scrolledTo", "owner.card", cookie: other)
            let forged = try await tell("scrolledTo", "owner.card", cookie: reader, token: "x")
            #expect(elsewhere == 204 && forged == 403)
            #expect(await holds { posted.withLock { $0 } == ["scrolledTo owner.card in a session"] })
        }
    }

    @Test("what a browser says that a reader has done is taken only if the page shows it")
    func told() {
        let section = WebSamples.section("s", Stack { Tabs { Tab("One") { Text("1") } } })
        let page = WebSamples.page([section, WebSamples.section("t", Text("x"))])
        func told(_ kind: PageEventKind, _ section: String, _ tab: String? = nil) -> PageEvent? {
            PageEvent.told(kind, section: section, tab: tab, on: page)
        }
        #expect(told(.scrolledTo, "t") == PageEvent(.scrolledTo, page: "home", section: "t"))
        #expect(told(.switched, "s", "One") == PageEvent(.switched, page: "home", section: "s", name: "One"))
        #expect(told(.switched, "s", "Two") == nil && told(.switched, "s") == nil && told(.switched, "t", "One") == nil)
        #expect(told(.scrolledTo, "u") == nil)
        for kind in PageEventKind.allCases where kind != .scrolledTo && kind != .switched {
            #expect(told(kind, "s", "One") == nil)
        }
    }

    @Test("a browser that knows an older revision receives the page, and one that knows the last one nothing")
    func resuming() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            #expect(
                try await read(web, "/pages/home/events?after=1", cookie: cookie, until: "Welcome, guest")
                    .contains("\"page\""))
            // The page may still change while its modules answer for the first time.
            let isQuiet = await holds {
                let text = try await read(web, "/pages/home/events?after=1", cookie: cookie, until: "\"page\"")
                let id = try #require(
                    text.components(separatedBy: "id: ").dropFirst().last?.split(separator: "\n").first)
                // What a browser has missed comes before the first sign of life. Silence is no end to wait for: a sign
                // comes every ten seconds, and the limits of waits are longer on slow machines.
                let sign = ":\n\n"
                let answer = try await read(
                    web, "/pages/home/events", cookie: cookie, until: sign, "Last-Event-ID: \(id)\r\n")
                return answer.contains(sign) && !answer.contains("data: {")
            }
            #expect(isQuiet)
        }
    }

    @Test("a component that is taken out is gone from the page, and comes back with its file")
    func components() async throws {
        try await place.withWeb(movable: ["ComponentOwner"]) { web in
            let cookie = try await web.newCookie()
            let known = try await revision(web, "home", cookie: cookie)
            let (opened, open) = AsyncStream.makeStream(of: Void.self)
            async let gone = read(
                web, "/pages/home/events?after=\(known)", cookie: cookie, until: "data: {", opened: open)
            for await _ in opened { break }
            let (file, away) = (web.plugins.file("libComponentOwner.so"), place.directory.path(of: "away.so"))
            try FileManager.default.moveItem(atPath: file, toPath: away)
            web.host.rescan()
            #expect(try await gone.contains("data: {"))
            #expect(
                await holds {
                    try await !web.ask("GET", "/pages/home", ["Cookie": cookie]).text.contains("section-addresses")
                })
            try FileManager.default.moveItem(atPath: away, toPath: file)
            web.host.rescan()
            #expect(
                await holds {
                    try await web.ask("GET", "/pages/home", ["Cookie": cookie]).text.contains("section-addresses")
                })
        }
    }

    @Test("more streams than allowed are refused in order, and there is room again when others end")
    func limit() async throws {
        try await place.withWeb(#""maximumStreams": 3"#) { web in
            let cookie = try await web.newCookie()
            let port = web.port
            let statuses = try await onOwnThread {
                var open: [RawConnection] = []
                var statuses: [Int] = []
                for _ in 0..<5 {
                    let connection = try RawConnection(port: port)
                    connection.send("GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                    let head = connection.readAll { $0.firstRange(of: Array("\r\n\r\n".utf8)) != nil }
                    statuses.append(HTTPAnswer(head)?.status ?? 0)
                    // Those that are refused take no room from others: the server ends the connection.
                    if statuses.last == 503 { _ = connection.readAll() } else { open.append(connection) }
                }
                for accepted in ["text/event-stream", "application/json"] {
                    let refused = try RawConnection(port: port)
                    refused.send(
                        "GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n"
                            + "Accept: \(accepted)\r\n\r\n")
                    let answer = HTTPAnswer(refused.readAll())
                    #expect(answer?.headers["content-type"] == "application/json")
                    #expect(answer?.text.contains(#""code":"tooManyPages""#) == true, "\(answer?.text ?? "")")
                    #expect(answer?.headers["retry-after"] == "10")
                }
                return statuses
            }
            #expect(statuses == [200, 200, 200, 503, 503])
            #expect(
                await holds {
                    try await read(web, "/pages/home/events?after=1", cookie: cookie, until: "\"page\"").contains("200")
                })
        }
    }

    @Test("of a session, only so many: another one still has room")
    func limitOfSession() async throws {
        try await place.withWeb(#""streamsPerSession": 2"#) { web in
            let (greedy, other) = (try await web.newCookie(), try await web.newCookie())
            let port = web.port
            let statuses = try await onOwnThread {
                var open: [RawConnection] = []
                return try [greedy, greedy, greedy, other].map { cookie in
                    open.append(try RawConnection(port: port))
                    open.last?.send("GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                    let head = open.last?.readAll { $0.firstRange(of: Array("\r\n\r\n".utf8)) != nil }
                    return head.flatMap { HTTPAnswer($0)?.status } ?? 0
                }
            }
            #expect(statuses == [200, 200, 503, 200])
        }
    }

    @Test("a stream without a session is refused, with a cookie to come back with; asking why opens none")
    func withoutSession() async throws {
        try await place.withWeb(#""maximumStreams": 1"#) { web in
            let first = try await web.ask("GET", "/pages/home/events")
            #expect(first.status == 403 && first.text.contains(#""code":"noSession""#), "\(first.text)")
            let cookie = try #require(first.cookie)
            for _ in 0..<3 {
                let json = ["Cookie": cookie, "Accept": "application/json"]
                let why = try await web.ask("GET", "/pages/home/events", json)
                #expect(why.status == 204)
            }
            let text = try await read(web, "/pages/home/events?after=1", cookie: cookie, until: "\"page\"")
            #expect(text.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("HEAD and pages that do not exist take no room from others")
    func noRoom() async throws {
        try await place.withWeb(#""maximumStreams": 3"#) { web in
            let (greedy, other) = (try await web.newCookie(), try await web.newCookie())
            for _ in 0..<6 {
                #expect(try await web.ask("HEAD", "/pages/home/events", ["Cookie": greedy]).status == 405)
            }
            // On a busy machine, a component may not have said yet which pages it brings along.
            #expect(await holds { try await web.ask("GET", "/pages/none", ["Cookie": greedy]).status == 404 })
            for number in 0..<200 {
                let (page, headers) = ("/pages/none\(number)", ["Cookie": greedy])
                #expect(try await web.ask("GET", page, headers).status == 404)
                if number < 20 { #expect(try await web.ask("GET", "\(page)/events", headers).status == 404) }
            }
            for cookie in [greedy, other] {
                let text = try await read(web, "/pages/home/events?after=1", cookie: cookie, until: "\"page\"")
                #expect(text.hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test("open streams do not hold up the host when it stops")
    func stop() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            let port = web.port
            let connections = try await onOwnThread {
                try (0..<5).map { _ in
                    let connection = try RawConnection(port: port)
                    connection.send("GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                    _ = connection.readAll { String(decoding: $0, as: UTF8.self).contains("retry:") }
                    return connection
                }
            }
            let report = await web.host.stop()
            #expect(report == StopReport())
            // Each has an end: nothing more to read is not the same as nothing for a while.
            let isOver = try await onOwnThread {
                connections.map { connection in
                    var part = connection.read()
                    while part?.isEmpty == false { part = connection.read() }
                    return part != nil
                }
            }
            #expect(isOver == [Bool](repeating: true, count: 5))
        }
    }
}
