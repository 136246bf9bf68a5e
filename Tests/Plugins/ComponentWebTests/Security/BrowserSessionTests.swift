import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Sessions of browsers", .enabled(if: WebPlace.isComplete))
struct BrowserSessionTests {
    let place: WebPlace

    private static let ada = ["name": "Ada", "password": "correct horse"]
    private static let json = ["Accept": "application/json"]

    init() throws { place = try WebPlace() }

    private func greets(_ name: String, on web: WebHost, cookie: String) async -> Bool {
        await holds {
            try await web.ask("GET", "/pages/home", ["Cookie": cookie]).between("Welcome, ", "<") == name
        }
    }

    /// Adds an address by the form on the page of the owner.
    private func addAddress(_ label: String, on web: WebHost, cookie: String) async throws {
        let fields = ["label": label, "street": "1", "city": "Delft"]
        let added = try await web.perform(
            "owner", "addresses", actionWith: "addAddress", fields, cookie: cookie, Self.json)
        #expect(added.status == 200, "\(added.text)")
    }

    private func shows(_ label: String, on web: WebHost, cookie: String) async throws -> Bool {
        try await web.ask("GET", "/pages/owner", ["Cookie": cookie]).text.contains(label)
    }

    @Test("have a new id after a sign-in or a sign-out, and the former one opens nothing")
    func fixation() async throws {
        try await place.withWeb { web in
            // An attacker has got this cookie, and made the browser of somebody else use it.
            let planted = try await web.newCookie()
            #expect(await greets("guest", on: web, cookie: planted))
            let signedUp = try await web.perform(
                "account", "account.entry", actionWith: "signUp", Self.ada, cookie: planted, Self.json)
            #expect(signedUp.status == 200 && signedUp.text.contains(#""url":"/pages/account""#), "\(signedUp.text)")
            let own = try #require(signedUp.cookie)
            #expect(own != planted)
            #expect(await greets("Ada", on: web, cookie: own))
            #expect(await greets("guest", on: web, cookie: planted))
            // Without scripts as well, and what is open to the attacker does not become Ada's later.
            let out = try await web.perform("home", "account.card", actionWith: "signOut", cookie: own)
            let after = try #require(out.cookie)
            #expect(out.status == 303 && after != own)
            for cookie in [planted, own, after] { #expect(await greets("guest", on: web, cookie: cookie)) }
            let wrong = ["name": "Ada", "password": "wrong horse"]
            let refused = try await web.perform(
                "account", "account.entry", actionWith: "signIn", wrong, cookie: after, Self.json)
            #expect(refused.status == 422 && refused.cookie == nil)
            // A form of the former session is of no use in the new one.
            let token = try #require(try await web.ask("GET", "/pages/home", ["Cookie": own]).token)
            let form = ["token": token, "section": "account.card", "action": "{}"]
            let old = try await web.ask(
                "POST", "/pages/home/perform", Self.json.merging(["Cookie": after]) { $1 }, body: form.urlEncoded)
            #expect(old.status == 403 && old.text.contains(#""cause":"session""#), "\(old.text)")
            let none = try await web.ask("POST", "/pages/home/perform", Self.json, body: form.urlEncoded)
            #expect(none.status == 403 && none.text.contains(#""cause":"cookies""#), "\(none.text)")
        }
    }

    @Test("lead back to the page from which somebody went to sign in")
    func leadingBack() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            let link = "/pages/sign-in?from=home"
            #expect(
                await holds { try await web.ask("GET", "/pages/home", ["Cookie": cookie]).text.contains(link) })
            let signedUp = try await web.perform(
                "sign-in%3Ffrom%3Dhome", "account.entry", actionWith: "signUp", Self.ada, cookie: cookie)
            #expect(signedUp.status == 303 && signedUp.headers["location"] == "/pages/home")
            // Only pages of this host, whatever the address says.
            #expect(WebPlaces.page("//evil.example")?.text.hasPrefix("/pages/") != false)
        }
    }

    @Test("do not come back with what another window has asked for before: its answer does not set their cookie")
    func late() async throws {
        try await place.withWeb { web in
            let path = place.directory.path(of: "data/ComponentWeb/secret")
            let keys = SessionKeys(secret: [UInt8](try Data(contentsOf: URL(filePath: path))), password: nil)
            let id = keys.new(isTrusted: false, now: 0).id
            // So old that each answer sets it anew.
            let issued = Int(Date.now.timeIntervalSince1970) - SessionKeys.lifetime / 2
            let old = WebSession(id: id, isTrusted: false, issuedAt: issued)
            let cookie = "hslink-\(web.port)=\(keys.cookie(of: old))"
            #expect(try await web.ask("GET", "/pages/home", ["Cookie": cookie]).cookie != nil)
            let signedUp = try await web.perform(
                "account", "account.entry", actionWith: "signUp", Self.ada, cookie: cookie, Self.json)
            #expect(signedUp.cookie != nil)
            #expect(try await web.ask("GET", "/pages/home", ["Cookie": cookie]).cookie == nil)
        }
    }

    @Test("have guests of their own, whose data follows them through a sign-in")
    func guests() async throws {
        try await place.withWeb { web in
            let (mine, other) = (try await web.newCookie(), try await web.newCookie())
            try await addAddress("Cottage", on: web, cookie: mine)
            #expect(await holds { try await shows("Cottage", on: web, cookie: mine) })
            #expect(try await !shows("Cottage", on: web, cookie: other))
            let signedUp = try await web.perform(
                "account", "account.entry", actionWith: "signUp", Self.ada, cookie: mine, Self.json)
            let own = try #require(signedUp.cookie)
            #expect(await greets("Ada", on: web, cookie: own))
            // Neither Ada nor whoever has the former cookie.
            for cookie in [own, mine, other] { #expect(try await !shows("Cottage", on: web, cookie: cookie)) }
            let out = try await web.perform("home", "account.card", actionWith: "signOut", cookie: own)
            let after = try #require(out.cookie)
            #expect(await holds { try await shows("Cottage", on: web, cookie: after) })
        }
    }

    /// Follows a page until the stream ends, or a text comes.
    private func follow(
        _ web: WebHost, _ page: String, cookie: String, until text: String,
        opened: AsyncStream<Void>.Continuation
    ) async throws -> String {
        defer { opened.finish() }
        return try await onOwnThread { [port = web.port] in
            let connection = try RawConnection(port: port, patience: 120)
            connection.send("GET /pages/\(page)/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
            let bytes = connection.readAll { bytes in
                let read = String(decoding: bytes, as: UTF8.self)
                if read.contains("data: ") { opened.yield() }
                return read.contains(text)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("end what they have open: when a user signs out, and when somebody signs out of the host")
    func streams() async throws {
        let hash = try PasswordDigest(of: "correct horse").description
        for password in [nil, hash] {
            try await place.withWeb(password.map { #""password": "\#($0)""# } ?? "") { web in
                let cookie = try await password == nil ? web.newCookie() : web.trustedCookie("correct horse")
                let (openings, opened) = AsyncStream.makeStream(of: Void.self)
                async let followed = follow(web, "home", cookie: cookie, until: "event: gone", opened: opened)
                for await _ in openings { break }
                if password == nil {
                    let signedUp = try await web.perform(
                        "account", "account.entry", actionWith: "signUp", Self.ada, cookie: cookie, Self.json)
                    #expect(signedUp.status == 200, "\(signedUp.text)")
                } else {
                    let token = try #require(try await web.ask("GET", "/pages/home", ["Cookie": cookie]).token)
                    let out = try await web.ask(
                        "POST", "/sign-out", ["Cookie": cookie], body: ["token": token].urlEncoded)
                    #expect(out.status == 303)
                }
                #expect(try await followed.contains("event: gone"))
            }
        }
    }

    @Test("stay ended when the host starts again, and the others go on")
    func restart() async throws {
        let options = #""password": "\#(try PasswordDigest(of: "correct horse").description)""#
        let (ended, kept) = try await place.withWeb(options) { web in
            let (first, second) = (
                try await web.trustedCookie("correct horse"), try await web.trustedCookie("correct horse")
            )
            let token = try #require(try await web.ask("GET", "/pages/home", ["Cookie": first]).token)
            let out = try await web.ask("POST", "/sign-out", ["Cookie": first], body: ["token": token].urlEncoded)
            #expect(out.status == 303)
            let late = try await web.ask("GET", "/pages/home", ["Cookie": first])
            // It could replace the cookie that the sign-out has set.
            #expect(late.status == 401 && late.cookie == nil)
            let asked = try await web.ask(
                "POST", "/pages/home/perform", Self.json.merging(["Cookie": first]) { $1 }, body: "token=x")
            #expect(asked.status == 401 && asked.text.contains(#""cause":"signIn""#), "\(asked.text)")
            return (first, second)
        }
        func value(_ cookie: String) throws -> String { String(try #require(cookie.split(separator: "=").last)) }
        try await place.withWeb(options) { web in
            // The port is another one, and so is the name.
            for (cookie, status) in [(ended, 401), (kept, 200)] {
                let header = "hslink-\(web.port)=\(try value(cookie))"
                #expect(try await web.ask("GET", "/pages/home", ["Cookie": header]).status == status)
            }
        }
    }

    @Test("alone can ask for the films that their pages have shown")
    func films() async throws {
        let folder = place.directory.path(of: "data/ComponentVideo/films")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: place.directory.path(of: "data/ComponentVideo"))
        let sample = BuiltProducts.packageDirectory.appending(path: "Tests/Samples/clip.mp4").path
        try FileManager.default.copyItem(atPath: sample, toPath: "\(folder)/clip.mp4")
        try place.write(page: "film", #"{"module": "video.player", "data": {"path": "clip.mp4"}}"#)
        try await place.withWeb { web in
            let (mine, other) = (try await web.newCookie(), try await web.newCookie())
            func film(_ cookie: String) async throws -> String {
                var path: String?
                _ = await holds {
                    path = try await web.ask("GET", "/pages/film", ["Cookie": cookie]).between("/media/", "\"")
                    return path != nil
                }
                return "/media/" + (try #require(path))
            }
            let path = try await film(mine)
            #expect(try await film(other) != path)
            let head = ["Range": "bytes=0-0"]
            for (cookie, status) in [(mine, 206), (other, 404), (nil, 404)] {
                var headers = head
                headers["Cookie"] = cookie
                #expect(try await web.ask("GET", path, headers).status == status)
            }
            // The film of a page that is kept as well: it has the URL of its own session.
            #expect(try await film(mine) == path)
        }
    }
}

extension WebHost {
    /// Returns the cookie of a browser in which the password of the host was given.
    fileprivate func trustedCookie(_ password: String) async throws -> String {
        let first = try await ask("GET", "/pages/home")
        let form = ["token": try #require(first.token), "secret": password, "next": "/pages/home"]
        let answer = try await ask(
            "POST", "/sign-in", ["Cookie": try #require(first.cookie)], body: form.urlEncoded)
        #expect(answer.status == 303)
        return try #require(answer.cookie)
    }
}
