import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import TestSupport
import Testing

@Suite("Owners of addresses")
struct GuestTests {
    let place: OwnerPlace

    init() throws { place = try OwnerPlace() }

    @Test("without EMAccount the owner is the guest, and the profile has the reason")
    func guest() async throws {
        try await place.withHost("ComponentOwner") { host, _ in
            let owner = try host.service(OwnerServiceClient.self)
            _ = try await owner.addAddress("guest's")
            let profile = try await owner.profile()
            #expect(profile.guest && profile.name == "Guest" && profile.user == nil && profile.addresses == 1)
            #expect(profile.reason?.hasPrefix("there is no account: neither the host nor a component provides") == true)
            #expect(host.components.first?.reason.contains("org.hslink.account/1") == true)
        }
    }

    @Test(
        "an EMAccount that is added later is asked at the next call",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func later() async throws {
        try await place.makeAccounts("Ada")
        try await place.withHost("ComponentOwner") { host, plugins in
            let owner = try host.service(OwnerServiceClient.self)
            _ = try await owner.addAddress("guest's")
            try plugins.add("EMAccount")
            #expect(try await owner.profile().reason?.hasPrefix("there is no account") == true)
            host.rescan()
            #expect(try await owner.profile().reason == "no user is signed in")
            let account = try host.service(AccountServiceClient.self)
            let ada = try await account.signIn(name: "ada", password: OwnerPlace.password)
            let profile = try await owner.profile()
            #expect(!profile.guest && profile.reason == nil && profile.user == ada.id && profile.name == "Ada")
            #expect(profile.addresses == 0)
        }
    }

    @Test(
        "each user has separate addresses, and so has the guest",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func apart() async throws {
        try await place.makeAccounts("Ada", "Ida")
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            let owner = try host.service(OwnerServiceClient.self)
            let account = try host.service(AccountServiceClient.self)
            _ = try await owner.addAddress("guest's")
            _ = try await account.signIn(name: "Ada", password: OwnerPlace.password)
            let adas = try await owner.addAddress("Ada's")
            _ = try await account.signIn(name: "Ida", password: OwnerPlace.password)
            #expect(try await owner.addresses() == [])
            #expect(await ownerError { try await owner.address(id: adas.id) } == .notFound(item: .address, id: adas.id))
            #expect(
                await ownerError { try await owner.deleteAddress(id: adas.id) }
                    == .notFound(item: .address, id: adas.id))
            _ = try await owner.addAddress("Ida's")
            try await account.signOut()
            #expect(try await owner.addresses().map(\.label) == ["guest's"])
        }
        // Without EMAccount the guest's addresses are returned; Ada's and Ida's are kept.
        let labels = try await place.withHost("ComponentOwner") { host, _ in
            try await host.service(OwnerServiceClient.self).addresses().map(\.label)
        }
        #expect(labels == ["guest's"])
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            _ = try await host.service(AccountServiceClient.self).signIn(name: "Ada", password: OwnerPlace.password)
            #expect(try await host.service(OwnerServiceClient.self).addresses().map(\.label) == ["Ada's"])
        }
    }

    @Test(
        "when EMAccount exists but cannot answer, the guest's data is not returned",
        .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func noAnswer() async throws {
        try FileManager.default.createDirectory(atPath: place.accounts, withIntermediateDirectories: true)
        for path in ["\(place.path)/EMAccount", place.accounts] {
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        try await place.withHost("ComponentOwner", "EMAccount") { host, _ in
            let owner = try host.service(OwnerServiceClient.self)
            let error = await ownerError { try await owner.addAddress("whose?") }
            guard case .account(let message) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(message.contains("is not a regular file"))
            try FileManager.default.removeItem(atPath: place.accounts)
            #expect(try await owner.profile().reason == "no user is signed in")
        }
    }
}
