import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import FoundationXML
import TestSupport
import Testing

@Suite("Portraits")
struct PortraitTests {
    let place: OwnerPlace

    init() throws { place = try OwnerPlace() }

    private func text(_ portrait: Portrait) throws -> String {
        #expect(portrait.mediaType == "image/svg+xml")
        #expect(XMLParser(data: portrait.data).parse(), "\(String(decoding: portrait.data, as: UTF8.self))")
        return String(decoding: portrait.data, as: UTF8.self)
    }

    @Test("the guest has NXUI's icon, or initials without it")
    func guest() async throws {
        try await place.withHost("ComponentOwner") { host, _ async throws in
            let portrait = try await host.service(OwnerServiceClient.self).portrait()
            #expect(try text(portrait).contains(">G<"))
        }
        guard FileManager.default.fileExists(atPath: BuiltProducts.component("NXUI").path) else { return }
        try await place.withHost("ComponentOwner", "NXUI") { host, _ async throws in
            let portrait = try await host.service(OwnerServiceClient.self).portrait()
            #expect(portrait.data == (try host.resources(of: "NXUI").data("icons/guest.svg")))
        }
    }

    @Test("a user has initials", .enabled(if: OwnerPlace.hasAccounts, "EMAccount is not in the package"))
    func user() async throws {
        try await place.makeAccounts("ada lovelace")
        try await place.withHost("ComponentOwner", "EMAccount", "NXUI") { host, _ async throws in
            _ = try await host.service(AccountServiceClient.self)
                .signIn(name: "ada lovelace", password: OwnerPlace.password)
            let portrait = try text(try await host.service(OwnerServiceClient.self).portrait())
            #expect(portrait.contains(">AL<"))
            #expect(portrait.contains("#1F5FBF"))
        }
    }
}
