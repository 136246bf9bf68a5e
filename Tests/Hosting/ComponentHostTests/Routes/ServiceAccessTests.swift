import ComponentHost
import ComponentKit
import FixtureContract
import TestSupport
import Testing

@Suite("Clients that open the routes of their service")
struct ServiceAccessTests {
    /// Calls `body` with a client and the URLs that have been opened so far.
    private func withClient(
        _ depth: Depth, through access: ServiceAccess,
        body: (LinkHost, RoutedServiceClient, Collected<String>) async throws -> Void
    ) async throws {
        let host = try depth.host()
        let opened = Collected<String>()
        let watching = host.routes.intercept(priority: 1_000) { request in
            opened.add(request.url)
            return .pass
        }
        let client = try await onThread { try host.service(RoutedServiceClient.self, through: access) }
        try await body(host, client, opened)
        await watching.remove()
        await host.stop()
    }

    @Test("a function with a route opens its URL, and one without is called", arguments: Depth.allCases)
    func opens(depth: Depth) async throws {
        try await withClient(depth, through: .routes) { _, client, opened async throws in
            let room = ["7", "a b", "c"]
            #expect(try await client.room(7, for: ["a b", "c"], shape: nil) == room)
            #expect(try await onThread { try client.room(7, for: ["a b", "c"], shape: .empty) } == room + ["empty"])
            #expect(try await client.room(7, for: [], shape: .circle(radius: 1)) == ["7", "circle(radius: 1.0)"])
            #expect(try await client.each(of: [1, 2, 3]) { $0 * 2 } == 12)
            #expect(
                opened.all == [
                    "fixture-room://7?for=a%20b&for=c", "fixture-room://7?for=a%20b&for=c", "fixture-room://7",
                    "fixture-room://each?of=1&of=2&of=3",
                ])
            #expect(try await client.plain(number: 5) == 5)
            #expect(opened.all.count == 4)
        }
    }

    @Test(
        "errors arrive as in a call, and an argument that has no place in the path is refused",
        arguments: Depth.allCases)
    func errors(depth: Depth) async throws {
        try await withClient(depth, through: .routes) { _, client, opened async throws in
            await #expect(throws: Refusal.notNow) { try await client.refuse(name: "x") }
            await #expect(throws: Refusal.notNow) { try await onThread { try client.refuse(name: "y/z") } }
            #expect(opened.all == ["fixture-room://refuse/x", "fixture-room://refuse/y%2Fz"])
            let error = await #expect(throws: LinkError.self) { try await client.refuse(name: "") }
            #expect(error?.code == .payloadMismatch)
            #expect(error?.message.contains("\"name\" is empty") == true, "\(String(describing: error))")
        }
    }

    @Test("a service without a provider is named by the error, and no method of the host")
    func missing() async {
        let host = hostProviding([])
        let error = await #expect(throws: LinkError.self) {
            try await onThread { try host.service(RoutedServiceClient.self) }
        }
        #expect(error?.code == .classNotFound)
        #expect(
            error?.description
                == "RoutedService: neither the host nor a component provides the service org.hslink.fixture.routed/1")
        await host.stop()
    }

    @Test("interceptors and redirects apply to these calls only", arguments: Depth.allCases)
    func guarded(depth: Depth) async throws {
        try await withClient(depth, through: .routes) { host, client, _ async throws in
            let refused = await #expect(throws: LinkError.self) { try await client.secret(id: 7) }
            #expect(refused?.code == .routeRefused)
            #expect(refused?.message.contains("not signed in") == true)
            #expect(try await client.secret(id: 2) == "room 22")
            let direct = try await onThread { try host.service(RoutedServiceClient.self) }
            #expect(try await direct.secret(id: 7) == "room 7")
            try await host.open("fixture://sign-in")
            #expect(try await client.secret(id: 7) == "room 7")
            try host.routes.setRedirects(["fixture-room://secret/:id": "fixture://item/:id"])
            #expect(try await client.secret(id: 7) == "7")
            #expect(try await direct.secret(id: 7) == "room 7")
        }
    }

    @Test("a client is made to call unless it is told otherwise", arguments: Depth.allCases)
    func calls(depth: Depth) async throws {
        try await withClient(depth, through: .calls) { host, client, opened async throws in
            #expect(try await client.room(7, for: [], shape: nil) == ["7"])
            let other = try await onThread { try host.link.service(RoutedServiceClient.self) }
            #expect(try await other.room(8, for: [], shape: nil) == ["8"])
            #expect(opened.all == [])
        }
    }
}
