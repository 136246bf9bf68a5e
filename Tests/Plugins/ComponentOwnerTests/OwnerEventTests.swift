import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Testing

@Suite("Events of accounts and owners")
struct OwnerEventTests {
    let place: OwnerPlace

    init() throws { place = try OwnerPlace() }

    @Test("a changed address is an event")
    func changes() async throws {
        try await place.withHost("ComponentOwner") { host, _ in
            var changes = host.events.stream(OwnerChange.self).makeAsyncIterator()
            let owner = try host.service(OwnerServiceClient.self)
            let address = try await owner.addAddress("home")
            #expect(await changes.next() == OwnerChange(item: .address, action: .added, id: address.id))
            try await owner.deleteAddress(id: address.id)
            #expect(await changes.next() == OwnerChange(item: .address, action: .deleted, id: address.id))
        }
    }

    @Test(
        "who signs in and out reaches ComponentOwner, which says whose data it has now",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func switches() async throws {
        try await place.makeAccounts("Ada")
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            var switches = host.events.stream(OwnerSwitched.self).makeAsyncIterator()
            var signedIn = host.events.stream(SignedIn.self).makeAsyncIterator()
            _ = try await host.service(OwnerServiceClient.self).profile()
            let account = try host.service(AccountServiceClient.self)
            let ada = try await account.signIn(name: "ada", password: OwnerPlace.password)
            #expect(await signedIn.next() == SignedIn(user: ada))
            #expect(await switches.next() == OwnerSwitched(name: "Ada", guest: false))
            try await account.signOut()
            #expect(await switches.next() == OwnerSwitched(name: "Guest", guest: true))
            // Nobody is signed in any more.
            try await account.signOut()
            _ = try await account.signIn(name: "ada", password: OwnerPlace.password)
            #expect(await switches.next() == OwnerSwitched(name: "Ada", guest: false))
        }
    }

    @Test(
        "signing in does not load ComponentOwner",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func lazy() async throws {
        try await place.makeAccounts("Ada")
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            let account = try host.service(AccountServiceClient.self)
            _ = try await account.signIn(name: "ada", password: OwnerPlace.password)
            #expect(!host.isLoaded("OwnerLink"))
        }
    }
}
