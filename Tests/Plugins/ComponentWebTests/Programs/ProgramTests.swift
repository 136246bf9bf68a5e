import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Programs over HTTP", .enabled(if: WebPlace.isComplete))
struct ProgramTests {
    let place: WebPlace
    private let token = TokenDigest.newToken()

    init() throws { place = try WebPlace() }

    private func withPrograms<Value>(
        _ options: String = #""classes": ["*"], "urls": true, "metrics": true"#, body: (WebHost) async throws -> Value
    ) async throws -> Value {
        let hash = TokenDigest(of: token).description
        return try await place.withWeb(#""programs": {"token": "\#(hash)", \#(options)}"#, body: body)
    }

    private func ask(
        _ web: WebHost, _ method: String, _ path: String, json: String? = nil, _ headers: [String: String] = [:]
    ) async throws -> HTTPAnswer {
        var headers = headers
        headers["Authorization"] = headers["Authorization"] ?? "Bearer \(token)"
        if json != nil { headers["Content-Type"] = headers["Content-Type"] ?? "application/json" }
        return try await web.ask(method, path, headers, body: json)
    }

    @Test("make calls, and are told what came back or what went wrong")
    func calls() async throws {
        let film = BuiltProducts.packageDirectory.appending(path: "Tests/Samples/clip.mp4").path
        try await withPrograms { web async throws in
            let answer = try await ask(web, "POST", "/call/VideoLink/probe", json: #"{"path": "\#(film)"}"#)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/json")
            let value = try Payload(json: answer.text).value("value")
            #expect(value == (try await web.host.call("VideoLink", "probe", ["path": .string(film)])))
            for (path, json, status, code) in [
                ("/call/VideoLink/probe", #"{"path": "/nothing.mp4"}"#, 422, "methodFailed"),
                ("/call/VideoLink/probe", "{}", 400, "payloadMismatch"),
                ("/call/VideoLink/probe", #"{"path": 7}"#, 400, "payloadMismatch"),
                ("/call/VideoLink/prob", "{}", 404, "selectorNotFound"),
                ("/call/AudioLink/probe", "{}", 404, "classNotFound"),
            ] {
                let answer = try await ask(web, "POST", path, json: json)
                #expect(answer.status == status, "\(path) \(json): \(answer.text)")
                #expect(answer.headers["content-type"] == "application/problem+json")
                let problem = try Payload(json: answer.text)
                #expect(try problem.string("code") == code)
                #expect(try problem.int("status") == status)
                #expect(try !problem.string("detail").isEmpty)
            }
            // A method of the class is found without being told; no body is no payload.
            let hash = try await ask(web, "POST", "/call/WebPagesLink/hash", json: #"{"password": "correct horse"}"#)
            #expect(hash.status == 200 && hash.text.contains("scrypt-"))
            #expect(try await ask(web, "POST", "/call/WebPagesLink/address").text.contains("\(web.port)"))
        }
    }

    @Test("are refused without the token, whatever they ask for")
    func tokens() async throws {
        try await withPrograms { web async throws in
            for value in [
                "", "Bearer", "Bearer ", "Bearer x", "Basic \(token)", token, "Bearer \(token)x", "Bearer  \(token)",
                "Bearer \(String(repeating: "a", count: 10_000))", "Bearer \(TokenDigest(of: token))",
            ] {
                for (method, path) in [
                    ("POST", "/call/WebPagesLink/address"), ("GET", "/open?url=/watch/a"), ("GET", "/metrics"),
                    ("GET", "/openapi.json"), ("GET", "/call/WebPagesLink/address"),
                ] {
                    let answer = try await ask(web, method, path, ["Authorization": value])
                    #expect(answer.status == 401, "\(value.prefix(60)) \(path)")
                    #expect(answer.headers["www-authenticate"] == "Bearer")
                    #expect(!answer.text.contains(token))
                }
            }
            // A page of another site cannot ask, even if it had the token.
            for headers in [["Origin": "http://evil.example"], ["Sec-Fetch-Site": "cross-site"]] {
                #expect(try await ask(web, "POST", "/call/WebPagesLink/address", headers).status == 403)
            }
            #expect(try await web.ask("POST", "/call/WebPagesLink/address", host: "evil.example").status == 421)
        }
    }

    @Test("reach only what is configured")
    func allowed() async throws {
        try await place.withWeb { web async throws in
            for path in ["/call/WebPagesLink/address", "/open?url=a:b", "/metrics", "/openapi.json"] {
                let method = path.hasPrefix("/call") ? "POST" : "GET"
                #expect(try await ask(web, method, path).status == 404, "\(path)")
            }
        }
        try await withPrograms(#""classes": ["WebPagesLink.address", "OwnerLink"]"#) { web async throws in
            for (path, status) in [
                ("/call/WebPagesLink/address", 200), ("/call/OwnerLink/addresses", 200),
                ("/call/WebPagesLink/hash", 404), ("/call/VideoLink/probe", 404), ("/call/hslink.Events/post", 404),
                ("/call/OwnerLink/..", 400), ("/call//x", 400), ("/call/a%2Fb/c", 400), ("/call/OwnerLink", 404),
                ("/call/OwnerLink/addresses/x", 404), ("/call/%00/x", 400),
            ] {
                let answer = try await ask(web, "POST", path)
                #expect(answer.status == status, "\(path): \(answer.text)")
            }
            #expect(try await ask(web, "GET", "/metrics").status == 404)
            #expect(try await ask(web, "GET", "/open?url=studio://owner").status == 404)
            for method in ["GET", "HEAD", "PUT", "OPTIONS", "DELETE"] {
                #expect(try await ask(web, method, "/call/WebPagesLink/address").status == 405, "\(method)")
            }
        }
        // The classes of the host itself must be named.
        try await withPrograms { web async throws in
            #expect(try await ask(web, "POST", "/call/hslink.Counters/all").status == 404)
        }
        try await withPrograms(#""classes": ["hslink.Counters"]"#) { web async throws in
            #expect(try await ask(web, "POST", "/call/hslink.Counters/all").status == 200)
        }
    }

    @Test("are told what is wrong with a body, and no body does harm")
    func bodies() async throws {
        try await withPrograms { web async throws in
            let path = "/call/OwnerLink/address"
            let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
            for (json, status) in [
                ("{", 400), ("", 400), ("nothing", 400), (#"{"id": 1, "id": 2}"#, 400), (deep, 400),
                (#"{"id": 1}x"#, 400),
                ("\u{feff}{}", 400), (#"{"id": 1e400}"#, 400), (#"{"id": 99999999999999999999}"#, 400),
                (#"{"$bytes": "?"}"#, 400), (#"{"id": "\ud800"}"#, 400), (#"{"id": 7}"#, 422),
            ] {
                let answer = try await ask(web, "POST", path, json: json)
                #expect(answer.status == status, "\(json.prefix(60)): \(answer.text.prefix(300))")
            }
            #expect(try await ask(web, "POST", path, json: #"{"id": 7}"#, ["Content-Type": "text/plain"]).status == 415)
            // What is too long is refused before it is read.
            let announced = try await web.exchange(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\nConnection: close\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(5 << 20)\r\n\r\n")
            #expect(announced.status == 413)
            for (query, status) in [
                ("timeout=0", 400), ("timeout=-1", 400), ("timeout=nan", 400), ("timeout=301", 400), ("timeout=x", 400),
                ("kind=both", 400), ("timeout=300&kind=object", 422),
            ] {
                #expect(
                    try await ask(web, "POST", "\(path)?\(query)", json: #"{"id": 7}"#).status == status, "\(query)")
            }
            #expect(try await web.ask("GET", "/pages/home").status == 200)
        }
    }

    @Test("open URLs with public routes only")
    func urls() async throws {
        let sample = BuiltProducts.packageDirectory.appending(path: "Tests/Samples/clip.mp4").path
        try FileManager.default.createDirectory(
            atPath: place.directory.path(of: "data/ComponentVideo/films"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: place.directory.path(of: "data/ComponentVideo"))
        try FileManager.default.copyItem(
            atPath: sample, toPath: place.directory.path(of: "data/ComponentVideo/films/clip.mp4"))
        try await withPrograms { web async throws in
            for (url, status) in [
                ("https://studio.example/watch/clip.mp4", 200), ("studio://film/clip.mp4", 200),
                ("studio://film?path=/etc/passwd", 404), ("studio://owner", 404), ("nowhere://x", 404), ("", 404),
                ("studio://film/none.mp4", 404),
            ] {
                let escaped = try #require(url.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let answer = try await ask(web, "GET", "/open?url=\(escaped)")
                #expect(answer.status == status, "\(url): \(answer.text)")
            }
            #expect(try await ask(web, "GET", "/open").status == 400)
        }
    }

    @Test("read the counters in the text form of Prometheus")
    func metrics() async throws {
        try await withPrograms { web async throws in
            _ = try await web.host.call("OwnerLink", "addresses")
            let answer = try await ask(web, "GET", "/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(answer.text.contains("# TYPE hslink_calls_total counter"))
            #expect(answer.text.contains(#"class="OwnerLink",selector="addresses""#), "\(answer.text.prefix(2000))")
        }
    }

    @Test("find every method that they may call in the description")
    func description() async throws {
        try await withPrograms(#""classes": ["OwnerLink", "WebPagesLink.hash"], "urls": true"#) { web async throws in
            let answer = try await ask(web, "GET", "/openapi.json")
            #expect(answer.status == 200)
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
            #expect(document["openapi"] as? String == "3.1.0")
            let paths = try #require(document["paths"] as? [String: Any])
            let owner = try #require(web.host.components.first { $0.name == "ComponentOwner" })
            let declared = try #require(owner.manifest.classes.first { $0.name == "OwnerLink" }).selectors.map(\.name)
            #expect(
                Set(paths.keys)
                    == Set(declared.map { "/call/OwnerLink/\($0)" } + ["/call/WebPagesLink/hash", "/open"]))
            // Every reference leads somewhere.
            let components = try #require(document["components"] as? [String: Any])
            let schemas = try #require(components["schemas"] as? [String: Any])
            let references = answer.text.components(separatedBy: #""$ref":"#).dropFirst().compactMap {
                $0.components(separatedBy: "\"").dropFirst().first
            }
            #expect(!references.isEmpty)
            for reference in references {
                #expect(schemas[String(reference.dropFirst("#/components/schemas/".count))] != nil, "\(reference)")
            }
            // Nothing is told of models that no method here takes or answers.
            let used = Set(references.map { String($0.dropFirst("#/components/schemas/".count)) })
            #expect(Set(schemas.keys) == used)
            #expect(try await ask(web, "GET", "/openapi.json").body == answer.body)
        }
    }

    @Test("get answers that fit the description, and it takes what they send")
    func fitting() async throws {
        try await withPrograms { web async throws in
            let document = try JSONTree(Data(try await ask(web, "GET", "/openapi.json").body))
            for (method, json, status) in [
                ("OwnerLink/addAddress", #"{"label": "Home", "street": "Street 1", "city": "Delft"}"#, 200),
                ("OwnerLink/addresses", "{}", 200), ("OwnerLink/address", #"{"id": 1}"#, 200),
                ("WebPagesLink/hash", #"{"password": "correct horse"}"#, 200), ("WebPagesLink/token", "{}", 200),
                ("OwnerLink/addAddress", #"{"label": 1, "street": "Street 1", "city": "Delft"}"#, 400),
                ("WebPagesLink/hash", "{}", 400),
            ] {
                let operation = try #require(document["paths"]?["/call/\(method)"]?["post"], "\(method)")
                func schema(_ content: JSONTree?) throws -> JSONTree {
                    let media = content?["content"]
                    return try #require(
                        (media?["application/json"] ?? media?["application/problem+json"])?["schema"], "\(method)")
                }
                let request = SchemaCheck(try schema(operation["requestBody"]), in: document)
                #expect(try request.accepts(JSONTree(json)) == (status == 200), "\(method) \(json)")
                let answer = try await ask(web, "POST", "/call/\(method)", json: json)
                #expect(answer.status == status, "\(method): \(answer.text)")
                let response = SchemaCheck(try schema(operation["responses"]?["\(status)"]), in: document)
                #expect(try response.accepts(JSONTree(Data(answer.body))), "\(method): \(answer.text)")
            }
        }
    }

    @Test("whoever leaves has the call cancelled")
    func leaving() async throws {
        try await withPrograms { web async throws in
            var page = try await ask(web, "POST", "/call/PagesLink/page", json: #"{"id": "home"}"#)
            _ = await holds {
                page = try await ask(web, "POST", "/call/PagesLink/page", json: #"{"id": "home"}"#)
                return !page.text.contains(#""loading""#)
            }
            let revision = try Payload(json: page.text).value("value").int("revision")
            // A page that does not change is waited for.
            let body = #"{"id": "home", "after": \#(revision)}"#
            func isCalled() throws -> Bool {
                web.host.components.first { $0.name == "ComponentPages" }.map { $0.callsInFlight > 0 } ?? false
            }
            let connection = try RawConnection(port: web.port)
            connection.send(
                "POST /call/PagesLink/page?timeout=300 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(await holds { try isCalled() })
            connection.leave()
            #expect(
                await holds {
                    web.host.counters.contains {
                        $0.className == "PagesLink" && $0.selector == "page" && $0.counters.failures[.cancelled] == 1
                    }
                })
            #expect(await holds { try !isCalled() })
        }
    }

    @Test(
        "options that are wrong are refused with their reason",
        arguments: [
            (#"{"token": ""}"#, "programs.token"), (#"{"token": "secret"}"#, "programs.token"),
            (#"{"token": "sha256:AAAA"}"#, "programs.token"), (#"{}"#, "token"),
            (
                #"{"token": "sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "classes": ["a..b"]}"#,
                "programs.classes"
            ),
            (
                #"{"token": "sha256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "classes": ["hslink.*"]}"#,
                "programs.classes"
            ),
        ])
    func options(json: String, reason: String) throws {
        #expect {
            let options: WebOptions = try Payload(json: #"{"port": 0, "programs": \#(json)}"#).value()
            try options.check()
        } throws: { "\($0)".contains(reason) }
    }

    @Test(
        "call what is listed, by the bytes of its name",
        arguments: [
            (["VideoLink"], "VideoLink", "probe", true), (["VideoLink"], "OwnerLink", "probe", false),
            (["VideoLink.probe"], "VideoLink", "probe", true), (["VideoLink.probe"], "VideoLink", "play", false),
            (["*"], "VideoLink", "probe", true), (["*"], "hslink.Counters", "read", false),
            (["*", "hslink.Counters"], "hslink.Counters", "read", true), ([], "VideoLink", "probe", false),
            (["Caf\u{E9}Link"], "Caf\u{E9}Link", "open", true), (["Caf\u{E9}Link"], "Cafe\u{301}Link", "open", false),
            (["CafeLink.caf\u{E9}"], "CafeLink", "cafe\u{301}", false), (["KLink"], "\u{212A}Link", "open", false),
            // The last dot separates a class from a method.
            (["A.b"], "A", "b", true), (["A.b"], "A.b", "run", false), (["A.b"], "A", "b.c", false),
            (["A.b.*"], "A.b", "run", true), (["A.b.*"], "A", "b", false), (["A.b.*"], "A", "b.*", false),
            (["A.b.c"], "A.b", "c", true), (["A.b.c"], "A", "b.c", false), (["A.b.c"], "A.b.c", "run", false),
            (["A.*"], "A", "b", true), (["A.*"], "A.b", "run", false),
            (["hslink.Counters"], "hslink", "Counters", false),
            (["hslink.Counters.read"], "hslink.Counters", "read", true),
            (["hslink.Counters.read"], "hslink.Counters", "reset", false),
            (["hslink.Counters.*"], "hslink.Counters", "read", true), (["*"], "A.b", "run", true),
        ] as [([String], String, String, Bool)])
    func allowed(classes: [String], className: String, selector: String, isAllowed: Bool) {
        let options = ProgramOptions(token: Secret(""), classes: classes)
        #expect(options.allows(className, selector) == isAllowed)
    }

    @Test("a token is long, random and not in its hash")
    func made() throws {
        let tokens = (0..<100).map { _ in TokenDigest.newToken() }
        #expect(Set(tokens).count == 100)
        for token in tokens {
            #expect(token.count == 50 && token.hasPrefix("hslink_"))
            let digest = try #require(TokenDigest(TokenDigest(of: token).description))
            #expect(digest.matches(token) && !digest.matches(token + "a") && !digest.matches(""))
        }
    }
}
