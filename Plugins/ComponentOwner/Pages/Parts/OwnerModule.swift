import ComponentKit
import ComponentOwnerContract
import PageKit

/// The page modules whose views change with the data. `@PageModule` takes literals only, so the names are at the
/// functions of ``OwnerPages`` as well.
enum OwnerModule: String, CaseIterable, Sendable {
    case card = "owner.card"
    case addresses = "owner.addresses"
    case companies = "owner.companies"
    case address = "owner.address"
    case addressForm = "owner.address.edit"
    case company = "owner.company"
    case companyForm = "owner.company.edit"

    /// The modules that show items of a kind, or how many there are.
    static func showing(_ item: OwnerItem) -> [OwnerModule] {
        switch item {
        case .address: [.card, .addresses, .address, .addressForm]
        case .company: [.card, .companies, .company, .companyForm]
        }
    }
}

extension Events {
    /// Tells pages to ask modules for their views again.
    ///
    /// - Parameter sessionOnly: whether the views have changed only in the session of the running call.
    func postChanged(_ modules: [OwnerModule], sessionOnly: Bool = false) {
        for module in modules { post(PageModuleChanged(module.rawValue, sessionOnly: sessionOnly)) }
    }
}
