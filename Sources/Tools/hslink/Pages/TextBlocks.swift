import PageKit

/// The room for a view on a terminal.
struct Room {
    /// The number of columns; nil for any number.
    let width: Int?
    /// Whether boxes are as wide as the room, and not as what is in them.
    var isFilled = true

    /// The width that is left at least. Decoration that would leave less is omitted.
    static let minimum = 10
    /// How far views that may be beside each other reach if lines may have any length.
    private static let usual = 100

    /// How far views that may be beside each other reach.
    var flowWidth: Int { width ?? Room.usual }

    /// Returns the room without so many columns; nil if it would become too narrow.
    func less(_ columns: Int) -> Room? {
        guard let width else { return self }
        return width - columns >= Room.minimum ? Room(width: width - columns, isFilled: isFilled) : nil
    }
}

/// The spaces between views.
struct ViewSpaces {
    /// How many columns are between views beside each other; nil for as many as usual.
    var columns: Int?
    /// How many empty lines are between views below each other; nil for as many as usual.
    var lines: Int?
}

extension ViewSpaces {
    /// A letter is about half as wide as a line is high.
    init(_ layout: SectionLayout) {
        columns = layout.itemSpace.map { min(max($0, 0), 10) * 2 }
        lines = layout.lineSpace.map { min(max($0, 0), 10) }
    }
}

/// Arranges the lines of views.
enum TextBlocks {
    /// The number of spaces between blocks beside each other.
    private static let gap = 3
    /// Puts blocks beside each other as long as there is room, then below.
    static func flow(_ blocks: [[TextLine]], spaces: ViewSpaces = ViewSpaces(), in room: Room) -> [TextLine] {
        let gap = spaces.columns ?? TextBlocks.gap
        var rows: [[[TextLine]]] = []
        var width = 0
        for block in blocks where !block.isEmpty {
            let next = width + gap + block.width
            if let last = rows.indices.last, next <= room.flowWidth {
                rows[last].append(block)
                width = next
            } else {
                rows.append([block])
                width = block.width
            }
        }
        return below(rows.map { row in beside(row, widths: row.map(\.width), gap: gap) }, spaces)
    }

    /// Puts blocks into as many columns as there is room for.
    ///
    /// - Parameters:
    ///   - wanted: how many columns there may be.
    ///   - minimum: how wide each of them is at least.
    ///   - spaces: the spaces between the blocks.
    ///   - make: returns the blocks for a room.
    static func grid(
        columns wanted: Int, minimum: Int, spaces: ViewSpaces, in room: Room, _ make: (Room) -> [[TextLine]]
    ) -> [TextLine] {
        let gap = spaces.columns ?? TextBlocks.gap
        var count = max(wanted, 1)
        var column = room
        if let width = room.width {
            while count > 1, (width - gap * (count - 1)) / count < minimum { count -= 1 }
            column = Room(width: (width - gap * (count - 1)) / count)
        }
        let blocks = make(column).filter { !$0.isEmpty }
        let widths = (0..<count).map { index in
            column.width ?? blocks.indices.filter { $0 % count == index }.map { blocks[$0].width }.max() ?? 0
        }
        let rows = stride(from: 0, to: blocks.count, by: count).map { start in
            beside(Array(blocks[start..<min(start + count, blocks.count)]), widths: widths, gap: gap)
        }
        return below(rows, spaces)
    }

    private static func below(_ rows: [[TextLine]], _ spaces: ViewSpaces) -> [TextLine] {
        Array(rows.joined(separator: [TextLine](repeating: TextLine(), count: spaces.lines ?? 0)))
    }

    /// Puts blocks beside one another, in columns of these widths.
    ///
    /// - Parameter gap: how many spaces there are between two columns.
    static func beside(_ blocks: [[TextLine]], widths: [Int], gap: Int = TextBlocks.gap) -> [TextLine] {
        (0..<(blocks.map(\.count).max() ?? 0)).map { row in
            var line = TextLine()
            var start = 0
            for (block, width) in zip(blocks, widths) {
                if block.indices.contains(row) {
                    line.pad(to: start)
                    line.append(block[row])
                }
                start += width + gap
            }
            return line
        }
    }

    /// Draws a box around lines that are four columns narrower than the room.
    ///
    /// - Parameters:
    ///   - title: the title in the upper edge.
    ///   - room: the room for the box.
    static func box(_ lines: [TextLine], title: TextLine?, in room: Room) -> [TextLine] {
        var lines = lines
        let most = room.width.map { $0 - 4 }
        var inner = max(lines.width, min(title.map { $0.width + 2 } ?? 0, most ?? .max), 1)
        if room.isFilled, let most { inner = most }
        var edge = TextLine("┌─", .faint)
        if let title, title.width + 2 <= inner {
            edge.append(" ")
            edge.append(title)
            edge.append(" ")
        } else if let title {
            lines = title.wrapped(to: inner) + lines
        }
        edge.append(String(repeating: "─", count: inner + 3 - edge.width) + "┐", .faint)
        let rows = lines.map { line in
            var row = TextLine("│ ", .faint)
            row.append(line)
            row.pad(to: inner + 2)
            row.append(" │", .faint)
            return row
        }
        return [edge] + rows + [TextLine("└\(String(repeating: "─", count: inner + 2))┘", .faint)]
    }

    /// Returns the title of a section, in a rule as wide as the room.
    static func rule(_ title: TextLine, in room: Room) -> [TextLine] {
        var line = TextLine("── ", .faint)
        line.append(title)
        if let width = room.width, line.width > width - 3 { return line.wrapped(to: width, hanging: 3) }
        line.append(" ")
        let rest = room.width.map { $0 - line.width } ?? 2
        line.append(String(repeating: "─", count: rest), .faint)
        return [line]
    }

    /// Returns lines with a line below that is as wide as they are.
    static func underlined(_ lines: [TextLine], with sign: Character) -> [TextLine] {
        lines + [TextLine(String(repeating: sign, count: lines.width), .faint)]
    }

    /// Puts parts below each other, with an empty line between them.
    static func separated(_ parts: [[TextLine]]) -> [TextLine] {
        Array(parts.filter { !$0.isEmpty }.joined(separator: [TextLine()]))
    }
}
