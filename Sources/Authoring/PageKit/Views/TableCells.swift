public import ComponentKit
import SystemSupport

/// A cell of a ``TableRow``: a text, and what kind of text it is.
///
/// ```swift
/// TableRow([.code(method.name), "\(method.calls)", .badge("failed", .failure), .time(method.calledAt)])
/// ```
public struct TableCell: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// What the cell says.
    public var text: String
    /// What kind of text it is.
    public var style: CellStyle

    /// - Parameters:
    ///   - text: what the cell says; line breaks are kept.
    ///   - style: what kind of text it is.
    public init(_ text: String, _ style: CellStyle = .plain) {
        self.text = text
        self.style = style
    }

    /// Whether the text is empty or "–". A column in which all cells are blank is left out.
    public var isBlank: Bool { text.isEmpty || text.isExactly("–") }

    /// A cell with ordinary text.
    public init(stringLiteral text: String) { self.init(text) }

    /// A name from code, such as a method, a path or a URL, in letters of equal width.
    public static func code(_ text: String) -> TableCell { TableCell(text, .code) }

    /// A short word about the state of something, as a ``Badge``.
    ///
    /// - Parameters:
    ///   - text: the word.
    ///   - tone: what the word means to the reader.
    public static func badge(_ text: String, _ tone: Tone = .neutral) -> TableCell {
        TableCell(text, .badge(tone: tone))
    }

    /// A point in time, shown in the reader's time zone. A time before the year 0 or after 9999 is shown as "–".
    public static func time(_ time: Timestamp) -> TableCell {
        guard let text = time.rfc3339 else { return TableCell("–") }
        return TableCell("\(text.prefix(23))Z", .time)
    }
}

/// What kind of text a cell of a table has.
@Model public enum CellStyle: Hashable, Sendable {
    /// Ordinary text.
    case plain
    /// A name from code, in letters of equal width.
    case code
    /// A point in time in RFC 3339 format, in UTC with milliseconds: `2026-01-02T03:04:05.006Z`. It is shown in the
    /// reader's time zone. An empty text is none.
    case time
    /// A short word about the state of something.
    case badge(tone: Tone)
}

extension TableRowContent {
    /// Returns the cell with an index; an empty one if there is none.
    public func cell(at index: Int) -> TableCell {
        TableCell(
            cells.indices.contains(index) ? cells[index] : "", styles.indices.contains(index) ? styles[index] : .plain)
    }
}
