import ComponentKit
import ComponentOwnerContract
import PageKit

/// Decides what the list of addresses and its form show, and does what people choose there.
///
/// The model is ``OwnerStore``, which knows nothing of pages; the views are functions of the states that this makes.
final class AddressListPresenter: Sendable {
    private let store: OwnerStore
    private let accounts: AccountFinder
    private let refused = RefusedInputs()

    init(_ component: ComponentOwner) {
        store = component.store
        accounts = component.accounts
    }

    /// What the list shows.
    func list() async throws -> ItemList {
        ItemList(try await store.addresses(of: accounts.owner())) { address in
            let city = [address.postalCode, address.city].compactMap(\.self).joined(separator: " ")
            return ItemList.Item(
                id: address.id, title: address.label.oneLine,
                detail: [address.street, city, address.country].oneLine,
                url: OwnerServiceRoutes.address(id: address.id).url)
        }
    }

    /// What the form at a place shows.
    func form(at place: PageContext) async throws -> FormState {
        let owner = try await accounts.owner()
        return FormState("addAddress", at: place, refused: refused.input(at: place, for: owner))
    }

    func delete(_ id: Int64) async throws { try await store.delete(.address, id, of: accounts.owner()) }

    /// Adds an address.
    ///
    /// - Parameters:
    ///   - written: the texts of the form's fields.
    ///   - place: where the form is; nil if the caller is no form.
    /// - Returns: Whether it was added. If not, the form shows why.
    /// - Throws: ``OwnerError``; `invalid` only if there is no form to show it.
    func add(_ written: AddressFields, at place: PageContext?) async throws -> Bool {
        let owner = try await accounts.owner()
        do {
            _ = try await store.add(Address(written), of: owner)
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

extension AddressFields {
    /// The texts by the names of the fields.
    fileprivate var texts: [String: String?] {
        ["label": label, "street": street, "city": city, "postalCode": postalCode, "country": country]
    }
}
