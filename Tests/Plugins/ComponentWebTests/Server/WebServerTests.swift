import ComponentHost
import ComponentKit
import Foundation
import Logging
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Pages are shown to browsers", .enabled(if: WebPlace.isComplete))
struct WebServerTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    private static let ada = ["name": "Ada", "password": "correct horse"]

    @Test("with what keeps a browser from doing harm, and a cookie that scripts cannot read")
    func headers() async throws {
        try await place.withWeb(#""embeddedOrigins": ["https://Maps.example", "http://a.example:8080"]"#) { web in
            let first = try await web.ask("GET", "/")
            #expect(first.status == 303)
            #expect(first.headers["location"] == "/pages/home")
            for path in ["/pages/home", "/pages/nothing", "/", "/resources/ComponentWeb/web/page.css", "/a//b"] {
                let answer = try await web.ask("GET", path)
                let policy = answer.headers["content-security-policy"] ?? ""
                #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"), "\(path)")
                #expect(!policy.contains("unsafe") && !policy.contains("*"), "\(path)")
                #expect(policy.hasSuffix("; frame-src https://maps.example http://a.example:8080"), "\(path)")
                #expect(answer.headers["x-content-type-options"] == "nosniff", "\(path)")
                #expect(answer.headers["x-frame-options"] == "DENY", "\(path)")
                #expect(answer.headers["server"] == nil, "\(path)")
            }
            let page = try await web.ask("GET", "/pages/home")
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.headers["cache-control"] == "no-store")
            let cookie = try #require(page.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Path=/;"))
            let again = try await web.ask("GET", "/pages/home", ["Cookie": try #require(page.cookie)])
            #expect(again.headers["set-cookie"] == nil)
            #expect(again.token == page.token)
            #expect(try await web.ask("GET", "/pages/home").token != page.token)
        }
    }

    @Test("and HEAD answers the same without the document")
    func head() async throws {
        try await place.withWeb { web in
            let answer = try await web.ask("HEAD", "/pages/home")
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
            #expect(Int(answer.headers["content-length"] ?? "") ?? 0 > 1000)
        }
    }

    @Test("but not by names that an attacker may have pointed here, nor for pages of others")
    func guarding() async throws {
        try await place.withWeb(#""hosts": ["studio.example"]"#) { web in
            for (name, status) in [
                ("localhost:\(web.port)", 200), ("127.0.0.1:\(web.port)", 200), ("[::1]:1", 200), ("localhost", 200),
                ("studio.example", 200), ("STUDIO.example:443", 200), ("evil.example", 421),
                ("localhost.evil.example", 421), ("evil.example:\(web.port)", 421), ("a b", 421), ("x@localhost", 421),
            ] {
                let answer = try await web.ask("GET", "/pages/home", host: name)
                #expect([status, 400].contains(answer.status) && (status != 200 || answer.status == 200), "\(name)")
                if status != 200 { #expect(answer.token == nil, "\(name)") }
            }
            let cookie = try await web.newCookie()
            let own = "http://localhost:\(web.port)"
            let body = ["token": "x", "section": "a", "action": "{}"].urlEncoded
            for (headers, status) in [
                (["Origin": own], 403), (["Origin": "null"], 403), (["Origin": "http://evil.example"], 403),
                (["Origin": "https://localhost:\(web.port)"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
                (["Sec-Fetch-Site": "same-site"], 403),
            ] {
                var headers = headers
                headers["Cookie"] = cookie
                let answer = try await web.ask("POST", "/pages/home/perform", headers, body: body)
                #expect(answer.status == status, "\(headers)")
                let isOwn = headers["Origin"] == own
                #expect(answer.text.contains("This form has expired") == isOwn, "\(headers)")
            }
            // Others may link to a page, and not include it.
            let linked = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
            #expect(try await web.ask("GET", "/pages/home", linked).status == 200)
            let included = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]
            #expect(try await web.ask("GET", "/pages/home", included).status == 403)
            for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "BREW"] {
                let answer = try? await web.ask(method, "/pages/home")
                #expect([400, 405, 501, nil].contains(answer?.status), "\(method): \(answer?.status ?? 0)")
            }
        }
    }

    @Test("and an action without the token of the session does nothing")
    func token() async throws {
        try await place.withWeb { web in
            let (mine, other) = (try await web.newCookie(), try await web.newCookie())
            let shown = try await web.ask("GET", "/pages/account", ["Cookie": mine])
            let foreign = try #require(try await web.ask("GET", "/pages/account", ["Cookie": other]).token)
            let action = try await web.action(with: "signUp", on: "account", cookie: mine)
            for token in ["", "x", foreign, String(repeating: "a", count: 10_000)] {
                let form = [
                    "token": token, "section": "account.entry", "action": action, "field.name": "Ada",
                    "field.password": "correct horse",
                ]
                let answer = try await web.ask(
                    "POST", "/pages/account/perform", ["Cookie": mine], body: form.urlEncoded)
                #expect(answer.status == 403)
            }
            // Without a cookie there is no token at all.
            let form = ["token": try #require(shown.token), "section": "account.entry", "action": action]
            #expect(try await web.ask("POST", "/pages/account/perform", body: form.urlEncoded).status == 403)
            let signIn = try await web.perform(
                "account", "account.entry", actionWith: "signIn", Self.ada, cookie: mine,
                ["Accept": "application/json"])
            #expect(signIn.status == 422)
        }
    }

    @Test("forms without scripts: what is wrong stands at its field, and what was typed is still there")
    func forms() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            let short = try await web.perform(
                "account", "account.entry", actionWith: "signUp", ["name": "Ada <b>", "password": "short"],
                cookie: cookie)
            #expect(short.status == 422)
            #expect(short.text.contains(#"value="Ada &lt;b&gt;""#) || short.text.contains("Ada &lt;b"))
            #expect(short.text.contains(#"aria-invalid="true""#))
            #expect(!short.text.contains(#"value="short""#))
            let done = try await web.perform(
                "account", "account.entry", actionWith: "signUp", Self.ada, cookie: cookie)
            #expect(done.status == 303)
            #expect(done.headers["location"] == "/pages/account")
            let signedIn = try #require(done.cookie)
            #expect(
                await holds {
                    try await web.ask("GET", "/pages/account", ["Cookie": signedIn]).text.contains("Welcome, Ada")
                })
        }
    }

    @Test("each browser signs in for itself")
    func sessions() async throws {
        try await place.withWeb { web in
            let nobody = try await web.newCookie()
            var cookies: [String] = []
            for name in ["Ada", "Ben"] {
                let cookie = try await web.newCookie()
                let person = ["name": name, "password": "correct horse"]
                let json = ["Accept": "application/json"]
                let created = try await web.perform(
                    "account", "account.entry", actionWith: "signUp", person, cookie: cookie, json)
                #expect(created.status == 200, "\(created.text)")
                cookies.append(try #require(created.cookie))
            }
            let (ada, ben) = (cookies[0], cookies[1])
            func greeting(_ cookie: String) async throws -> String? {
                try await web.ask("GET", "/pages/home", ["Cookie": cookie]).between("Welcome, ", "<")
            }
            #expect(await holds { try await greeting(ada) == "Ada" })
            #expect(await holds { try await greeting(ben) == "Ben" })
            #expect(await holds { try await greeting(nobody) == "guest" })
            let out = try await web.perform("home", "account.card", actionWith: "signOut", cookie: ada)
            #expect(out.status == 303)
            let guest = try #require(out.cookie)
            for cookie in [ada, guest] { #expect(await holds { try await greeting(cookie) == "guest" }) }
            #expect(await holds { try await greeting(ben) == "Ben" })
        }
    }

    @Test("what does not exist is said in words, and nothing of the host")
    func missing() async throws {
        try await place.withWeb { web in
            // On a busy machine, a component may not have said yet which pages it brings along.
            #expect(await holds { try await web.ask("GET", "/pages/nothing").status == 404 })
            for path in [
                "/pages/nothing", "/pages", "/pages/home/x", "/pages/home/events/x", "/resources/ComponentWeb",
                "/resources/Nobody/a", "/resources/ComponentWeb/web/none.css", "/media/ComponentVideo/films/a.mp4",
                "/etc/passwd", "/secret", "/pages/%3Cscript%3Ealert(1)", "/pages/home%0d%0aX-A:%20b",
            ] {
                let answer = try await web.ask("GET", path)
                #expect(answer.status == 404, "\(path)")
                #expect(!answer.text.contains("<script>") && !answer.text.contains(place.directory.path), "\(path)")
                #expect(answer.headers["content-security-policy"]?.contains("frame-src") == false, "\(path)")
                #expect(answer.headers["x-a"] == nil)
            }
            for path in [
                "/resources/ComponentWeb/../ComponentWeb.resources/web/page.css",
                "/resources/ComponentWeb/%2e%2e/libComponentWeb.so", "/resources/ComponentWeb/web/..%2f..%2fsecret",
                "/media/ComponentWeb/..%2fsecret", "/media/ComponentWeb//secret", "/%00", "/a%ff",
            ] {
                #expect(try await web.ask("GET", path).status == 400, "\(path)")
            }
            #expect(try await web.ask("GET", "/media/ComponentWeb/secret?s=x").status == 404)
        }
    }

    @Test("short ways, and slashes that people add, lead to pages")
    func ways() async throws {
        try await place.withWeb { web in
            for (path, location) in [
                ("/console", "/pages/console"), ("/console/NXUI", "/pages/console.NXUI"), ("/console/", "/console"),
                ("/pages/home/", "/pages/home"),
            ] {
                let answer = try await web.ask("GET", path)
                #expect(answer.status == 303 && answer.headers["location"] == location, "\(path)")
            }
            for path in ["//", "/pages//", "/pages/../"] {
                #expect(try await web.ask("GET", path).status == 400, "\(path)")
            }
        }
    }

    @Test("what is wrong in a page file is not told to who looks at the page")
    func wrongFile() async throws {
        try place.directory.write(#"{"page": "wrong", "secton": []}"#, to: "data/ComponentPages/pages/wrong.json")
        try await place.withWeb { web in
            let answer = try await web.ask("GET", "/pages/wrong")
            #expect(answer.status == 500)
            #expect(answer.text.contains("There is a mistake in it. Its operator can find the reason in the log."))
            #expect(!answer.text.contains(place.directory.path) && !answer.text.contains("secton"))
            #expect(!answer.text.contains("hslink pages"))
            let program = try await web.ask("GET", "/pages/wrong", ["Accept": "application/json"])
            #expect(program.text.contains("there is a mistake in the page wrong; 'hslink pages' says which"))
        }
    }

    @Test("a page without a frame leads to the pages that there are at the moment, and back to the one above it")
    func navigation() async throws {
        func write(_ id: String, _ more: String) throws {
            try place.directory.write(
                #"{"page": "\#(id)", "title": "\#(id)"\#(more), "sections": []}"#,
                to: "data/ComponentPages/pages/\(id).json")
        }
        try write("plain", "")
        try write("below", #", "parent": "plain""#)
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            func header(_ page: String) async throws -> String? {
                try await web.ask("GET", "/pages/\(page)", ["Cookie": cookie]).between(#"<nav class="pages""#, "</nav>")
            }
            #expect(await holds { try await header("plain")?.contains(#"href="/pages/owner""#) == true })
            #expect(try await header("plain")?.contains(#"href="/pages/plain" aria-current="page""#) == true)
            #expect(try await header("plain")?.contains("/pages/below") == false)
            try write("new", "")
            #expect(await holds { try await header("plain")?.contains(#"href="/pages/new""#) == true })
            let below = try await web.ask("GET", "/pages/below", ["Cookie": cookie])
            #expect(below.between(#"<nav class="trail""#, "</nav>")?.contains(#"href="/pages/plain""#) == true)
        }
    }

    @Test("why a section or an action fails is said in words for people; programs get the exact reason")
    func wordsForPeople() async throws {
        try place.write(page: "odd", #"{"module": "account.card", "data": 1}"#)
        try await place.withWeb { web in
            let text = "This part cannot be shown now."
            #expect(await holds { try await web.ask("GET", "/pages/odd").text.contains(text) })
            #expect(!(try await web.ask("GET", "/pages/odd").text.contains("takes none")))
            let cookie = try await web.newCookie()
            let page = try await web.perform("account", "nothing", actionWith: "signIn", cookie: cookie)
            let json = try await web.perform(
                "account", "nothing", actionWith: "signIn", cookie: cookie, ["Accept": "application/json"])
            #expect(page.status == 404 && page.text.contains("It no longer has this part. Show it again."), "\(page)")
            #expect(!page.text.contains("shows no section"))
            #expect(json.text.contains("shows no section") && json.text.contains("no longer has this part"), "\(json)")
        }
    }

    @Test("resources are kept by browsers as long as their content does not change")
    func resources() async throws {
        try await place.withWeb { web in
            let page = try await web.ask("GET", "/pages/home")
            let url = try #require(page.between(#"<link rel="stylesheet" href=""#, "\""))
            let style = try await web.ask("GET", url)
            #expect(style.status == 200)
            #expect(style.headers["content-type"] == "text/css; charset=utf-8")
            #expect(style.headers["cache-control"] == "public, max-age=31536000, immutable")
            let tag = try #require(style.headers["etag"])
            #expect(try await web.ask("GET", url, ["If-None-Match": tag]).status == 304)
            let path = String(url.prefix { $0 != "?" })
            #expect(try await web.ask("GET", path).headers["cache-control"] == "no-cache")
            #expect(try await web.ask("GET", path + "?v=other").headers["cache-control"] == "no-cache")
            let part = try await web.ask("GET", url, ["Range": "bytes=0-9"])
            #expect(part.status == 206)
            #expect(part.headers["content-range"] == "bytes 0-9/\(style.body.count)")
            #expect(part.body == Array(style.body[..<10]))
            #expect(try await web.ask("GET", url, ["Range": "bytes=0-9", "If-Range": "\"x\""]).status == 200)
            #expect(try await web.ask("GET", url, ["Range": "bytes=999999-"]).status == 416)
        }
    }

    @Test("requests that are too large, malformed or in doubt are refused, and the next one is answered")
    func hostile() async throws {
        try await place.withWeb { web in
            let cookie = try await web.newCookie()
            let large = "a=" + String(repeating: "x", count: FormBody.largest)
            #expect(
                try await web.ask("POST", "/pages/home/perform", ["Cookie": cookie], body: large).status == 413)
            let json = ["Cookie": cookie, "Content-Type": "application/json"]
            #expect(try await web.ask("POST", "/pages/home/perform", json, body: "{}").status == 415)
            let post = "POST /pages/home/perform HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n"
            let form = "Content-Type: application/x-www-form-urlencoded\r\n"
            for text in [
                "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
                "\(post)\(form)Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "\(post)\(form)Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
                "\(post)\(form)Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: localhost\r\n\(String(repeating: "X: a\r\n", count: 500))\r\n",
                "POST /pages/home/perform HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "\0\r\n\r\n",
            ] {
                let port = web.port
                let bytes = try await onOwnThread {
                    let connection = try RawConnection(port: port)
                    connection.send(text)
                    return connection.readAll(until: { !$0.isEmpty })
                }
                let status = HTTPAnswer(bytes)?.status ?? 400
                #expect((400..<500).contains(status) || status == 501, "\(text.prefix(60)): \(status)")
            }
            #expect(try await web.ask("GET", "/pages/home").status == 200)
        }
    }

    @Test("a browser that sends its form byte by byte is not waited for")
    func slow() async throws {
        try await place.withWeb { web in
            let port = web.port
            let cookie = try await web.newCookie()
            let answer = try await onOwnThread {
                let connection = try RawConnection(port: port)
                connection.send(
                    "POST /pages/home/perform HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n"
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\na=")
                return connection.readAll()
            }
            // The connection is closed after the patience for a body, without an answer that says it was done.
            #expect(HTTPAnswer(answer).map { $0.status >= 400 } ?? true)
            #expect(try await web.ask("GET", "/pages/home").status == 200)
        }
    }

    @Test("with a password, only the form for it is shown to who has not given it")
    func password() async throws {
        let hash = try PasswordDigest(of: "correct horse")
        try await place.withWeb(#""password": "\#(hash)""#) { web in
            for path in [
                "/", "/pages/home", "/pages/home?x=1", "/console/events", "/resources/ComponentOwner/pages/owner.json",
            ] {
                let answer = try await web.ask("GET", path)
                #expect(answer.status == 401 && answer.token != nil, "\(path)")
                #expect(!answer.text.contains("Welcome"), "\(path)")
            }
            for path in ["/pages/home/events"] { #expect(try await web.ask("GET", path).status == 401) }
            let first = try await web.ask("GET", "/pages/home")
            let cookie = try #require(first.cookie)
            func signIn(_ secret: String, next: String = "/pages/home") async throws -> HTTPAnswer {
                let form = ["token": try #require(first.token), "secret": secret, "next": next]
                return try await web.ask("POST", "/sign-in", ["Cookie": cookie], body: form.urlEncoded)
            }
            #expect(try await signIn("wrong").status == 401)
            for next in ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"] {
                let answer = try await signIn("correct horse", next: next)
                #expect(answer.status == 303)
                #expect(answer.headers["location"] == "/", "\(next)")
            }
            let right = try await signIn("correct horse")
            #expect(right.headers["location"] == "/pages/home")
            let trusted = try #require(right.cookie)
            #expect(trusted != cookie)
            let page = try await web.ask("GET", "/pages/home", ["Cookie": trusted])
            #expect(page.status == 200)
            // The form of another window, from before or after that: there is no second session.
            for token in [first.token, page.token] {
                let form = ["token": try #require(token), "secret": "wrong", "next": "/pages/account"]
                let again = try await web.ask("POST", "/sign-in", ["Cookie": trusted], body: form.urlEncoded)
                #expect(again.status == 303 && again.headers["location"] == "/pages/account" && again.cookie == nil)
            }
            #expect(
                await holds { try await web.ask("GET", "/pages/home", ["Cookie": trusted]).text.contains("Welcome") })
            let out = try await web.ask(
                "POST", "/sign-out", ["Cookie": trusted], body: ["token": try #require(page.token)].urlEncoded)
            #expect(out.status == 303)
            #expect(try await web.ask("GET", "/pages/home", ["Cookie": try #require(out.cookie)]).status == 401)
            // Who has kept the cookie is not signed in either.
            #expect(try await web.ask("GET", "/pages/home", ["Cookie": trusted]).status == 401)
        }
    }

    @Test(
        "options that are not safe are refused with their reason",
        arguments: [
            (#"{"port": 0, "address": "0.0.0.0"}"#, "password: expected the hash of a password, since 0.0.0.0"),
            (#"{"port": 70000}"#, "port: expected 0 to 65535"), (#"{"port": 0, "password": "secret"}"#, "password"),
            (#"{"port": 0, "certificate": "/a.pem"}"#, "certificate: expected both"),
            (#"{"port": 0, "certificate": "/a.pem", "privateKey": "/b.pem"}"#, "the certificate /a.pem"),
            (
                #"{"port": 0, "certificate": "a.pem", "privateKey": "/b.pem"}"#,
                "certificate: expected an absolute path, found a.pem"
            ),
            (#"{"port": 0, "hosts": ["a:1"]}"#, "hosts: expected names"),
            (#"{"port": 0, "streamsPerSession": 0}"#, "streamsPerSession: expected 1 to 100000, found 0"),
            (#"{"port": 0, "embeddedOrigins": ["https://a/b"]}"#, "embeddedOrigins: expected origins"),
            (#"{"port": 0, "address": "nowhere.invalid", "password": "scrypt-15-8-3:x:y"}"#, "password"),
        ])
    func options(json: String, reason: String) async throws {
        try await withPlugins { plugins in
            try plugins.add("ComponentWeb")
            let file = try place.directory.write(#"{"ComponentWeb": \#(json)}"#, to: "settings.json")
            var settings = HostOptions()
            settings.logger.logLevel = .critical
            settings.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: settings)
            let error = await #expect(throws: LinkError.self) { _ = try await host.call("WebPagesLink", "address") }
            #expect("\(String(describing: error))".contains(reason), "\(String(describing: error))")
            await host.stop()
        }
    }

    @Test("a port that is in use is said at once")
    func port() async throws {
        try await place.withWeb { web in
            try await withPlugins { plugins in
                try plugins.add("ComponentWeb")
                let file = try place.directory.write(
                    #"{"ComponentWeb": {"port": \#(web.port)}}"#, to: "other.json")
                var settings = HostOptions()
                settings.logger.logLevel = .critical
                settings.configuration = HostConfiguration(files: [file], environmentPrefix: nil)
                let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: settings)
                let error = await #expect(throws: LinkError.self) { _ = try await host.call("WebPagesLink", "address") }
                #expect("\(String(describing: error))".contains("the port \(web.port) of 127.0.0.1 cannot be opened"))
                await host.stop()
            }
        }
    }

    @Test("without a port nothing is opened")
    func off() async throws {
        try await withPlugins("ComponentWeb") { plugins async throws in
            var settings = HostOptions()
            settings.logger.logLevel = .critical
            let host = LinkHost(components: [plugins.path], includesBuiltIn: false, options: settings)
            await host.start()
            #expect(try await host.call("WebPagesLink", "address") == .null)
            await host.stop()
        }
    }
}
