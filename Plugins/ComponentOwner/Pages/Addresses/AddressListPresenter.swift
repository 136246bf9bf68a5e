import ComponentKit
import ComponentOwnerContract
import PageKit

/// Decides what the list of addresses shows, and does what people choose there.
///
/// The model is ``OwnerStore``, which knows nothing of pages; the views are functions of the states that this makes.
final class AddressListPresenter: Sendable {
    private let store: OwnerStore
    private let accounts: AccountFinder

    init(_ component: ComponentOwner) {
        store = component.store
        accounts = component.accounts
    }

    /// What the list shows.
    ///
    /// - Parameter context: where it is shown.
    func list(on context: PageContext) async throws -> ItemList {
        ItemList(try await store.addresses(of: accounts.owner()), on: context) { address in
            let city = [address.postalCode, address.city].compactMap(\.self).joined(separator: " ")
            return ItemList.Item(
                id: address.id, title: address.label.oneLine,
                detail: [address.street, city, address.country].oneLine)
        }
    }

    /// What the page about an address shows.
    ///
    /// - Throws: `PageError.unknownPage` if the owner has no such address.
    func address(_ id: Int64, on context: PageContext) async throws -> Address {
        do {
            return try await store.address(id, of: accounts.owner())
        } catch OwnerError.notFound {
            throw PageError.unknownPage(id: context.page, similar: nil)
        }
    }

    /// Writes all fields of an address, which are checked as those of a new one.
    func change(_ id: Int64, to written: AddressFields) async throws {
        try await sayingWhichField {
            var address = try Address(written)
            address.id = id
            try await store.change(address, of: accounts.owner())
        }
    }

    func delete(_ id: Int64) async throws { try await store.delete(.address, id, of: accounts.owner()) }

    /// Adds an address.
    ///
    /// - Parameter written: the texts of the form's fields.
    /// - Throws: `PageError.invalidValue` for a string that is not accepted, otherwise ``OwnerError``.
    func add(_ written: AddressFields) async throws {
        try await sayingWhichField { _ = try await store.add(Address(written), of: accounts.owner()) }
    }
}
