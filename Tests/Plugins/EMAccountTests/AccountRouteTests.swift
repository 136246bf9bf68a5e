import ComponentHost
import ComponentKit
import EMAccountContract
import HostTestSupport
import TestSupport
import Testing

@Suite("URLs that need a signed-in user")
struct AccountRouteTests {
    private let password = Password("correct horse")

    @Test(
        "routes with the tag are opened only while a user is signed in, whoever has them",
        arguments: ComponentDepth.allCases)
    func guarded(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { host, account in
            let page = try host.routes.add("test://page", tags: ["signed-in"]) { _ in "the page" }
            let open = try host.routes.add("test://open") { _ in "no tag" }
            let urls = ["test://page", AccountServiceRoutes.currentUser().url]

            func expectRefusal() async {
                for url in urls {
                    let error = await #expect(throws: LinkError.self) { try await host.open(url) }
                    #expect(error?.code == .routeRefused, "\(url)")
                    #expect(error?.message.contains("call signIn of AccountLink") == true, "\(url)")
                }
            }

            await expectRefusal()
            #expect(try await host.open("test://open").string() == "no tag")
            let ada = try await account.signUp(name: "Ada", password: password)
            await expectRefusal()
            _ = try await account.signIn(name: "Ada", password: password)
            #expect(try await host.open("test://page").string() == "the page")
            #expect(try await host.open(AccountServiceRoutes.currentUser()) == ada)
            try await host.open(AccountServiceRoutes.signOut())
            #expect(try await account.currentUser() == nil)
            await expectRefusal()
            for token in [page, open] { await token.remove() }
        }
    }

    @Test(
        "a client that opens routes is refused as URLs are, and signs in by calls", arguments: ComponentDepth.allCases)
    func client(depth: ComponentDepth) async throws {
        let place = try AccountPlace()
        try await depth.withAccount(place.directory.path) { host, account in
            let client = try host.service(AccountServiceClient.self, through: .routes)
            let ada = try await client.signUp(name: "Ada", password: password)
            #expect(try await account.currentUser() == nil)
            let error = await #expect(throws: LinkError.self) { try await client.currentUser() }
            #expect(error?.code == .routeRefused)
            #expect(try await client.signIn(name: "Ada", password: password) == ada)
            #expect(try await client.currentUser() == ada)
            try await client.signOut()
            #expect(try await account.currentUser() == nil)
        }
    }

    @Test("while the accounts cannot be read, nothing is opened", arguments: ComponentDepth.allCases)
    func unavailable(depth: ComponentDepth) async throws {
        try await depth.withAccount(nil) { host, _ in
            let page = try host.routes.add("test://page", tags: ["signed-in"]) { _ in "must not run" }
            let error = await #expect(throws: LinkError.self) { try await host.open("test://page") }
            #expect(error?.code == .methodFailed)
            #expect(error?.message.contains("--data DIR") == true)
            await page.remove()
        }
    }

    @Test("no URL takes a password, and none is open to the outside", arguments: ComponentDepth.allCases)
    func passwords(depth: ComponentDepth) async throws {
        try await depth.withAccount(nil) { host, _ in
            let routes = host.routes.all.filter { $0.component == "EMAccount" }
            #expect(Set(routes.map(\.selector)) == ["currentUser", "signOut"])
            #expect(routes.allSatisfy { !$0.isPublic })
        }
    }
}
