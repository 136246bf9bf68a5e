import PageKit

/// A table of things of which there may be any number: rows up to a limit, and a button that shows more of them.
struct LongTable: View {
    var node: ViewNode
    /// How long the texts of all rows are together.
    let textBytes: Int

    /// The most rows that people can ask for.
    static let mostRows = 2000

    /// - Parameters:
    ///   - columns: the columns.
    ///   - items: the items to show, one in each row.
    ///   - context: the place on the page, which knows how many rows people have asked for; nil if no more can be shown.
    ///   - most: how many rows there are at first, and how many are added each time.
    ///   - bytes: how long the texts of all rows together may be.
    ///   - empty: the text to show if there are none.
    ///   - key: what names an item among the others.
    ///   - row: makes the row of an item.
    init<Item>(
        _ columns: [TableColumn], _ items: [Item], in context: PageContext? = nil, most: Int = 200,
        bytes: Int = 2 << 20, empty: String, key: (Item) -> String, row: (Item) -> TableRow
    ) {
        let part = context?.part(of: items.count, size: most, atMost: LongTable.mostRows)
        var keys = SiblingKeys()
        var rows: [ViewNode] = []
        var room = bytes
        for item in items.prefix(part?.count ?? most) {
            let row = row(item).key(keys.key(key(item))).node
            room -= row.tableCells.reduce(0) { $0 + $1.utf8.count }
            guard room > 0 || rows.isEmpty else { break }
            rows.append(row)
        }
        // Whoever asks for more than there is room for gets no more.
        let more = rows.count == part?.count ? part?.more : nil
        let left = items.count - rows.count
        textBytes = bytes - room
        node =
            Stack {
                if items.isEmpty {
                    Placeholder(empty).key("empty")
                } else {
                    Table(columns) { rows }.side(more).key("table")
                }
                if left > 0, more == nil {
                    Text("\(left) more \(left == 1 ? "is" : "are") not listed.", style: .caption).key("more")
                }
            }.node
    }
}

extension ViewNode {
    /// The texts of the cells of a row.
    fileprivate var tableCells: [String] { if case .tableRow(let row) = content { row.cells } else { [] } }
}
