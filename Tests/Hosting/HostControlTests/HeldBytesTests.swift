import ComponentHost
import ComponentKit
import Foundation
import HostControl
import TestSupport
import Testing

@Suite("Memory of the requests of all clients")
struct HeldBytesTests {
    private static func limits() -> ControlLimits {
        var limits = ControlLimits()
        limits.totalRequestBytes = 4 << 20
        return limits
    }

    private func echo(
        _ id: Int, _ count: Int, _ className: String = "CGoodLink", _ selector: String = "echo"
    ) -> Payload {
        [
            "id": Payload(id), "request": "call", "class": .string(className), "selector": .string(selector),
            "kind": "class", "payload": .bytes([UInt8](repeating: 1, count: count)),
        ]
    }

    @Test("endless frames occupy memory up to a limit, and small requests continue")
    func unfinished() async throws {
        try await ServedHost.with(["CGood"], limits: HeldBytesTests.limits()) { served in
            // A frame of 8 MB that may continue after 1 MB, or never.
            let begun: [UInt8] = [0, 0x80, 0, 0] + [UInt8](repeating: 0, count: 1 << 20)
            var clients: [RawClient] = []
            for _ in 0..<8 {
                let raw = try RawClient(served.socket)
                await raw.send(begun)
                clients.append(raw)
            }
            // Clients beyond the limit get an error, and are disconnected.
            let isRefused = await holds { clients.contains { $0.hasUnreadBytes } }
            #expect(isRefused)
            let refused = try #require(clients.first { $0.hasUnreadBytes })
            #expect(try await refused.receive()?.value("refusal", "code") == "tooMuch")
            #expect(try await refused.receive() == nil)
            let echoed = try await served.client { try await $0.value("CGoodLink", "echo", 1) }
            #expect(echoed == 1)
            // When they have disconnected, their space is available to others.
            clients.removeAll()
            let large = Payload.bytes([UInt8](repeating: 1, count: 3 << 20))
            let isServed = await holds {
                (try? await served.client { try await $0.value("CGoodLink", "echo", large) }) == large
            }
            #expect(isServed)
        }
    }

    @Test("requests of all connections may occupy the limit, and requests beyond it are refused")
    func underWay() async throws {
        try await ServedHost.with(["CGood", "NeverReplies"], limits: HeldBytesTests.limits()) { served in
            let clients = try (0..<3).map { _ in try RawClient(served.socket) }
            for (id, raw) in clients.prefix(2).enumerated() {
                try await raw.send(echo(id, 1_900_000, "NeverRepliesLink", "run"))
            }
            let haveBegun = await holds { served.server.callsInFlight == 2 }
            #expect(haveBegun)
            try await clients[2].send(echo(5, 1_000_000))
            let refused = try #require(try await clients[2].receive())
            #expect(try refused.value("refusal", "code") == "tooMuch")
            let small = try RawClient(served.socket)
            try await small.send(echo(6, 1000))
            #expect(try await small.receive()?.int("id") == 6)
            // A request that ends releases its space.
            try await clients[0].send(["id": 0, "request": "cancel"])
            #expect(try await clients[0].receive()?.value("error", "code").int() == 8)
            let again = try RawClient(served.socket)
            try await again.send(echo(7, 1_000_000))
            #expect(try await again.receive()?.int("id") == 7)
        }
    }
}
