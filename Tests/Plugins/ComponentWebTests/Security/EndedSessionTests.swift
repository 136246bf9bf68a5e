import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentWeb

@Suite("Sessions of browsers that have ended")
struct EndedSessionTests {
    private let directory: TemporaryDirectory
    private let now = 1_800_000_000

    init() throws { directory = try TemporaryDirectory() }

    private var file: String { directory.path(of: "ended") }

    @Test("stay ended after a restart, until their cookies are too old")
    func kept() async throws {
        let sessions = try EndedSessions(file: file, now: now)
        try await sessions.add("first", now: now)
        try await sessions.add("second", now: now + 1)
        #expect(sessions.contains("first") && sessions.contains("second") && !sessions.contains("third"))
        let again = try EndedSessions(file: file, now: now + SessionKeys.lifetime)
        #expect(!again.contains("first") && again.contains("second"))
        // Who reads the file learns no id.
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2 && !text.contains("first"))
        try await again.add("third", now: now + SessionKeys.lifetime)
        #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 2)
    }

    @Test("count for a moment as ones whose browsers may not know")
    func grace() async throws {
        let sessions = EndedSessions()
        try await sessions.add("a", now: now)
        #expect(sessions.hasJustEnded("a", now: now + 59))
        #expect(!sessions.hasJustEnded("a", now: now + 60) && sessions.contains("a"))
        #expect(!sessions.hasJustEnded("b", now: now))
    }

    @Test("are limited in number: the oldest are dropped")
    func limit() async throws {
        let sessions = EndedSessions()
        try await sessions.add("oldest", now: now)
        for number in 1..<EndedSessions.most { try await sessions.add("\(number)", now: now + 1) }
        #expect(sessions.contains("oldest"))
        try await sessions.add("newest", now: now + 1)
        #expect(!sessions.contains("oldest") && sessions.contains("1") && sessions.contains("newest"))
    }

    @Test(
        "are not read from a file of another form",
        arguments: ["x", "1 x\n", "1\n", " ", "a \(String(repeating: "b", count: 44))\n", "1 2 3"])
    func malformed(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: file))
        #expect(throws: EndedSessions.Malformed.self) { try EndedSessions(file: file, now: now) }
    }

    @Test("that cannot be written down are ended all the same")
    func unwritable() async throws {
        let sessions = try EndedSessions(file: directory.path(of: "none/ended"), now: now)
        await #expect(throws: (any Error).self) { try await sessions.add("a", now: now) }
        #expect(sessions.contains("a"))
    }

    @Test("are over, and so are those whose cookies are too old")
    func over() async {
        let keys = SessionKeys(secret: [UInt8](repeating: 1, count: 32), password: nil)
        let sessions = BrowserSessions(keys, trusted: EndedSessions(), isSecure: false) { _, _ in }
        let now = Int(Date.now.timeIntervalSince1970)
        for isTrusted in [false, true] {
            let web = keys.new(isTrusted: isTrusted, now: now)
            #expect(!sessions.isOver(web))
            #expect(sessions.isOver(keys.new(isTrusted: isTrusted, now: now - SessionKeys.lifetime)))
            await sessions.end(web)
            #expect(sessions.isOver(web))
        }
    }

    @Test("and the name of the cookie differs from port to port, as the browser sees it")
    func names() {
        for (authority, port, isSecure, name) in [
            ("localhost:8080", 8080, false, "hslink-8080"), ("localhost:9000", 8080, false, "hslink-9000"),
            ("[::1]:81", 8080, false, "hslink-81"), ("studio.example", 8080, true, "__Host-hslink-8080"),
            ("studio.example:8443", 8080, true, "__Host-hslink-8443"), (nil, nil, false, "hslink"),
        ] as [(String?, Int?, Bool, String)] {
            #expect(BrowserSessions.cookieName(authority, listeningAt: port, isSecure: isSecure) == name)
        }
    }
}
