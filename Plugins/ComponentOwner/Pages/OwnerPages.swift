import ComponentKit
import ComponentOwnerContract
import PageKit

/// What pages show of the owner, and the pages about it.
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

    /// The addresses, each of which can be opened and deleted, and the form for a new one if the page wants it here.
    @PageModule("owner.addresses")
    func addressList(
        _ context: PageContext, data: ItemListOptions = ItemListOptions()
    ) async throws -> some View {
        ItemListView.addresses.list(try await addresses.list(on: context), hasForm: data.form)
    }

    /// The companies, each of which can be opened and deleted, and the form for a new one if the page wants it here.
    @PageModule("owner.companies")
    func companyList(
        _ context: PageContext, data: ItemListOptions = ItemListOptions()
    ) async throws -> some View {
        ItemListView.companies.list(try await companies.list(on: context), hasForm: data.form)
    }

    /// A form for an address.
    @PageModule("owner.address.new")
    func newAddress(_ context: PageContext) -> some View { ItemListView.addresses.form() }

    /// A form for a company.
    @PageModule("owner.company.new")
    func newCompany(_ context: PageContext) -> some View { ItemListView.companies.form() }

    /// An address with all its fields, which can be deleted.
    @PageModule("owner.address")
    func address(_ context: PageContext, data: ItemValues) async throws -> some View {
        AddressView.detail(try await addresses.address(data.id, on: context))
    }

    /// A form that changes an address.
    @PageModule("owner.address.edit")
    func editAddress(_ context: PageContext, data: ItemValues) async throws -> some View {
        AddressView.form(try await addresses.address(data.id, on: context))
    }

    /// A company with all its fields, which can be deleted.
    @PageModule("owner.company")
    func company(_ context: PageContext, data: ItemValues) async throws -> some View {
        CompanyView.detail(try await companies.company(data.id, on: context))
    }

    /// A form that changes a company.
    @PageModule("owner.company.edit")
    func editCompany(_ context: PageContext, data: ItemValues) async throws -> some View {
        CompanyView.form(try await companies.company(data.id, on: context))
    }

    // MARK: - What people choose

    /// Adds an address. An error says which field cannot be taken.
    @Selector func addAddress(
        label: String, street: String, city: String, postalCode: String?, country: String?
    ) async throws {
        let fields = AddressFields(
            label: label, street: street, city: city, postalCode: postalCode, country: country)
        try await addresses.add(fields)
    }

    /// Changes an address. An error says which field cannot be taken.
    @Selector func changeAddress(
        id: Int64, label: String, street: String, city: String, postalCode: String?, country: String?
    ) async throws {
        let fields = AddressFields(
            label: label, street: street, city: city, postalCode: postalCode, country: country)
        try await addresses.change(id, to: fields)
    }

    /// Deletes an address.
    @Selector func deleteAddress(id: Int64) async throws { try await addresses.delete(id) }

    /// Deletes an address whose page is shown, and leads back.
    @Selector func deleteAddressAndLeave(id: Int64) async throws -> ActionOutcome {
        try await addresses.delete(id)
        return ActionOutcome(page: "owner")
    }

    /// Adds a company. An error says which field cannot be taken.
    @Selector func addCompany(
        name: String, position: String?, city: String?, website: String?
    ) async throws {
        let fields = CompanyFields(name: name, position: position, city: city, website: website)
        try await companies.add(fields)
    }

    /// Changes a company. An error says which field cannot be taken.
    @Selector func changeCompany(
        id: Int64, name: String, position: String?, city: String?, website: String?
    ) async throws {
        let fields = CompanyFields(name: name, position: position, city: city, website: website)
        try await companies.change(id, to: fields)
    }

    /// Deletes a company.
    @Selector func deleteCompany(id: Int64) async throws { try await companies.delete(id) }

    /// Deletes a company whose page is shown, and leads back.
    @Selector func deleteCompanyAndLeave(id: Int64) async throws -> ActionOutcome {
        try await companies.delete(id)
        return ActionOutcome(page: "owner")
    }
}
