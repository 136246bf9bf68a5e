import ComponentHost
import ComponentKit
import Foundation
import HostTestSupport
import NXServiceContract
import TestSupport
import Testing

@Suite("Requests to the web")
struct SendTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    @Test("each method arrives with its headers and its body", arguments: ComponentDepth.allCases)
    func methods(depth: ComponentDepth) async throws {
        let server = try WebServer(["/a?b=c": .document(type: "text/plain", Array("done".utf8))])
        let bodies: [(WebBody?, type: String?, content: String)] = [
            (nil, nil, ""),
            (.bytes(content: Data([65, 66]), mediaType: "image/x"), "image/x", "AB"),
            (.text(content: "ü"), "text/plain; charset=utf-8", "ü"),
            (.json(value: ["a": [1, 2.5, nil], "b": "ü"]), "application/json", #"{"a":[1,2.5,null],"b":"ü"}"#),
            (.json(value: [:], mediaType: "application/merge-patch+json"), "application/merge-patch+json", "{}"),
        ]
        try await place.withWeb(depth) { web, _ async throws in
            for method in WebMethod.allCases {
                for body in bodies where body.0 == nil || (method != .get && method != .head) {
                    let answer = try await web.send(
                        WebRequest(
                            method: method, url: server.url("/a?b=c"),
                            headers: [
                                WebHeader(name: "Authorization", value: "Bearer s"),
                                WebHeader(name: "x-many", value: "1"), WebHeader(name: "X-Many", value: "2\t"),
                            ],
                            body: body.0))
                    #expect(answer.status == 200 && answer.isSuccess && answer.attempts == 1)
                    #expect(answer.url == server.url("/a?b=c"))
                    #expect(answer.body == Data(method == .head ? [] : Array("done".utf8)), "\(method)")
                    #expect(answer.header("Content-Type") == "text/plain")
                    let request = try #require(server.received.last)
                    #expect(request.method == method.rawValue)
                    #expect(String(decoding: request.body, as: UTF8.self) == body.content)
                    #expect(request.headers["content-type"] == body.type)
                    #expect(request.headers["authorization"] == "Bearer s")
                    #expect(request.headers["x-many"]?.hasPrefix("1, 2") == true)
                    #expect(request.headers["accept"] == "*/*")
                    #expect(request.headers["user-agent"] == "hslink")
                    #expect(request.headers["host"] == "127.0.0.1:\(server.port)")
                }
            }
        }
        #expect(server.received.count == 2 + 4 * bodies.count)
    }

    @Test("every status is an answer, with headers and body")
    func statuses() async throws {
        let server = try WebServer()
        try await place.withWeb { web, _ async throws in
            for code in [200, 201, 204, 304, 400, 401, 404, 418, 500, 503] {
                server.answer("/a", .status(code, headers: ["ETag": "\"1\"", "retry-after": "1"]))
                let answer = try await web.send(WebRequest(url: server.url("/a")))
                #expect(answer.status == code)
                #expect(answer.isSuccess == (code < 300))
                #expect(answer.header("etag") == "\"1\"")
                #expect(answer.headers.contains(WebHeader(name: "etag", value: "\"1\"")))
                #expect(answer.header("x") == nil)
                #expect(answer.body.isEmpty)
            }
            server.answer("/a", .redirect(to: "/b", status: 307))
            let answer = try await web.send(WebRequest(url: server.url("/a"), followsRedirects: false))
            #expect(answer.status == 307 && answer.header("location") == "/b")
        }
    }

    @Test("JSON is read strictly, whatever its type")
    func json() async throws {
        let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        let server = try WebServer(["/a": .document(type: "text/html", Array(#"{"a": [1, 2.5, null, "ü"]}"#.utf8))])
        try await place.withWeb { web, _ async throws in
            let answer = try await web.send(WebRequest(url: server.url("/a")))
            #expect(try answer.json() == ["a": [1, 2.5, nil, "ü"]])
            #expect(throws: WebError.self) { try answer.json(limits: PayloadLimits(depth: 1, nodes: 100, bytes: 100)) }
            for text in ["", "<html>", "{", "{} {}", #"{"a": 1, "a": 2}"#, "\u{FEFF}{}", deep] {
                server.answer("/a", .document(type: "application/json", Array(text.utf8)))
                let broken = try await web.send(WebRequest(url: server.url("/a")))
                let error = #expect(throws: WebError.self) { try broken.json() }
                guard case .notJSON(server.url("/a"), _)? = error else {
                    Issue.record("\(text.prefix(20)): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("what cannot be sent is refused, and nothing is sent")
    func refusals() async throws {
        let server = try WebServer()
        let url = server.url("/a")
        func header(_ name: String, _ value: String = "1") -> WebRequest {
            WebRequest(url: url, headers: [WebHeader(name: "a", value: "b"), WebHeader(name: name, value: value)])
        }
        let requests: [(String, WebRequest)] =
            ["", " ", "a b", "a:", "a\r\nb", "ü", "a\0", "(a)"].map { ("headers", header($0)) }
            + [
                "Host", "content-length", "Content-Type", "Connection", "keep-alive", "TE", "Trailer", "Expect",
                "Transfer-Encoding", "upgrade", "Proxy-Authorization", "proxy-connection",
            ].map { ("headers", header($0)) }
            + ["secret\r\nb: c", "secret\n", "secret\r", "secret\0", "secret\u{7F}"].map {
                ("headers", header("authorization", $0))
            }
            + [
                ("body", WebRequest(url: url, body: .text(content: "a"))),
                ("body", WebRequest(method: .head, url: url, body: .json(value: [:]))),
                ("body", WebRequest(method: .post, url: url, body: .text(content: "", mediaType: "a\r\nb: c"))),
                (
                    "body",
                    WebRequest(method: .put, url: url, body: .bytes(content: Data(count: 1001), mediaType: "a/b"))
                ),
                ("maximumBytes", WebRequest(url: url, maximumBytes: 0)),
                ("timeout", WebRequest(url: url, timeout: 0)), ("timeout", WebRequest(url: url, timeout: -1)),
                ("timeout", WebRequest(url: url, timeout: .nan)), ("retries", WebRequest(url: url, retries: 6)),
                ("retries", WebRequest(url: url, retries: -1)),
                ("retries", WebRequest(method: .post, url: url, retries: 1)),
                ("retries", WebRequest(method: .patch, url: url, retries: 1)),
            ]
        try await place.withWeb(.file, #"{"maximumBytes": 1000}"#) { web, _ async throws in
            for (property, request) in requests {
                let error = await webError { try await web.send(request) }
                guard case .invalidRequest(property, let reason)? = error else {
                    Issue.record("\(request): \(String(describing: error))")
                    continue
                }
                #expect(!reason.contains("secret"), "\(reason)")
            }
            for text in ["ftp://127.0.0.1/", "http://user:secret@127.0.0.1/", "http://127.0.0.1:0/"] {
                guard case .invalidURL? = await webError({ try await web.send(WebRequest(url: text)) }) else {
                    Issue.record("\(text) was not refused")
                    continue
                }
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("redirects go on with the method that the status asks for")
    func redirects() async throws {
        let server = try WebServer(["/end": .document(type: "text/plain", [7])])
        let cases: [(Int, WebMethod, becomes: WebMethod)] = [
            (301, .post, .get), (302, .post, .get), (303, .post, .get), (307, .post, .post), (308, .post, .post),
            (301, .put, .put), (302, .delete, .delete), (303, .put, .get), (303, .head, .head), (302, .head, .head),
            (307, .patch, .patch), (301, .get, .get),
        ]
        try await place.withWeb { web, _ async throws in
            for (status, method, becomes) in cases {
                server.answer("/\(status)", .redirect(to: "/end", status: status))
                let takesBody = method != .get && method != .head
                let answer = try await web.send(
                    WebRequest(
                        method: method, url: server.url("/\(status)"),
                        headers: [WebHeader(name: "authorization", value: "s")],
                        body: takesBody ? .text(content: "body") : nil))
                #expect(answer.url == server.url("/end") && answer.attempts == 1)
                let last = try #require(server.received.last)
                #expect(last.path == "/end" && last.method == becomes.rawValue, "\(status) after \(method)")
                let keepsBody = takesBody && method == becomes
                #expect(last.body == (keepsBody ? Array("body".utf8) : []), "\(status) after \(method)")
                #expect((last.headers["content-type"] != nil) == keepsBody, "\(status) after \(method)")
                #expect(last.headers["authorization"] == "s")
            }
            server.answer("/loop", .redirect(to: "/loop", status: 308))
            let error = await webError { try await web.send(WebRequest(method: .put, url: server.url("/loop"))) }
            #expect(error == .redirect(url: server.url("/loop"), reason: "more than 5 times"))
            #expect(server.requests.count { $0 == "/loop" } == 6)
        }
    }

    @Test("another origin gets no secrets and no body")
    func origins() async throws {
        let other = try WebServer(["/end": .document(type: "text/plain", [7])])
        let server = try WebServer()
        for status in [301, 307] { server.answer("/\(status)", .redirect(to: other.url("/end"), status: status)) }
        let headers = ["authorization", "cookie", "x-api-key", "if-match"].map { WebHeader(name: $0, value: "secret") }
        try await place.withWeb { web, _ async throws in
            for (path, method) in [("/301", .get), ("/307", .delete), ("/301", .post)] as [(String, WebMethod)] {
                _ = try await web.send(
                    WebRequest(
                        method: method, url: server.url(path),
                        headers: headers + [WebHeader(name: "Accept", value: "text/plain")],
                        body: method == .post ? .text(content: "secret") : nil))
                let request = try #require(other.received.last)
                #expect(!request.headers.values.contains { $0.contains("secret") }, "\(request)")
                #expect(request.headers["accept"] == "text/plain" && request.body.isEmpty)
            }
            #expect(other.received.map(\.method) == ["GET", "DELETE", "GET"])
            let error = await webError {
                try await web.send(
                    WebRequest(method: .post, url: server.url("/307"), body: .text(content: "secret")))
            }
            #expect(
                error == .redirect(url: server.url("/307"), reason: "to another origin, which does not get the body"))
            #expect(other.received.count == 3)
        }
    }

    @Test("a request is sent again when the server is busy, as often as it says, and no more")
    func retries() async throws {
        let busy = WebServer.Answer.status(503)
        let done = WebServer.Answer.document(type: "text/plain", [7])
        let cases: [(WebServer.Answer, retries: Int, status: Int, attempts: Int)] = [
            (.inTurn([busy, .status(502), done]), 2, 200, 3), (.inTurn([.status(504), done]), 5, 200, 2),
            (.inTurn([busy, busy, done]), 1, 503, 2), (.inTurn([busy, done]), 0, 503, 1),
            (.inTurn([.status(500), done]), 2, 500, 1), (.inTurn([.status(429), done]), 2, 429, 1),
            // More than a server may ask for.
            (.inTurn([.status(503, headers: ["retry-after": "3600"]), done]), 2, 503, 1),
            (.inTurn([.status(503, headers: ["retry-after": "0"]), done]), 2, 200, 2),
            (.inTurn([.status(503, headers: ["retry-after": "soon"]), done]), 2, 200, 2),
        ]
        let server = try WebServer()
        try await place.withWeb { web, _ async throws in
            for (number, row) in cases.enumerated() {
                let path = "/\(number)"
                server.answer(path, row.0)
                let answer = try await web.send(WebRequest(url: server.url(path), retries: row.retries))
                #expect(answer.status == row.status, "\(number)")
                #expect(answer.attempts == row.attempts, "\(number)")
                #expect(server.requests.count { $0 == path } == row.attempts, "\(number)")
            }
            server.answer("/put", .inTurn([busy, done]))
            let put = WebRequest(
                method: .put, url: server.url("/put"), body: .text(content: "whole"), retries: 1)
            #expect(try await web.send(put).attempts == 2)
            #expect(server.received.suffix(2).allSatisfy { $0.body == Array("whole".utf8) })
            // There is no time left for the wait that the server asks for.
            server.answer("/late", .status(503, headers: ["retry-after": "20"]))
            let answer = try await web.send(WebRequest(url: server.url("/late"), timeout: 19, retries: 5))
            #expect(answer.status == 503 && answer.attempts == 1)
            let error = await webError {
                try await web.send(WebRequest(url: "http://127.0.0.1:1/", retries: 2))
            }
            guard case .unreachable("127.0.0.1", _)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test("nothing is kept, and nothing is sent while offline")
    func offline() async throws {
        let server = try WebServer(["/a": .document(type: "text/plain", [1])])
        try await place.withWeb { web, _ async throws in _ = try await web.send(WebRequest(url: server.url("/a"))) }
        #expect(!FileManager.default.fileExists(atPath: place.kept))
        try await place.withWeb(.file, #"{"offline": true}"#) { web, _ async throws in
            let error = await webError { try await web.send(WebRequest(url: server.url("/a"), retries: 5)) }
            #expect(error == .unreachable(host: "127.0.0.1", reason: "the configuration says offline"))
        }
        #expect(server.requests == ["/a"])
    }

    @Test("private addresses are refused if the configuration says so, and nothing arrives there")
    func privateAddresses() async throws {
        let server = try WebServer(["/a": .document(type: "text/plain", [1])])
        try await place.withWeb(.file, #"{"privateAddresses": false}"#) { web, _ async throws in
            // Nobody is told which ports are open: nothing listens at 1.
            for server in ["127.0.0.1:\(server.port)", "localhost:\(server.port)", "127.0.0.1:1", "localhost:1"] {
                let url = "http://\(server)/a"
                for body in [nil, WebBody.text(content: "a")] {
                    let request = WebRequest(method: body == nil ? .get : .post, url: url, body: body)
                    guard case .invalidURL(url, _)? = await webError({ try await web.send(request) }) else {
                        Issue.record("\(request) was not refused")
                        continue
                    }
                }
                guard case .invalidURL(url, _)? = await webError({ try await web.get(url: url, maximumBytes: nil) })
                else {
                    Issue.record("\(url) was not refused")
                    continue
                }
            }
            // No handshake comes first.
            for url in ["https://127.0.0.1:\(server.port)/a", "https://[::1]:1/", "http://[::ffff:10.0.0.1]/"] {
                guard case .invalidURL(url, _)? = await webError({ try await web.send(WebRequest(url: url)) }) else {
                    Issue.record("\(url) was not refused")
                    continue
                }
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a request ends with its call and with the host, also between attempts", arguments: ["/silence", "/busy"])
    func ends(path: String) async throws {
        let server = try WebServer([
            "/silence": .silence, "/busy": .status(503, headers: ["retry-after": "25"]),
        ])
        let request = WebRequest(url: server.url(path), retries: 5)
        try await place.withWeb { web, host async throws in
            // Loaded first, which may take longer than the call.
            _ = await webError { try await web.send(WebRequest(url: "")) }
            let answer = await #expect(throws: LinkError.self) {
                try await host.call("WebLink", "send", ["request": request.payload], timeout: .milliseconds(200))
            }
            #expect(answer?.code == .deadlineExceeded)
            let before = server.requests.count
            let sent = Task { try await web.send(request) }
            #expect(await holds { server.requests.count > before })
            #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
            await #expect(throws: (any Error).self) { try await sent.value }
        }
    }
}
