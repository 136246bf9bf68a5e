import ComponentKit
import PageKit

/// How addresses look. These functions know neither where the addresses come from, nor what an action does.
enum AddressListView {
    /// The list.
    static func list(_ list: ItemList) -> some View {
        List(empty: "No addresses yet.") {
            for item in list.items {
                Row(item.title, detail: item.detail).key(item.id)
                    .action(.show(page: "address", ["id": item.id.payload]))
                    .side(
                        .call(
                            "deleteAddress", ["id": item.id.payload], title: "Delete",
                            confirm: "Delete the address \(item.title)?", role: .destructive))
            }
            if list.part.more == nil, list.part.left > 0 {
                Text("There are \(list.part.left) more.", style: .caption).key("more")
            }
        }
        .side(list.part.more)
    }

    /// The form for a new address.
    static func form() -> some View {
        Form("Add address", .call("addAddress")) { AddressView.fields(of: nil) }
    }
}
