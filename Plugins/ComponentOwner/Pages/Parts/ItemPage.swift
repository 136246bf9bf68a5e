import ComponentKit
import PageKit

/// How a page shows its addresses or companies.
@Model
struct ItemListOptions: Sendable {
    /// Whether the form for a new one is above the list, folded.
    var form: Bool = false
}

/// Which address or company a page is about: the values of the pages `address` and `company`.
@Model
struct ItemValues: Sendable {
    var id: Int64
}

extension Field {
    /// A field for a text of up to 200 characters.
    ///
    /// - Parameters:
    ///   - stored: what is in it first; nil for nothing. If that has several lines, the field takes several.
    ///   - hasLines: whether it always takes several lines.
    init(_ name: String, _ label: String, stored: String?, hasLines: Bool = false) {
        let takesLines = hasLines || stored?.contains(where: \.isNewline) == true
        self.init(name, label, takesLines ? .lines(longest: 200) : .text, value: stored.map(\.payload) ?? .null)
    }
}

extension Timestamp {
    /// The day, as in 2026-11-23.
    var day: String { rfc3339.map { String($0.prefix(10)) } ?? "" }
}
