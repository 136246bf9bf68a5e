import ComponentKit
import PageKit

/// How companies look. These functions know neither where the companies come from, nor what an action does.
enum CompanyListView {
    /// The list.
    ///
    /// - Parameter hasForm: whether the form for a new one is above it, folded.
    static func list(_ list: ItemList, hasForm: Bool = false) -> some View {
        guard hasForm else { return rows(list).side(list.items.isEmpty ? adding : nil).node }
        return Stack {
            Card("New company") { form() }.folded().key("new")
            rows(list).key("list")
        }.node
    }

    /// Leads to the page with the form.
    private static let adding = Action.show(page: "owner", title: "Add company")

    private static func rows(_ list: ItemList) -> List {
        List(empty: "No companies yet.") {
            for item in list.items {
                Row(item.title, detail: item.detail).key(item.id)
                    .action(.show(page: "company", ["id": item.id.payload]))
                    .side(
                        .call(
                            "deleteCompany", ["id": item.id.payload], title: "Delete",
                            confirm: "Delete the company \(item.title)?", role: .destructive))
            }
            if list.part.more == nil, list.part.left > 0 {
                Text(list.part.remark, style: .caption).key("more")
            }
        }
        .side(list.part.more)
    }

    /// The form for a new company.
    static func form() -> some View {
        Form("Add company", .call("addCompany")) { CompanyView.fields(of: nil) }
    }
}
