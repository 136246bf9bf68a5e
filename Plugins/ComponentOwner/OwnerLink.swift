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
        let fields = AddressFields(
            label: label, street: street, city: city, postalCode: postalCode, country: country)
        return try await store.add(Address(fields), of: owner())
    }

    func deleteAddress(id: Int64) async throws { try await store.delete(.address, id, of: owner()) }

    func companies() async throws -> [Company] { try await store.companies(of: owner()) }

    func company(id: Int64) async throws -> Company { try await store.company(id, of: owner()) }

    func addCompany(name: String, position: String?, city: String?, website: String?) async throws -> Company {
        let fields = CompanyFields(name: name, position: position, city: city, website: website)
        return try await store.add(Company(fields), of: owner())
    }

    func deleteCompany(id: Int64) async throws { try await store.delete(.company, id, of: owner()) }

    func changes() async throws -> AsyncThrowingStream<OwnerChange, any Error> {
        component.changes(of: try await owner())
    }
}

/// The strings of a new address, as a person has written them.
struct AddressFields: Sendable {
    var label: String
    var street: String
    var city: String
    var postalCode: String?
    var country: String?
}

/// The strings of a new company, as a person has written them.
struct CompanyFields: Sendable {
    var name: String
    var position: String?
    var city: String?
    var website: String?
}

extension Address {
    /// Makes a new address, which has no identifier yet.
    ///
    /// - Throws: ``OwnerError/invalid(field:reason:)``.
    init(_ fields: AddressFields) throws(OwnerError) {
        self.init(
            id: 0, label: try fields.label.field("label"), street: try fields.street.field("street"),
            city: try fields.city.field("city"), postalCode: try fields.postalCode?.optionalField("postalCode"),
            country: try fields.country?.optionalField("country"), addedAt: .now)
    }
}

extension Company {
    /// Makes a new company, which has no identifier yet.
    ///
    /// - Throws: ``OwnerError/invalid(field:reason:)``.
    init(_ fields: CompanyFields) throws(OwnerError) {
        self.init(
            id: 0, name: try fields.name.field("name"), position: try fields.position?.optionalField("position"),
            city: try fields.city?.optionalField("city"), website: try fields.website?.optionalField("website"),
            addedAt: .now)
    }
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
