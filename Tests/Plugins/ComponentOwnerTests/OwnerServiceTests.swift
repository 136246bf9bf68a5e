import ComponentHost
import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import HostTestSupport
import TestSupport
import Testing

@testable import ComponentOwner

extension ComponentDepth {
    /// Calls `body` with a client of ComponentOwner and a new data directory, and stops the host.
    func withOwner<Value>(body: (LinkHost, OwnerServiceClient) async throws -> Value) async throws -> Value {
        let data = try TemporaryDirectory()
        return try await withHost(["ComponentOwner"]) { options in
            options.dataDirectory = data.path
        } body: { host async throws in
            try await body(host, try host.service(OwnerServiceClient.self))
        }
    }
}

@Suite("The owner service")
struct OwnerServiceTests {
    @Test("addresses are listed, read and deleted", arguments: ComponentDepth.allCases)
    func addresses(depth: ComponentDepth) async throws {
        try await depth.withOwner { _, owner in
            #expect(try await owner.addresses() == [])
            let home = try await owner.addAddress(
                label: " Home ", street: "12 St James's Square", city: "London", postalCode: "SW1Y 4JH", country: "")
            let work = try await owner.addAddress("Work")
            #expect(home.label == "Home" && home.postalCode == "SW1Y 4JH" && home.country == nil)
            #expect(try await owner.addresses() == [home, work])
            #expect(try await owner.address(id: home.id) == home)
            try await owner.deleteAddress(id: home.id)
            #expect(try await owner.addresses() == [work])
            let missing = OwnerError.notFound(item: .address, id: home.id)
            #expect(await ownerError { try await owner.address(id: home.id) } == missing)
            #expect(await ownerError { try await owner.deleteAddress(id: home.id) } == missing)
            try await owner.deleteAddress(id: work.id)
            // Numbers are not reused.
            #expect(try await owner.addAddress("Next").id > work.id)
        }
    }

    @Test("companies are listed, read and deleted", arguments: ComponentDepth.allCases)
    func companies(depth: ComponentDepth) async throws {
        try await depth.withOwner { _, owner in
            let engine = try await owner.addCompany(
                name: "Analytical Engines", position: "Programmer", city: "London", website: "https://example.com")
            let other = try await owner.addCompany(name: "组件", position: nil, city: nil, website: nil)
            #expect(try await owner.companies() == [engine, other])
            #expect(try await owner.company(id: other.id) == other)
            try await owner.deleteCompany(id: engine.id)
            #expect(try await owner.companies() == [other])
            #expect(
                await ownerError { try await owner.company(id: engine.id) }
                    == .notFound(item: .company, id: engine.id))
            let profile = try await owner.profile()
            #expect((profile.addresses, profile.companies) == (0, 1))
        }
    }

    @Test(
        "an invalid text is refused, with the field",
        arguments: [
            ("label", ""), ("label", " \n"), ("street", ""), ("city", "\t"),
            ("label", String(repeating: "x", count: 201)),
            ("street", String(repeating: "x", count: 1_000_000)), ("city", "a\u{0}b"), ("postalCode", "a\u{1B}[0m"),
            ("country", String(repeating: "é", count: 201)),
        ])
    func invalid(field: String, text: String) async throws {
        try await ComponentDepth.file.withOwner { host, owner in
            var fields: [String: String] = [
                "label": "a", "street": "b", "city": "c", "postalCode": "d", "country": "e",
            ]
            fields[field] = text
            let given = fields
            let error = await ownerError {
                try await owner.addAddress(
                    label: given["label"] ?? "", street: given["street"] ?? "", city: given["city"] ?? "",
                    postalCode: given["postalCode"], country: given["country"])
            }
            guard case .invalid(field, let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.utf8.count < 100)
            let addresses = try await owner.addresses()
            #expect(addresses.isEmpty)
        }
    }

    @Test("hostile texts are kept unchanged")
    func hostileText() async throws {
        try await ComponentDepth.file.withOwner { _, owner in
            for label in ["'; DROP TABLE address; --", "\"", "%s%n", "?1", "🏴‍☠️", String(repeating: "é", count: 200)] {
                let address = try await owner.addAddress(label)
                #expect(address.label == label)
                #expect(try await owner.address(id: address.id) == address)
            }
            for id in [0, -1, .max, .min] as [Int64] {
                #expect(await ownerError { try await owner.deleteAddress(id: id) } == .notFound(item: .address, id: id))
            }
            #expect(try await owner.addresses().count == 6)
        }
    }
}
