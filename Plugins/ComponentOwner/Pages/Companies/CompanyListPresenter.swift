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
    ///
    /// - Parameter context: where it is shown.
    func list(on context: PageContext) async throws -> ItemList {
        ItemList(try await store.companies(of: accounts.owner()), on: context) { company in
            ItemList.Item(
                id: company.id, title: company.name.oneLine,
                detail: [company.position, company.city, company.website].oneLine)
        }
    }

    /// What the page about a company shows.
    ///
    /// - Throws: `PageError.unknownPage` if the owner has no such company.
    func company(_ id: Int64, on context: PageContext) async throws -> Company {
        do {
            return try await store.company(id, of: accounts.owner())
        } catch OwnerError.notFound {
            throw PageError.unknownPage(id: context.page, similar: nil)
        }
    }

    /// Writes all fields of a company, which are checked as those of a new one.
    func change(_ id: Int64, to written: CompanyFields) async throws {
        try await sayingWhichField {
            var company = try Company(written)
            company.id = id
            try await store.change(company, of: accounts.owner())
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
