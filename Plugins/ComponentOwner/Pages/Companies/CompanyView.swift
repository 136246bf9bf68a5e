import ComponentKit
import ComponentOwnerContract
import PageKit

/// How the page about a company looks.
enum CompanyView {
    /// All that is known of the company, and what can be done with it.
    static func detail(_ company: Company) -> some View {
        Card(company.name.oneLine) {
            List {
                if let position = company.position { Row("Position", detail: position).key("position") }
                if let city = company.city { Row("City", detail: city).key("city") }
                if let website = company.website { Row("Website", detail: website).key("website") }
                Row("Added", detail: company.addedAt.day).key("addedAt")
            }
            Button(
                "Delete",
                .call(
                    "deleteCompanyAndLeave", ["id": company.id.payload],
                    confirm: "Delete the company \(company.name.oneLine)?"),
                role: .destructive)
        }
        .key(company.id)
    }

    /// The form that changes a company.
    static func form(_ company: Company) -> some View {
        Form("Save", .call("changeCompany", ["id": company.id.payload])) { fields(of: company) }.key(company.id)
    }

    /// The fields of a form, with what is stored.
    ///
    /// - Parameter company: nil for a new one.
    @ViewBuilder static func fields(of company: Company?) -> [ViewNode] {
        Field("name", "Name", stored: company?.name).required()
        Field("position", "Position", stored: company?.position).help("Your role there, such as Engineer.")
        Field("city", "City", stored: company?.city)
        Field("website", "Website", stored: company?.website)
    }
}
