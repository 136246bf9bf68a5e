import ComponentHost
import ComponentKit
import HostControl
import TestSupport
import Testing

/// What `CallerContextTests` checks of calls, for the requests of clients.
@Suite("The session of a client's request")
struct ClientContextTests {
    @Test("is that of the program, whoever answers", arguments: ["now", "nowQuick", "thread", "hold", "suspend"])
    func client(selector: String) async throws {
        try await ServedHost.with(["FixtureComponent"]) { served in
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
