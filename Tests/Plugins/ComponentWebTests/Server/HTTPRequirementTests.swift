import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

/// What a request is answered with, as the standard of HTTP has it.
///
/// In the texts, words in capitals stand for what differs: HOST, PORT, STYLE and FILM for the URLs of two files, TAG and
/// FILMTAG for their entity tags, BARE for the former without quotes, FILMDATE for the time of the film, COOKIE for the
/// session of the browser, BEARER for the header with the token of a program.
struct HTTPRequirement: Sendable {
    /// The RFC and the section.
    let section: String
    let request: String
    let status: Int
    /// Headers by name in lower case; "*" is any value.
    let headers: [String: String]
    /// Headers that the answer must not have.
    let absent: [String]
    /// What the body contains.
    let text: String

    init(
        _ section: String, _ request: String, gives status: Int, headers: [String: String] = [:], absent: [String] = [],
        text: String = ""
    ) {
        self.section = section
        self.request = request
        self.status = status
        self.headers = headers
        self.absent = absent
        self.text = text
    }

    /// A request without a body, with these lines of headers.
    static func ask(_ start: String, _ lines: String...) -> String {
        (["\(start) HTTP/1.1", "Host: HOST", "Cookie: COOKIE"] + lines + ["Connection: close", "", ""]).joined(
            separator: "\r\n")
    }

    /// A request that announces a body of this length.
    static func post(_ path: String, _ lines: String..., length: Int? = nil, body: String = "") -> String {
        let length = ["Content-Length: \(length ?? body.utf8.count)"]
        return (["POST \(path) HTTP/1.1", "Host: HOST"] + lines + length + ["Connection: close", "", body])
            .joined(separator: "\r\n")
    }
}

@Suite("What the standard of HTTP requires", .enabled(if: WebPlace.isComplete))
struct HTTPRequirementTests {
    let place: WebPlace

    init() throws {
        place = try WebPlace()
        let sample = BuiltProducts.packageDirectory.appending(path: "Tests/Samples/clip.mp4").path
        try place.directory.makeDirectory("data/ComponentVideo/films")
        try place.directory.setMode(0o700, of: "data/ComponentVideo")
        try FileManager.default.copyItem(
            atPath: sample, toPath: place.directory.path(of: "data/ComponentVideo/films/clip.mp4"))
    }

    @Test("holds over real connections")
    func requirements() async throws {
        #expect(HTTPRequirement.all.count >= 60)
        let token = TokenDigest.newToken()
        let programs = #"{"token": "\#(TokenDigest(of: token))", "classes": ["WebPagesLink"], "metrics": true}"#
        try await place.withWeb(#""hosts": ["studio.example"], "programs": \#(programs)"#) { web in
            let cookie = try await web.newCookie()
            let page = try await web.ask("GET", "/pages/home", ["Cookie": cookie])
            let style = try #require(page.between(#"<link rel="stylesheet" href=""#, "\""))
            var film: String?
            let isShown = await holds(within: .seconds(60)) {
                film = try await web.ask("GET", "/pages/player", ["Cookie": cookie]).between("src=\"/media/", "\"")
                return film != nil
            }
            #expect(isShown)
            let filmURL = "/media/\(try #require(film))"
            let tag = try #require(try await web.ask("HEAD", style).headers["etag"])
            let filmHead = try await web.ask("HEAD", filmURL, ["Cookie": cookie])
            // Signatures and tokens come last, which may contain any of these words.
            let words = [
                ("FILMTAG", try #require(filmHead.headers["etag"])),
                ("FILMDATE", try #require(filmHead.headers["last-modified"])),
                ("BARE", String(tag.dropFirst().dropLast())), ("TAG", tag), ("STYLE", style),
                ("HOST", "localhost:\(web.port)"), ("PORT", "\(web.port)"), ("FILM", filmURL), ("COOKIE", cookie),
                ("BEARER", "Authorization: Bearer \(token)"),
            ]
            for requirement in HTTPRequirement.all {
                func filled(_ text: String) -> String {
                    words.reduce(text) { $0.replacing($1.0, with: $1.1) }
                }
                let name = "\(requirement.section): \(requirement.request.prefix(200))"
                let answer = try await web.exchange(filled(requirement.request))
                #expect(answer.status == requirement.status, "\(name) \(answer.text.prefix(300))")
                #expect(answer.headers["date"] != nil, "\(name)")
                for (header, value) in requirement.headers {
                    let found = answer.headers[header]
                    #expect(value == "*" ? found != nil : found == filled(value), "\(name) \(header): \(found ?? "-")")
                }
                for header in requirement.absent { #expect(answer.headers[header] == nil, "\(name) \(header)") }
                let hasNoBody = requirement.request.hasPrefix("HEAD") || answer.status == 304
                if hasNoBody { #expect(answer.body.isEmpty, "\(name)") }
                #expect(requirement.text.isEmpty || answer.text.contains(requirement.text), "\(name) \(answer.text)")
            }
        }
    }

    @Test(
        "nothing is answered after an answer that says that it is the last one",
        arguments: [
            "POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
            "GET /pages/home HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n",
            "GET /pages/home HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "BREW /pages/home HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "POST /pages/home/perform HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        ])
    func last(request: String) async throws {
        try await place.withWeb { web in
            let port = web.port
            let bytes = try await onOwnThread {
                let connection = try RawConnection(port: port)
                connection.send(request + "GET /pages/home HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return connection.readAll()
            }
            let answer = try #require(HTTPAnswer(bytes))
            #expect(answer.headers["connection"] == "close")
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2, "\(text)")
        }
    }

    @Test(
        "a client that sends all of a body that is refused, before it reads, gets the answer",
        arguments: ["", "Connection: close\r\n"])
    func refusedBody(line: String) async throws {
        try await place.withWeb { web in
            let port = web.port
            // More than systems keep for a reader that does not read. The server reads on for a moment only, which may
            // be too short on a busy machine.
            let isAnswered = await holds {
                try await onOwnThread {
                    let body = [UInt8](repeating: UInt8(ascii: "a"), count: 16 << 20)
                    let connection = try RawConnection(port: port)
                    connection.send(
                        "POST /nothing HTTP/1.1\r\nHost: localhost\r\n\(line)Content-Length: \(body.count)\r\n\r\n")
                    return connection.send(body) && HTTPAnswer(connection.readAll())?.status == 404
                }
            }
            #expect(isAnswered)
        }
    }

    @Test("a connection stays open for other requests if nothing ends it")
    func persistent() async throws {
        try await place.withWeb { web in
            let port = web.port
            let bytes = try await onOwnThread {
                let connection = try RawConnection(port: port)
                let ask = "GET /nothing HTTP/1.1\r\nHost: localhost\r\n"
                connection.send("\(ask)\r\n\(ask)\r\n\(ask)Connection: Close\r\n\r\n")
                return connection.readAll()
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.components(separatedBy: "HTTP/1.1 404").count == 4, "\(text)")
            #expect(text.lowercased().components(separatedBy: "connection: close").count == 2)
        }
    }

    @Test("who is refused for want of room is told when to come again")
    func later() async throws {
        try await place.withWeb(#""maximumStreams": 1"#) { web in
            let cookie = try await web.newCookie()
            let port = web.port
            let first = try await onOwnThread {
                let connection = try RawConnection(port: port)
                connection.send("GET /pages/home/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
                _ = connection.readAll { String(decoding: $0, as: UTF8.self).contains("retry:") }
                return connection
            }
            let answer = try await web.ask("GET", "/pages/home/events", ["Cookie": cookie])
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
            #expect(answer.headers["connection"] == "close")
            first.leave()
        }
    }
}
