import ComponentHost
import ComponentKit
import Foundation
import HostControl
import TestSupport
import Testing

@Suite("Hostile frames")
struct HostileFrameTests {
    @Test("a malformed frame is answered and the connection closed", arguments: MalformedFrame.all)
    func malformed(row: MalformedFrame) async throws {
        try await ServedHost.with(["CGood"]) { served in
            let raw = try RawClient(served.socket)
            await raw.send(row.bytes)
            let answer = try #require(try await raw.receive())
            #expect(try answer.value("id").isNull)
            #expect(try answer.value("refusal", "code") == "malformed")
            #expect(try answer.value("refusal", "message").string().contains(row.says))
            let end = try await raw.receive()
            #expect(end == nil)
            // Other clients are still served.
            let echoed = try await served.client { try await $0.value("CGoodLink", "echo", 1) }
            #expect(echoed == 1)
        }
    }

    @Test("an unknown or incomplete request is refused, and the connection stays open")
    func unknown() async throws {
        let requests: [(Payload, String)] = [
            (["id": 1, "request": "reboot"], "unknownRequest"), (["id": 1], "malformed"),
            (["id": 1, "request": 7], "malformed"), (["id": 1, "request": "call"], "malformed"),
            (["id": 1, "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "static"], "malformed"),
            (["id": 1, "request": "call", "class": "CGoodLink", "selector": "echo", "timeout": "soon"], "malformed"),
        ]
        try await ServedHost.with(["CGood"]) { served in
            let raw = try RawClient(served.socket)
            for (request, code) in requests {
                try await raw.send(request)
                let answer = try #require(try await raw.receive())
                #expect(try answer.int("id") == 1)
                #expect(try answer.value("refusal", "code") == Payload(code))
            }
            try await raw.send(["id": 99, "request": "cancel"])
            try await raw.send([
                "id": 2, "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class", "payload": "on",
                "later": ["versions": "may say more"],
            ])
            let answer = try await raw.receive()
            #expect(answer == ["id": 2, "value": "on"])
        }
    }

    @Test("a request with an id in flight is refused, and everything else continues")
    func twice() async throws {
        try await ServedHost.with(["NeverReplies", "CGood"]) { served in
            let raw = try RawClient(served.socket)
            func run(_ id: Int) -> Payload {
                ["id": Payload(id), "request": "call", "class": "NeverRepliesLink", "selector": "run", "kind": "class"]
            }
            for id in [1, 2, 1] { try await raw.send(run(id)) }
            let refused = try #require(try await raw.receive())
            #expect(try refused.int("id") == 1)
            #expect(try refused.value("refusal", "code") == "idInUse")
            #expect(served.server.callsInFlight == 2)
            try await raw.send([
                "id": 3, "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class", "payload": "on",
            ])
            #expect(try await raw.receive() == ["id": 3, "value": "on"])
            for id in [1, 2] {
                try await raw.send(["id": Payload(id), "request": "cancel"])
                let ended = try #require(try await raw.receive())
                #expect(try ended.int("id") == id)
                #expect(try ended.value("error", "code").int() == 8)
            }
        }
    }

    @Test("an id is free as soon as its answer can be read", arguments: ["CGoodLink", "NoSuchLink"])
    func again(className: String) async throws {
        try await ServedHost.with(["CGood"]) { served in
            let raw = try RawClient(served.socket)
            let request: Payload = [
                "id": 7, "request": "call", "class": .string(className), "selector": "echo", "kind": "class",
                "payload": 1, "timeout": 600_000_000_000,
            ]
            let bytes = RawClient.frame(try request.cbor())
            let answers = await awaitResume { (resume: @escaping @Sendable ([Payload]) -> Void) in
                Thread.detachNewThread { resume((0..<3000).compactMap { _ in raw.exchangeBlocking(bytes) }) }
            }
            #expect(answers.count == 3000)
            #expect(answers.allSatisfy { $0["refusal"] == nil && (try? $0.int("id")) == 7 })
        }
    }

    @Test("large requests are read one after the other, and later requests wait")
    func large() async throws {
        try await ServedHost.with(["CGood", "NeverReplies"]) { served in
            let raw = try RawClient(served.socket)
            var bytes: [UInt8] = []
            for id in 0..<6 {
                let request: Payload = [
                    "id": Payload(id), "request": "call", "class": "NeverRepliesLink", "selector": "run",
                    "kind": "class", "payload": .bytes([UInt8](repeating: 1, count: 300_000)),
                ]
                bytes += RawClient.frame(try request.cbor())
                bytes += RawClient.frame(try (["id": Payload(id), "request": "cancel"] as Payload).cbor())
            }
            await raw.send(bytes)
            // No cancellation arrived before its call.
            var ended: Set<Int> = []
            for _ in 0..<6 {
                let answer = try #require(try await raw.receive())
                #expect(try answer.value("error", "code").int() == 8)
                ended.insert(try answer.int("id"))
            }
            #expect(ended == Set(0..<6))
        }
    }

    @Test("a frame may arrive in any pieces, and be cut off", arguments: [1, 3, 4, 5])
    func pieces(size: Int) async throws {
        try await ServedHost.with(["CGood"]) { served in
            let raw = try RawClient(served.socket)
            let request: Payload = [
                "id": 1, "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class", "payload": 5,
            ]
            let bytes = RawClient.frame(try request.cbor())
            for start in stride(from: 0, to: bytes.count, by: size) {
                await raw.send(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            let answer = try await raw.receive()
            #expect(answer == ["id": 1, "value": 5])
            await raw.send(Array(bytes.dropLast()))
        }
    }

    @Test(
        "a connection whose client stops within a frame is ended, and one without a frame under way stays open",
        arguments: [1, 3, 4, 20])
    func unfinished(size: Int) async throws {
        var limits = ControlLimits()
        limits.patienceWithinFrame = .milliseconds(100)
        try await ServedHost.with(["CGood"], limits: limits) { served in
            let request: Payload = [
                "id": 1, "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class", "payload": 5,
            ]
            let idle = try RawClient(served.socket)
            try await idle.send(request)
            #expect(try await idle.receive() == ["id": 1, "value": 5])
            let raw = try RawClient(served.socket)
            await raw.send(RawClient.frame(try request.cbor()).prefix(size) + [])
            let refusal = try await raw.receive()?.value("refusal")
            #expect(
                refusal == [
                    "code": "malformed", "message": "the rest of a request did not arrive within 0.1 seconds",
                ])
            #expect(try await raw.receive() == nil)
            try await idle.send(request)
            #expect(try await idle.receive() == ["id": 1, "value": 5])
        }
    }

    @Test("calls beyond the limit are refused, those within are answered")
    func tooMany() async throws {
        var limits = ControlLimits()
        limits.calls = 10
        try await ServedHost.with(["NeverReplies"], limits: limits) { served in
            let raw = try RawClient(served.socket)
            for id in 0..<15 {
                try await raw.send([
                    "id": Payload(id), "request": "call", "class": "NeverRepliesLink", "selector": "run",
                    "kind": "class",
                ])
            }
            for id in 10..<15 {
                let answer = try #require(try await raw.receive())
                #expect(try answer.int("id") == id)
                #expect(try answer.value("refusal", "code") == "tooMuch")
            }
            for id in 0..<10 { try await raw.send(["id": Payload(id), "request": "cancel"]) }
            var ended: Set<Int> = []
            for _ in 0..<10 {
                let answer = try #require(try await raw.receive())
                #expect(try answer.value("error", "code").int() == 8)
                ended.insert(try answer.int("id"))
            }
            #expect(ended == Set(0..<10))
        }
    }

    @Test("thousands of calls sent at once are all answered")
    func flood() async throws {
        try await ServedHost.with(["CGood"]) { served in
            let raw = try RawClient(served.socket)
            var bytes: [UInt8] = []
            for id in 0..<5000 {
                let request: Payload = [
                    "id": Payload(id), "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class",
                    "payload": Payload(id),
                ]
                bytes += RawClient.frame(try request.cbor())
            }
            let all = bytes
            async let sent = raw.send(all)
            var answered: Set<Int> = []
            for _ in 0..<5000 {
                let answer = try #require(try await raw.receive())
                let id = try answer.int("id")
                #expect(try answer.int("value") == id)
                answered.insert(id)
            }
            #expect(answered.count == 5000)
            #expect(await sent == all.count)
        }
    }

    @Test("clients beyond the limit get an error, and others are accepted when some have left")
    func connections() async throws {
        var limits = ControlLimits()
        limits.connections = 3
        try await ServedHost.with(["CGood"], limits: limits) { served in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let raw = try RawClient(served.socket)
                try await raw.send(["id": 1, "request": "list"])
                #expect(try await raw.receive()?["value"] != nil)
                clients.append(raw)
            }
            for _ in 0..<20 {
                let refused = try await RawClient(served.socket).receive()
                #expect(try refused?.value("refusal", "code") == "tooMuch")
            }
            clients.removeAll()
            let isServed = await holds { (try? await served.client { try await $0.list() }) != nil }
            #expect(isServed)
        }
    }

    @Test("an answer that is too long is an error, and the connection stays open")
    func longAnswer() async throws {
        var limits = ControlLimits()
        limits.frameBytes = 10_000
        try await ServedHost.with(["CGood"], limits: limits) { served in
            let raw = try RawClient(served.socket)
            func request(_ id: Int, _ count: Int) -> Payload {
                [
                    "id": Payload(id), "request": "call", "class": "CGoodLink", "selector": "echo", "kind": "class",
                    "payload": .bytes([UInt8](repeating: 1, count: count)),
                ]
            }
            // The answer to a request that just fits is shorter than the request.
            try await raw.send(request(1, 9_900))
            #expect(try await raw.receive()?.int("id") == 1)
            try await raw.send(request(2, 10_000))
            #expect(try await raw.receive()?.value("id").isNull == true)
        }
    }
}
