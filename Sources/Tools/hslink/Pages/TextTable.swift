/// The lines of a table whose texts are wrapped in their columns. ``ListingTable`` cuts texts instead.
struct TextTable {
    struct Column {
        let title: String
        let isTrailing: Bool
    }

    struct Cell {
        let text: String
        var ink = Ink.none
        /// Whether it says nothing.
        var isBlank = false
    }

    private let columns: [Column]
    private let cells: [[Cell]]
    /// The width of each column; nil if each cell is on a line of its own.
    private let widths: [Int]?
    private let limit: Int?

    private static let gap = 2
    /// A column whose texts are wider is not made narrower than this.
    private static let columnMinimum = 6

    /// - Parameters:
    ///   - columns: the columns in order. One in which all rows are blank is left out, unless it is the first.
    ///   - cells: the cells of each row. What is missing is blank.
    ///   - limit: the width that the table may have.
    init(_ columns: [Column], _ cells: [[Cell]], limit: Int?) {
        let kept = columns.indices.filter { index in
            index == 0 || cells.isEmpty
                || cells.contains { $0.indices.contains(index) && !$0[index].isBlank }
        }
        let columns = kept.map { columns[$0] }
        let cells = cells.map { row in
            kept.map { row.indices.contains($0) ? row[$0] : Cell(text: "", isBlank: true) }
        }
        self.columns = columns
        self.cells = cells
        self.limit = limit
        let natural = columns.indices.map { index in
            let texts = cells.map { TextLine.lines(of: $0[index].text).width }
            return min(max(texts.max() ?? 0, TextLine(columns[index].title).width), limit ?? .max)
        }
        widths = TextTable.fitted(natural, to: limit)
    }

    /// Makes the widest columns narrower until all fit; nil if there are too many.
    private static func fitted(_ natural: [Int], to limit: Int?) -> [Int]? {
        guard let limit else { return natural }
        let room = limit - gap * (natural.count - 1)
        guard natural.reduce(0, { $0 + min($1, columnMinimum) }) <= room else { return nil }
        var widths = natural
        while widths.reduce(0, +) > room, let widest = widths.max() {
            for index in widths.indices.reversed() where widths[index] == widest && widths.reduce(0, +) > room {
                widths[index] -= 1
            }
        }
        return widths
    }

    /// The titles and a rule below them; nothing if each cell is on a line of its own.
    var header: [TextLine] {
        guard let widths else { return [] }
        let rule = columns.indices.map { [TextLine(String(repeating: "─", count: widths[$0]), .faint)] }
        return line(columns.map { Cell(text: $0.title, ink: .strong) }, widths: widths)
            + TextBlocks.beside(rule, widths: widths, gap: TextTable.gap)
    }

    /// The lines of a row.
    func row(_ index: Int) -> [TextLine] {
        if let widths { return line(cells[index], widths: widths) }
        let cells = zip(columns, cells[index]).enumerated().filter { $0 == 0 || !$1.1.isBlank }
        return cells.flatMap { _, pair in
            let (column, cell) = pair
            var lines = TextLine.lines(of: cell.text, cell.ink)
            var first = TextLine(column.title, .strong)
            first.append(": ")
            first.append(lines.removeFirst())
            return ([first] + lines).wrapped(to: limit, hanging: 2)
        }
    }

    private func line(_ cells: [Cell], widths: [Int]) -> [TextLine] {
        TextBlocks.beside(
            columns.indices.map { index in
                let cell = cells[index]
                let lines = TextLine.lines(of: cell.text, cell.ink).wrapped(to: max(widths[index], 2))
                guard columns[index].isTrailing else { return lines }
                return lines.map { $0.indented(by: max(widths[index] - $0.width, 0)) }
            }, widths: widths, gap: TextTable.gap)
    }
}
