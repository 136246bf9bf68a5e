import ComponentKit
import ComponentOwnerContract
import PageKit

/// What pages show of the owner, and the page about it.
@LinkClass(provides: (any PageSource).self)
final class OwnerPages: PageSource {
    private let profile: ProfilePresenter
    private let addresses: AddressListPresenter
    private let companies: CompanyListPresenter
    private let resources: Resources

    init(_ context: ComponentContext) throws {
        guard let component = context.component as? ComponentOwner else {
            throw LinkError(.stopped, message: "ComponentOwner has been stopped")
        }
        profile = ProfilePresenter(component)
        addresses = AddressListPresenter(component)
        companies = CompanyListPresenter(component)
        resources = context.resources
    }

    func pages() throws -> [PageFile] { try PageFile.all(in: resources) }

    // MARK: - Modules

    /// Who the owner is, and how much there is.
    @PageModule("owner.card")
    func card(_ context: PageContext) async throws -> some View { ProfileView.card(try await profile.state()) }

    /// The addresses, each of which can be opened and deleted.
    @PageModule("owner.addresses")
    func addressList(_ context: PageContext) async throws -> some View {
        AddressListView.list(try await addresses.list())
    }

    /// The companies, each of which can be opened and deleted.
    @PageModule("owner.companies")
    func companyList(_ context: PageContext) async throws -> some View {
        CompanyListView.list(try await companies.list())
    }

    /// A form for an address.
    @PageModule("owner.address.new")
    func newAddress(_ context: PageContext) async throws -> some View {
        AddressListView.form(try await addresses.form(at: context))
    }

    /// A form for a company.
    @PageModule("owner.company.new")
    func newCompany(_ context: PageContext) async throws -> some View {
        CompanyListView.form(try await companies.form(at: context))
    }

    // MARK: - What people choose

    /// Adds an address, and returns whether it was added. A form shows itself what is wrong; without the place of a
    /// form, an error says it.
    @Selector func addAddress(
        label: String, street: String, city: String, postalCode: String?, country: String?, place: PageContext?
    ) async throws -> Bool {
        let fields = AddressFields(
            label: label, street: street, city: city, postalCode: postalCode, country: country)
        return try await addresses.add(fields, at: place)
    }

    /// Deletes an address.
    @Selector func deleteAddress(id: Int64) async throws { try await addresses.delete(id) }

    /// Adds a company, and returns whether it was added. A form shows itself what is wrong; without the place of a
    /// form, an error says it.
    @Selector func addCompany(
        name: String, position: String?, city: String?, website: String?, place: PageContext?
    ) async throws -> Bool {
        let fields = CompanyFields(name: name, position: position, city: city, website: website)
        return try await companies.add(fields, at: place)
    }

    /// Deletes a company.
    @Selector func deleteCompany(id: Int64) async throws { try await companies.delete(id) }

    /// Forgets what the forms on a page have refused when its last reader leaves.
    @Selector(.quick) @On func pageEvent(_ event: PageEvent) {
        guard event.kind == .disappeared else { return }
        addresses.left(page: event.page)
        companies.left(page: event.page)
    }
}
