import ComponentKit
import ComponentOwnerContract
import PageKit

/// How the page about an address looks.
enum AddressView {
    /// All that is known of the address, and what can be done with it.
    static func detail(_ address: Address) -> some View {
        Card(address.label.oneLine) {
            List {
                Row("Street", detail: address.street).key("street")
                if let postalCode = address.postalCode { Row("Postal code", detail: postalCode).key("postalCode") }
                Row("City", detail: address.city).key("city")
                if let country = address.country { Row("Country", detail: country).key("country") }
                Row("Added", detail: address.addedAt.day).key("addedAt")
            }
            Button(
                "Delete",
                .call(
                    "deleteAddressAndLeave", ["id": address.id.payload],
                    confirm: "Delete the address \(address.label.oneLine)?"),
                role: .destructive)
        }
        .key(address.id)
    }

    /// The form that changes an address.
    static func form(_ address: Address) -> some View {
        Form("Save", .call("changeAddress", ["id": address.id.payload])) { fields(of: address) }.key(address.id)
    }

    /// The fields of a form, with what is stored.
    ///
    /// - Parameter address: nil for a new one.
    @ViewBuilder static func fields(of address: Address?) -> [ViewNode] {
        Field("label", "Name", stored: address?.label).required().help("Its purpose, such as Home.")
        Field("street", "Street", stored: address?.street, hasLines: true).required()
        Field("postalCode", "Postal code", stored: address?.postalCode)
        Field("city", "City", stored: address?.city).required()
        Field("country", "Country", stored: address?.country)
    }
}
