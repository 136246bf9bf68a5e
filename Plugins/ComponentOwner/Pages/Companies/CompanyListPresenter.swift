import ComponentKit
import ComponentOwnerContract
import PageKit

/// Decides what the list of companies and its form show, and does what people choose there, as
/// ``AddressListPresenter`` does for addresses.
final class CompanyListPresenter: Sendable {
    private let store: OwnerStore
    private let accounts: AccountFinder
    private let refused = RefusedInputs()

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

    /// What the form at a place shows.
    func form(at place: PageContext) async throws -> FormState {
        let owner = try await accounts.owner()
        return FormState("addCompany", at: place, refused: refused.input(at: place, for: owner))
    }

    func delete(_ id: Int64) async throws { try await store.delete(.company, id, of: accounts.owner()) }

    /// Adds a company.
    ///
    /// - Parameters:
    ///   - written: the texts of the form's fields.
    ///   - place: where the form is; nil if the caller is no form.
    /// - Returns: Whether it was added. If not, the form shows why.
    /// - Throws: ``OwnerError``; `invalid` only if there is no form to show it.
    func add(_ written: CompanyFields, at place: PageContext?) async throws -> Bool {
        let owner = try await accounts.owner()
        do {
            _ = try await store.add(Company(written), of: owner)
            refused.forget()
            return true
        } catch OwnerError.invalid(let field, let reason) {
            guard let place else { throw OwnerError.invalid(field: field, reason: reason) }
            refused.keep(RefusedInput(written.texts, field: field, reason: reason), at: place, for: owner)
            return false
        }
    }

    /// The last reader has left a page.
    func left(page: String) { refused.forget(page: page) }
}

extension CompanyFields {
    /// The texts by the names of the fields.
    fileprivate var texts: [String: String?] {
        ["name": name, "position": position, "city": city, "website": website]
    }
}
