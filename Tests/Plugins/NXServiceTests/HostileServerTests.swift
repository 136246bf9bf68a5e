import ComponentKit
import Foundation
import HostTestSupport
import NXServiceContract
import TestSupport
import Testing

@Suite("Servers that mean harm")
struct HostileServerTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    /// What a server does, and what becomes of a request to it.
    struct Case: Sendable, CustomTestStringConvertible {
        enum Ending { case unreachable, tooLarge, timedOut }

        let testDescription: String
        let text: String
        let endless: String
        let ending: Ending
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let letters = String(repeating: "x", count: 1000)

    private static let cases = [
        Case(testDescription: "endless headers", text: ok, endless: "a: b\r\n", ending: .unreachable),
        Case(testDescription: "an endless header", text: "\(ok)a: ", endless: letters, ending: .unreachable),
        Case(testDescription: "an endless name", text: ok, endless: letters, ending: .unreachable),
        Case(testDescription: "an endless reason", text: "HTTP/1.1 200 ", endless: letters, ending: .timedOut),
        Case(testDescription: "an endless body", text: "\(ok)\r\n", endless: letters, ending: .tooLarge),
        Case(
            testDescription: "endless chunks", text: "\(ok)Transfer-Encoding: chunked\r\n\r\n",
            endless: "3e8\r\n\(letters)\r\n", ending: .tooLarge),
        Case(
            testDescription: "endless trailers", text: "\(ok)Transfer-Encoding: chunked\r\n\r\n0\r\n",
            endless: "a: b\r\n", ending: .unreachable),
        Case(
            testDescription: "a body announced as huge", text: "\(ok)Content-Length: 9223372036854775807\r\n\r\n",
            endless: "", ending: .tooLarge),
        Case(
            testDescription: "a body announced as more than huge",
            text: "\(ok)Content-Length: 99999999999999999999\r\n\r\n", endless: "", ending: .unreachable),
        Case(
            testDescription: "a length that is no number", text: "\(ok)Content-Length: abc\r\n\r\n", endless: "",
            ending: .unreachable),
        Case(
            testDescription: "a negative length", text: "\(ok)Content-Length: -1\r\n\r\n", endless: "",
            ending: .unreachable),
        Case(
            testDescription: "two lengths", text: "\(ok)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", endless: "",
            ending: .unreachable),
        Case(
            testDescription: "a body that is not compressed as announced",
            text: "\(ok)Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", endless: "",
            ending: .unreachable),
        Case(
            testDescription: "less than announced", text: "\(ok)Content-Length: 5\r\n\r\nab", endless: "",
            ending: .timedOut),
        Case(
            testDescription: "endless announcements of an answer", text: "",
            endless: "HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n", ending: .timedOut),
    ]

    @Test("a request ends with an error, and the next one is answered", arguments: cases)
    func answers(row: Case) async throws {
        let server = try WebServer(raw: row.text, endless: row.endless)
        let good = try WebServer(["/a": .document(type: "text/plain", [1])])
        // Only what never ends waits for the limit.
        let timeout = row.ending == .timedOut ? 0.5 : 30
        try await place.withWeb(.file, #"{"maximumBytes": 100000}"#) { web, _ async throws in
            for method in [WebMethod.get, .post] {
                let request = WebRequest(method: method, url: server.url("/"), timeout: timeout)
                let error = await webError { try await web.send(request) }
                switch (error, row.ending) {
                case (.unreachable("127.0.0.1", _)?, .unreachable): break
                case (.tooLarge(request.url, 100_000)?, .tooLarge): break
                case (.timedOut("127.0.0.1", 0.5)?, .timedOut): break
                default: Issue.record("\(method): \(String(describing: error))")
                }
            }
            #expect(try await web.send(WebRequest(url: good.url("/a"))).body == Data([1]))
        }
    }

    @Test("an answer without a body may be announced as compressed", arguments: ["gzip", "deflate", "br"])
    func noBody(coding: String) async throws {
        let headers = ["content-encoding": coding]
        let server = try WebServer(["/a": .document(type: "text/plain", [1, 2, 3], headers: headers)])
        try await place.withWeb { web, _ async throws in
            let head = try await web.send(WebRequest(method: .head, url: server.url("/a")))
            #expect(head.status == 200 && head.body.isEmpty)
            for code in [200, 204, 304] {
                server.answer("/a", .status(code, headers: headers))
                #expect(try await web.send(WebRequest(url: server.url("/a"))).status == code)
            }
        }
    }

    @Test("a compressed body is decompressed, and its headers describe it then")
    func compressed() async throws {
        // "hello", by gzip.
        let bytes: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let server = try WebServer()
        try await place.withWeb { web, _ async throws in
            for coding in ["gzip", "GZip", "gzip, identity"] {
                let headers = ["content-encoding": coding, "etag": "1"]
                server.answer("/a", .document(type: "text/plain", bytes, headers: headers))
                let answer = try await web.send(WebRequest(url: server.url("/a")))
                #expect(answer.body == Data("hello".utf8), "\(coding)")
                #expect(answer.header("content-encoding") == nil && answer.header("content-length") == nil)
                #expect(answer.header("etag") == "1")
            }
        }
    }

    @Test("a server that is silent, slow or gone costs no more than the time of the request")
    func slow() async throws {
        let server = try WebServer(["/silence": .silence, "/drip": .drip, "/cut": .cutOff])
        try await place.withWeb { web, _ async throws in
            for path in ["/silence", "/drip"] {
                let request = WebRequest(method: .delete, url: server.url(path), timeout: 0.5)
                #expect(
                    await webError { try await web.send(request) } == .timedOut(host: "127.0.0.1", seconds: 0.5),
                    "\(path)")
            }
            let cut = await webError { try await web.send(WebRequest(url: server.url("/cut"), retries: 2)) }
            guard case .unreachable("127.0.0.1", _)? = cut else {
                Issue.record("\(String(describing: cut))")
                return
            }
            // An answer that has begun is not requested again.
            #expect(server.requests.count { $0 == "/cut" } == 1)
        }
    }
}
