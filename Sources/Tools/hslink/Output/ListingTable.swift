import SystemSupport

/// A table whose columns are as wide as their widest cell.
struct ListingTable {
    /// Where a cell is cut if the terminal is too narrow.
    enum Shortening {
        case none
        /// For paths, whose end matters most.
        case atStart
        /// For sentences.
        case atEnd
    }

    struct Column {
        let title: String
        var shortening = Shortening.none
    }

    struct Cell {
        /// Any text; it is escaped for output.
        let text: String
        var color = Color.none
    }

    enum Color: String {
        case none = ""
        case title = "\u{1B}[1m"
        case good = "\u{1B}[32m"
        case bad = "\u{1B}[31m"
        case faint = "\u{1B}[2m"
    }

    let columns: [Column]
    var rows: [[Cell]] = []

    /// The minimum width of a shortened column, unless its title is wider.
    private static let minimumWidth = 12

    init(_ columns: [Column]) { self.columns = columns }

    /// Returns the lines without the last line break; only the titles if there are no rows.
    ///
    /// - Parameter terminal: the terminal. Columns are shortened to fit its width, starting with the last one.
    func text(on terminal: Terminal) -> String {
        let cells = rows.map { row in row.map { Cell(text: $0.text.escaped, color: $0.color) } }
        let widths = widths(of: cells, within: terminal.width)
        let titles = columns.map { Cell(text: $0.title, color: .title) }
        return ([titles] + cells).map { line($0, widths, hasColor: terminal.hasColor) }.joined(separator: "\n")
    }

    private func widths(of cells: [[Cell]], within limit: Int?) -> [Int] {
        var widths = columns.indices.map { column in
            cells.reduce(columns[column].title.width) { max($0, $1[column].text.width) }
        }
        guard let limit else { return widths }
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - limit
        for column in columns.indices.reversed() where excess > 0 && columns[column].shortening != .none {
            let minimum = max(ListingTable.minimumWidth, columns[column].title.width)
            let cut = min(excess, max(widths[column] - minimum, 0))
            widths[column] -= cut
            excess -= cut
        }
        return widths
    }

    private func line(_ cells: [Cell], _ widths: [Int], hasColor: Bool) -> String {
        var line = ""
        var padding = 0
        for (column, cell) in cells.enumerated() {
            let text =
                columns[column].shortening == .atStart
                ? cell.text.shortenedAtStart(to: widths[column]) : cell.text.shortenedAtEnd(to: widths[column])
            // Padding is written only before text, so no line has trailing spaces.
            if !text.isEmpty {
                line += String(repeating: " ", count: padding)
                line += hasColor && cell.color != .none ? "\(cell.color.rawValue)\(text)\u{1B}[0m" : text
                padding = 0
            }
            padding += widths[column] - text.width + 2
        }
        return line
    }
}

extension ListingTable.Column: ExpressibleByStringLiteral {
    /// A column that is not shortened.
    init(stringLiteral title: String) { self.init(title: title) }
}
