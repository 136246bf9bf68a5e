import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Clients that wait until they are asked for the body of a request", .enabled(if: WebPlace.isComplete))
struct ExpectationTests {
    let place: WebPlace

    init() throws { place = try WebPlace() }

    private static let asked = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private func head(_ path: String, _ headers: String, length: Int) -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)Expect: 100-continue\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static func isComplete(_ bytes: [UInt8]) -> Bool { bytes.firstRange(of: Array("\r\n\r\n".utf8)) != nil }

    /// Sends the head of a request, and its body once it is asked for. Returns the answer, and whether the client was
    /// asked.
    private func exchange(
        _ head: String, body: String, port: Int
    ) async throws -> (wasAsked: Bool, answer: HTTPAnswer?) {
        try await onOwnThread {
            let connection = try RawConnection(port: port)
            connection.send(head)
            let first = connection.readAll(until: Self.isComplete)
            guard first.starts(with: Self.asked) else { return (false, HTTPAnswer(first)) }
            connection.send(body)
            // Nothing but the answer follows.
            let rest = Array(first.dropFirst(Self.asked.count))
            return (true, HTTPAnswer(rest + connection.readAll(until: Self.isComplete)))
        }
    }

    @Test("are asked before it is read, whoever reads it")
    func asked() async throws {
        let token = TokenDigest.newToken()
        let programs = #""programs": {"token": "\#(TokenDigest(of: token).description)", "classes": ["*"]}"#
        try await place.withWeb(programs) { web in
            let form = "token=x"
            let posted = try await exchange(
                head(
                    "/pages/home/perform", "Content-Type: application/x-www-form-urlencoded\r\n",
                    length: form.utf8.count
                ), body: form, port: web.port)
            #expect(posted.wasAsked)
            #expect(posted.answer?.status == 403)
            let json = #"{"password": "correct horse"}"#
            let called = try await exchange(
                head(
                    "/call/WebPagesLink/hash",
                    "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n", length: json.utf8.count),
                body: json, port: web.port)
            #expect(called.wasAsked)
            #expect(called.answer?.status == 200)
        }
    }

    @Test(
        "are not asked if the request is refused without it",
        arguments: [
            ("/pages/home/perform", "Content-Type: application/x-www-form-urlencoded\r\n", 1_000_000, 413),
            ("/pages/home/perform", "Content-Type: text/plain\r\n", 7, 415), ("/nothing", "", 7, 404),
            ("/pages/home/perform", "Sec-Fetch-Site: cross-site\r\n", 7, 403),
        ])
    func refused(path: String, headers: String, length: Int, status: Int) async throws {
        try await place.withWeb { web in
            let refused = try await exchange(head(path, headers, length: length), body: "", port: web.port)
            #expect(!refused.wasAsked)
            #expect(refused.answer?.status == status)
        }
    }
}
