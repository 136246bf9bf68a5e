import ComponentHost
import ComponentKit
import Foundation
import HostControl
import TestSupport
import Testing

@Suite("Answers that clients do not read")
struct UnreadAnswerTests {
    /// A request of about this size.
    private func request(_ id: Int, _ className: String, _ selector: String, _ count: Int) throws -> [UInt8] {
        let request: Payload = [
            "id": Payload(id), "request": "call", "class": .string(className), "selector": .string(selector),
            "kind": "class", "payload": .bytes([UInt8](repeating: 1, count: count)),
        ]
        return RawClient.frame(try request.cbor())
    }

    /// A request whose answer has about this size.
    private func echo(_ id: Int, _ count: Int) throws -> [UInt8] { try request(id, "CGoodLink", "echo", count) }

    private func echoes(_ count: Int, of size: Int) throws -> [UInt8] {
        try (0..<count).flatMap { try echo($0, size) }
    }

    /// Reads until the end of a connection.
    ///
    /// - Returns: The number of answers, and the code of the reason.
    private func rest(_ raw: RawClient) async throws -> (answers: Int, reason: String?) {
        var answers = 0
        while let answer = try await raw.receive() {
            guard try answer.value("id").isNull else {
                answers += 1
                continue
            }
            let reason = try answer.value("refusal", "code").string()
            #expect(try await raw.receive() == nil)
            return (answers, reason)
        }
        return (answers, nil)
    }

    @Test(
        "no more requests of a client are read until it reads, and all are answered then",
        arguments: [(2000, 7000), (64, 1 << 20)])
    func pause(count: Int, size: Int) async throws {
        var limits = ControlLimits()
        limits.unreadBytesBeforePause = 1 << 20
        // If requests were read on, the connection would end. How many large ones are read before the first answer is
        // there is not certain.
        if size < 8 << 10 { limits.unreadBytes = 8 << 20 }
        try await ServedHost.with(["CGood"], limits: limits) { served in
            let raw = try RawClient(served.socket)
            let all = try echoes(count, of: size)
            async let sent = raw.send(all)
            // The first answer is there, and others are made meanwhile.
            #expect(await holds { raw.hasUnreadBytes })
            for _ in 0..<100 {
                let echoed = try await served.client { try await $0.value("CGoodLink", "echo", 1) }
                #expect(echoed == 1)
            }
            var ids: Set<Int> = []
            for _ in 0..<count { ids.insert(try #require(try await raw.receive()).int("id")) }
            #expect(ids == Set(0..<count))
            #expect(await sent == all.count)
        }
    }

    /// Leaves about 2 MB of answers unread, more than a socket holds and less than what the host pauses for.
    ///
    /// - Returns: The number of answers. The request after them is in flight until the connection ends.
    private func leaveAnswers(_ raw: RawClient, _ served: ServedHost) async throws -> Int {
        func begun() async throws -> Int { try await served.host.call("NeverRepliesLink", "begun", kind: .class).int() }
        let (count, before) = (300, try await begun())
        let requests = try echoes(count, of: 7000) + request(count, "NeverRepliesLink", "run", 0)
        #expect(await raw.send(requests) == requests.count)
        // All others have been read before it, and have ended.
        #expect(await holds { try await begun() == before + 1 && served.server.callsInFlight == 1 })
        return count
    }

    @Test(
        "requests in flight count while answers are unread, and a client that reads may have any number of them",
        arguments: [("run", 32, 1 << 20), ("runQuick", 32, 1 << 20), ("run", 3000, 100)])
    func inFlight(selector: String, count: Int, size: Int) async throws {
        try await ServedHost.with(["CGood", "NeverReplies"]) { served in
            let raw = try RawClient(served.socket)
            let answers = try await leaveAnswers(raw, served)
            let all = try (1...count).flatMap { try request(answers + $0, "NeverRepliesLink", selector, size) }
            async let sent = raw.send(all)
            // The first ones are read, and others could be meanwhile.
            #expect(await holds { served.server.callsInFlight > 2 })
            for _ in 0..<100 {
                let echoed = try await served.client { try await $0.value("CGoodLink", "echo", 1) }
                #expect(echoed == 1)
                #expect(served.server.callsInFlight < count / 2)
            }
            for _ in 0..<answers { _ = try #require(try await raw.receive()) }
            #expect(await holds { served.server.callsInFlight == count + 1 })
            #expect(await sent == all.count)
        }
    }

    @Test("requests that came in one piece with others wait, too")
    func burst() async throws {
        var limits = ControlLimits()
        limits.unreadBytesBeforePause = 64 << 10
        limits.unreadBytes = 256 << 10
        try await ServedHost.with(["CGood"], limits: limits) { served in
            let raw = try RawClient(served.socket)
            let count = 5000
            let all = try echoes(count, of: 100)
            async let sent = raw.send(all)
            var ids: Set<Int> = []
            for _ in 0..<count { ids.insert(try #require(try await raw.receive()).int("id")) }
            #expect(ids == Set(0..<count))
            #expect(await sent == all.count)
        }
    }

    @Test("a connection with too many unread answers is ended, and its client learns why")
    func oneConnection() async throws {
        var limits = ControlLimits()
        limits.unreadBytesBeforePause = 1 << 30
        limits.unreadBytes = 2 << 20
        limits.patienceAfterEnd = .seconds(600)
        try await ServedHost.with(["CGood"], limits: limits) { served in
            let raw = try RawClient(served.socket)
            let all = try echoes(1000, of: 7000)
            #expect(await raw.send(all) == all.count)
            // By now the host has read almost all of them.
            let (answers, reason) = try await rest(raw)
            #expect(answers < 500)
            #expect(reason == "tooMuch")
        }
    }

    @Test("a single answer may be larger than the limit of a connection")
    func largeAnswer() async throws {
        var limits = ControlLimits()
        limits.unreadBytes = 1 << 20
        try await ServedHost.with(["CGood"], limits: limits) { served in
            let raw = try RawClient(served.socket)
            await raw.send(try echo(1, 5 << 20))
            #expect(try await raw.receive()?.int("id") == 1)
            await raw.send(try echo(2, 5 << 20))
            #expect(try await raw.receive()?.int("id") == 2)
        }
    }

    @Test("all connections together have a limit, and those that read are served")
    func allConnections() async throws {
        var limits = ControlLimits()
        limits.unreadBytesBeforePause = 8 << 20
        limits.totalUnreadBytes = 16 << 20
        limits.patienceAfterEnd = .seconds(600)
        try await ServedHost.with(["CGood"], limits: limits) { served in
            var idle: [RawClient] = []
            for _ in 0..<8 {
                let raw = try RawClient(served.socket)
                let requests = try echoes(900, of: 7000)
                #expect(await raw.send(requests) == requests.count)
                idle.append(raw)
                // A client that reads gets every answer, however many others do not.
                let large = Payload.bytes([UInt8](repeating: 1, count: 6 << 20))
                let echoed = try await served.client { try await $0.value("CGoodLink", "echo", large) }
                #expect(echoed == large)
            }
            var reasons: [String?] = []
            for raw in idle.prefix(4) { reasons.append(try await rest(raw).reason) }
            #expect(reasons == ["tooMuch", "tooMuch", "tooMuch", "tooMuch"])
        }
    }
}
