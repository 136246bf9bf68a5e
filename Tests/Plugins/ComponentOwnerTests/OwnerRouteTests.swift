import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import HostTestSupport
import TestSupport
import Testing

@Suite("URLs of addresses and companies")
struct OwnerRouteTests {
    let place: OwnerPlace

    init() throws { place = try OwnerPlace() }

    /// The URLs that need a signed-in user.
    private let guarded = [
        "studio://owner/addresses", "studio://owner/addresses/1", "studio://owner/companies",
        "studio://owner/companies/1",
    ]

    @Test("without a signed-in user, only the profile is opened", arguments: ComponentDepth.allCases)
    func refused(depth: ComponentDepth) async throws {
        try await depth.withOwner { host, owner in
            _ = try await owner.addAddress("guest's")
            let profile = try await host.open(OwnerServiceRoutes.profile())
            #expect(profile.guest && profile.addresses == 1)
            for url in guarded {
                let error = await #expect(throws: LinkError.self) { try await host.open(url) }
                #expect(error?.code == .routeRefused, "\(url)")
            }
            // Interceptors guard URLs, not calls.
            #expect(try await owner.addresses().count == 1)
        }
    }

    @Test("without EMAccount nobody can vouch for a user, except the program itself")
    func withoutAccounts() async throws {
        try await place.withHost("ComponentOwner") { host, _ in
            _ = try await host.service(OwnerServiceClient.self).addAddress("guest's")
            for url in guarded {
                let error = await #expect(throws: LinkError.self) { try await host.open(url) }
                #expect(error?.code == .routeRefused, "\(url)")
                #expect(error?.message.contains("the tag signed-in") == true, "\(url)")
            }
            let token = host.routes.intercept(tags: ["signed-in"]) { _ in .pass }
            #expect(try await host.open(OwnerServiceRoutes.addresses()).map(\.label) == ["guest's"])
            await token.remove()
            let error = await #expect(throws: LinkError.self) { try await host.open(guarded[0]) }
            #expect(error?.code == .routeRefused)
        }
    }

    @Test(
        "a signed-in user opens the same as calls return",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func signedIn() async throws {
        try await place.makeAccounts("Ada")
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            let owner = try host.service(OwnerServiceClient.self)
            let account = try host.service(AccountServiceClient.self)
            for url in guarded {
                let error = await #expect(throws: LinkError.self) { try await host.open(url) }
                #expect(error?.code == .routeRefused, "\(url)")
                #expect(error?.message.contains("no user is signed in") == true, "\(url)")
            }
            _ = try await account.signIn(name: "Ada", password: OwnerPlace.password)
            let home = try await owner.addAddress("Home")
            let engines = try await owner.addCompany(
                name: "Analytical Engines", position: nil, city: nil, website: nil)
            #expect(try await host.open(OwnerServiceRoutes.profile()).name == "Ada")
            #expect(try await host.open(OwnerServiceRoutes.addresses()) == [home])
            #expect(try await host.open(OwnerServiceRoutes.address(id: home.id)) == home)
            #expect(try await host.open(OwnerServiceRoutes.companies()) == [engines])
            #expect(try await host.open(OwnerServiceRoutes.company(id: engines.id)) == engines)
            let error = await #expect(throws: LinkError.self) {
                try await host.open("studio://owner/addresses/\(home.id + 1)")
            }
            #expect(error?.code == .methodFailed)
            #expect(error?.message.contains("there is no address with ID \(home.id + 1)") == true)
            try await account.signOut()
            #expect(try await host.open(OwnerServiceRoutes.profile()).guest)
            let after = await #expect(throws: LinkError.self) { try await host.open(guarded[0]) }
            #expect(after?.code == .routeRefused)
        }
    }
}
