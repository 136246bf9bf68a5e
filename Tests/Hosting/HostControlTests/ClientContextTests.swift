import ComponentHost
import ComponentKit
import Foundation
import HostControl
import TestSupport
import Testing

/// What `CallerContextTests` checks of calls, for the requests of clients.
///
/// Nothing follows an answer in the host, so that methods tell whose session they are called and ended in. Once a client
/// has gone, or the server has stopped, no further request comes on the connection.
@Suite("The session of a client's request")
struct ClientContextTests {
    /// Calls `body` with a host that is served in nobody's session, or in that of a person, which no client may get into.
    private func serve(_ person: String?, body: (ServedHost) async throws -> Void) async throws {
        try await Session.with(try person.map { try Session(id: $0) }) {
            try await ServedHost.with(["FixtureComponent"], body: body)
        }
    }

    @Test(
        "is that of the program, whoever answers", arguments: ["now", "nowQuick", "thread", "hold", "suspend"],
        [nil, "ada"])
    func client(selector: String, person: String?) async throws {
        try await serve(person) { served in
            try await served.client { client in
                async let answer = client.value("WhoseLink", selector, kind: .object)
                if ["hold", "suspend"].contains(selector) {
                    #expect(await holds { try await served.host.call("WhoseLink", "heldCount") == 1 })
                    let grace = try Session(id: "grace")
                    #expect(try await Session.with(grace) { try await served.host.call("WhoseLink", "letGo") } == 1)
                }
                #expect(try await answer == "nobody")
                #expect(try await client.value("WhoseLink", "nowQuick", kind: .object) == "nobody")
            }
        }
    }

    /// Who ends a call that nobody answers.
    enum End: String, CaseIterable {
        case deadline, cancellation, departure, stop
    }

    @Test("is that of the program for a method that is ended, whoever does it", arguments: End.allCases, [nil, "ada"])
    func ended(end: End, person: String?) async throws {
        try await serve(person) { served in
            let client = try RawClient(served.socket)
            let isHeld = { try await served.host.call("WhoseLink", "heldCount").int() > 0 }
            var id = 1
            func begin(_ seconds: Int64?) async throws {
                try await client.send([
                    "id": Payload(id), "request": "call", "class": "WhoseLink", "selector": "suspend", "kind": "object",
                    "timeout": seconds.map { Payload.int($0 * 1_000_000_000) } ?? .null,
                ])
            }
            if end == .deadline {
                // A deadline may pass before the method begins.
                for seconds in [1, 4, 16, 64] as [Int64] {
                    try await begin(seconds)
                    if await holds(within: .seconds(seconds + 2), isHeld) { break }
                    #expect(try await client.receive()?["error"] != nil)
                    id += 1
                }
                try #require(try await isHeld())
            } else {
                try await begin(nil)
                #expect(await holds(isHeld))
            }
            let grace = try Session(id: "grace")
            switch end {
            case .deadline: break
            case .cancellation: try await client.send(["id": 1, "request": "cancel"])
            case .departure: shutdown(client.descriptor, Int32(SHUT_RDWR))
            case .stop: await Session.with(grace) { await served.server.stop(grace: .zero) }
            }
            // The method, and what it waits for.
            let areCancelled = await holds {
                let cancelled = try await served.host.call("WhoseLink", "cancelled").items()
                return cancelled.count >= 2 && cancelled.allSatisfy { $0 == "nobody" }
            }
            #expect(areCancelled)
            if end == .deadline || end == .cancellation {
                #expect(try await client.receive()?["error"] != nil)
                try await client.send([
                    "id": 100, "request": "call", "class": "WhoseLink", "selector": "nowQuick", "kind": "object",
                ])
                #expect(try await client.receive()?["value"] == "nobody")
            }
        }
    }

    @Test("a component's callback does not run on the event loop, although a quick method answers there")
    func callback() async throws {
        try await ServedHost.with(["FixtureComponent", "AsksOthers"]) { served in
            try await served.client { client in
                let question: Payload = ["class": "WhoseLink", "selector": "hold"]
                _ = try await client.value("AsksOthersLink", "ask", question)
                #expect(await holds { try await served.host.call("WhoseLink", "heldCount") == 1 })
                #expect(try await client.value("WhoseLink", "letGoQuick", kind: .object) == 1)
                #expect(await holds { try await client.value("AsksOthersLink", "answered") == 1 })
                #expect(try await client.value("AsksOthersLink", "thread") == "hslink-caller")
            }
        }
    }

    @Test("does not reach a call that the client answers")
    func person() async throws {
        try await ServedHost.with(["FixtureComponent"]) { served in
            try await served.client { client in
                let ada = try Session(id: "ada")
                async let answers = Session.with(ada) {
                    [
                        try await served.host.call("WhoseLink", "hold"),
                        try await served.host.call("WhoseLink", "nowQuick"),
                    ]
                }
                #expect(await holds { try await served.host.call("WhoseLink", "heldCount") == 1 })
                #expect(try await client.value("WhoseLink", "letGo", kind: .object) == 1)
                #expect(try await answers == ["ada", "ada"])
            }
        }
    }
}
