import ComponentKit
import PageKit

/// How companies look. These functions know neither where the companies come from, nor what an action does.
enum CompanyListView {
    /// The list.
    static func list(_ list: ItemList) -> some View {
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
                Text("There are \(list.part.left) more.", style: .caption).key("more")
            }
        }
        .side(list.part.more)
    }

    /// The form for a new company.
    static func form() -> some View {
        Form("Add company", .call("addCompany")) { CompanyView.fields(of: nil) }
    }
}
