import ComponentKit
import ComponentOwnerContract
import EMAccountContract
import Foundation
import NXStorage

/// Profile, addresses and companies.
@LinkClass("OwnerLink", provides: (any OwnerService).self)
final class OwnerLink: OwnerService {
    private let component: ComponentOwner
    private var store: OwnerStore { component.store }

    init(_ context: ComponentContext) throws {
        guard let component = context.component as? ComponentOwner else {
            throw LinkError(.stopped, message: "ComponentOwner has been stopped")
        }
        self.component = component
    }

    private func owner() async throws -> Owner { try await component.accounts.owner() }

    func profile() async throws -> OwnerProfile {
        let owner = try await owner()
        let counts = try await store.counts(of: owner)
        return OwnerProfile(
            name: owner.name, guest: owner.isGuest, reason: owner.guestReason, user: owner.userID,
            addresses: counts.addresses, companies: counts.companies)
    }

    func portrait() async throws -> Portrait { await component.portraits.portrait(of: try await owner()) }

    func addresses() async throws -> [Address] { try await store.addresses(of: owner()) }

    func address(id: Int64) async throws -> Address { try await store.address(id, of: owner()) }

    func addAddress(
        label: String, street: String, city: String, postalCode: String?, country: String?
    ) async throws -> Address {
        let address = Address(
            id: 0, label: try label.field("label"), street: try street.field("street"), city: try city.field("city"),
            postalCode: try postalCode?.optionalField("postalCode"), country: try country?.optionalField("country"),
            addedAt: .now)
        return try await store.add(address, of: owner())
    }

    func deleteAddress(id: Int64) async throws { try await store.delete(.address, id, of: owner()) }

    func companies() async throws -> [Company] { try await store.companies(of: owner()) }

    func company(id: Int64) async throws -> Company { try await store.company(id, of: owner()) }

    func addCompany(name: String, position: String?, city: String?, website: String?) async throws -> Company {
        let company = Company(
            id: 0, name: try name.field("name"), position: try position?.optionalField("position"),
            city: try city?.optionalField("city"), website: try website?.optionalField("website"),
            addedAt: .now)
        return try await store.add(company, of: owner())
    }

    func deleteCompany(id: Int64) async throws { try await store.delete(.company, id, of: owner()) }

    func changes() async throws -> AsyncThrowingStream<OwnerChange, any Error> { component.changes() }
}

extension String {
    /// Returns the text of a required field, without surrounding spaces.
    ///
    /// - Parameter name: The name of the field, for the error.
    /// - Throws: ``OwnerError/invalid(field:reason:)``.
    fileprivate func field(_ name: String) throws(OwnerError) -> String {
        guard let text = try optionalField(name) else {
            throw .invalid(field: name, reason: "the text is empty; fill it in")
        }
        return text
    }

    /// Returns the text of an optional field, without surrounding spaces; nil if it is empty.
    fileprivate func optionalField(_ name: String) throws(OwnerError) -> String? {
        let text = utf8.count <= 4096 ? trimmingCharacters(in: .whitespacesAndNewlines) : self
        guard text.utf8.count <= 4096, text.count <= 200 else {
            throw .invalid(field: name, reason: "the text is longer than 200 characters")
        }
        let isPrintable = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
        guard isPrintable else {
            throw .invalid(field: name, reason: "the text has control characters; leave them out")
        }
        return text.isEmpty ? nil : text
    }
}
