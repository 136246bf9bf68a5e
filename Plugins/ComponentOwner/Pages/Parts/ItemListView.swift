import ComponentKit
import PageKit

/// How a list of addresses or companies looks. It knows neither where the items come from, nor what an action does.
struct ItemListView: Sendable {
    /// What one of the items is called, with a capital, as at the end of the names of its selectors.
    private let type: String
    private let several: String
    /// The fields of the form for a new one.
    private let fields: @Sendable () -> [ViewNode]

    static let addresses = ItemListView(type: "Address", several: "addresses") { AddressView.fields(of: nil) }
    static let companies = ItemListView(type: "Company", several: "companies") { CompanyView.fields(of: nil) }

    /// What one of the items is called, which is the name of its page as well.
    private var name: String { type.lowercased() }

    /// The list.
    ///
    /// - Parameter hasForm: whether the form for a new one is above it, folded.
    func list(_ list: ItemList, hasForm: Bool = false) -> some View {
        guard hasForm else {
            // Leads to the page with the form.
            let adding = Action.show(page: "owner", title: "Add \(name)")
            return rows(list).side(list.items.isEmpty ? adding : nil).node
        }
        return Stack {
            Card("New \(name)") { form() }.folded().key("new")
            rows(list).key("list")
        }.node
    }

    private func rows(_ list: ItemList) -> List {
        List(empty: "No \(several) yet.") {
            for item in list.items {
                Row(item.title, detail: item.detail).key(item.id)
                    .action(.show(page: name, ["id": item.id.payload]))
                    .side(
                        .call(
                            "delete\(type)", ["id": item.id.payload], title: "Delete",
                            confirm: "Delete the \(name) \(item.title)?", role: .destructive))
            }
            if list.part.more == nil, list.part.left > 0 {
                Text(list.part.remark, style: .caption).key("more")
            }
        }
        .side(list.part.more)
    }

    /// The form for a new one.
    func form() -> some View { Form("Add \(name)", .call("add\(type)")) { fields() } }
}
