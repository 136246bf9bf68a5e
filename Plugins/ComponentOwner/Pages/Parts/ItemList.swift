import PageKit

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
    /// Which part of all items these are.
    var part: ListPart

    /// How many items are added to a list when more are asked for.
    static let size = 100
    /// The most items in a list: with the longest texts, they are still below what a section of a page may have.
    static let most = 600

    /// - Parameters:
    ///   - all: what is stored.
    ///   - context: where the list is shown.
    ///   - item: makes the item of one of them.
    init<Stored>(_ all: [Stored], on context: PageContext, item: (Stored) -> Item) {
        part = context.part(of: all.count, size: ItemList.size, atMost: ItemList.most)
        items = all.prefix(part.count).map(item)
    }
}

extension ListPart {
    /// How many more there are, as a sentence.
    var remark: String { left == 1 ? "There is 1 more." : "There are \(left) more." }
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
