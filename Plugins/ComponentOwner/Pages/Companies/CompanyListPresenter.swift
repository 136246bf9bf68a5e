import ComponentKit
import ComponentOwnerContract
import PageKit

/// Decides what the list of companies shows, and does what people choose there, as
/// ``AddressListPresenter`` does for addresses.
final class CompanyListPresenter: Sendable {
    private let store: OwnerStore
    private let accounts: AccountFinder

    init(_ component: ComponentOwner) {
        store = component.store
        accounts = component.accounts
    }

    /// What the list shows.
    func list() async throws -> ItemList {
        ItemList(try await store.companies(of: accounts.owner())) { company in
            ItemList.Item(
                id: company.id, title: company.name.oneLine,
                detail: [company.position, company.city, company.website].oneLine,
                url: OwnerServiceRoutes.company(id: company.id).url)
        }
    }

    func delete(_ id: Int64) async throws { try await store.delete(.company, id, of: accounts.owner()) }

    /// Adds a company.
    ///
    /// - Parameter written: the texts of the form's fields.
    /// - Throws: `PageError.invalidValue` for a string that is not accepted, otherwise ``OwnerError``.
    func add(_ written: CompanyFields) async throws {
        try await sayingWhichField { _ = try await store.add(Company(written), of: accounts.owner()) }
    }
}
