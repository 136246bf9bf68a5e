/// What a list of addresses or companies shows: the state that a presenter hands to its view.
struct ItemList: Hashable, Sendable {
    /// An item in a row.
    struct Item: Hashable, Sendable {
        var id: Int64
        /// Its name, in one line.
        var title: String
        /// More about it, in one line.
        var detail: String?
    }

    /// The items, oldest first.
    var items: [Item]
    /// How many more there are.
    var more: Int

    /// The most items in a list: with the longest texts, they are still far below what a section of a page may have.
    static let most = 200

    /// - Parameters:
    ///   - all: what is stored.
    ///   - item: makes the item of one of them.
    init<Stored>(_ all: [Stored], item: (Stored) -> Item) {
        items = all.prefix(ItemList.most).map(item)
        more = all.count - items.count
    }
}

extension String {
    /// The text without line breaks, which titles do not have. Several lines may be stored in each field.
    var oneLine: String {
        var text = ""
        for scalar in unicodeScalars {
            text.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return text
    }
}

extension [String?] {
    /// The texts that there are, in one line; nil if there are none.
    var oneLine: String? {
        let texts = compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: ", ").oneLine
    }
}
