import PageKit

/// A table of things of which there may be any number: rows up to a limit, and how many more there are.
struct LongTable: View {
    var node: ViewNode

    /// - Parameters:
    ///   - columns: the columns.
    ///   - items: the items to show, one in each row.
    ///   - most: how many rows there are at most.
    ///   - empty: the text to show if there are none.
    ///   - key: what names an item among the others.
    ///   - row: makes the row of an item.
    init<Item>(
        _ columns: [TableColumn], _ items: [Item], most: Int = 200, empty: String, key: (Item) -> String,
        row: (Item) -> TableRow
    ) {
        var keys = SiblingKeys()
        node =
            Stack {
                if items.isEmpty {
                    Placeholder(empty).key("empty")
                } else {
                    Table(columns) { for item in items.prefix(most) { row(item).key(keys.key(key(item))) } }
                        .key("table")
                }
                if items.count > most {
                    Text("There are \(items.count - most) more.", style: .caption).key("more")
                }
            }.node
    }
}
