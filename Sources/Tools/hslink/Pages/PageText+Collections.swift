import PageKit

extension PageText {
    func lines(of content: ListContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        var lines: [TextLine] = []
        if let title = content.title { lines = TextLine(title, .strong).wrapped(to: place.room.width) }
        lines = withActions(of: node, lines, in: place)
        if node.children.isEmpty, let empty = content.empty {
            lines += TextLine.lines(of: empty, .faint).wrapped(to: place.room.width)
        }
        guard place.columns == 1 else { return lines + grid(of: node.children, columns: place.columns, in: place) }
        return lines + node.children.flatMap { self.lines(of: $0, in: place) }
    }

    /// A row has its title, detail and badge on one line if there is room; its picture adds nothing on a terminal.
    func lines(of content: RowContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let width = place.room.width
        var first = TextLine("• ")
        first.append(content.title, .strong)
        var badge = TextLine()
        if let text = content.badge { badge.append(" (\(text))", .good) }
        let detail = content.detail.map { TextLine.lines(of: $0) } ?? []
        let (inner, indent) = place.indented(by: 2)
        var lines: [TextLine]
        if detail.count < 2, width.map({ first.width + 2 + detail.width + badge.width <= $0 }) ?? true {
            if let detail = detail.first, detail.width > 0 {
                first.append("  ")
                first.append(detail)
            }
            first.append(badge)
            lines = [first]
        } else {
            first.append(badge)
            lines = first.wrapped(to: width, hanging: 2)
            lines += detail.wrapped(to: inner.room.width).indented(by: indent)
        }
        lines = withActions(of: node, lines, indent: 4, in: place)
        return lines + below(node.children, in: inner).indented(by: indent)
    }

    func lines(of content: TableContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let rows = node.children.filter { if case .tableRow = $0.content { true } else { false } }
        let cells = rows.map { row in
            if case .tableRow(let content) = row.content { content.cells } else { [String]() }
        }
        let table = TextTable(
            content.columns.map { TextTable.Column(title: $0.title, isTrailing: $0.alignment == .trailing) }, cells,
            limit: place.room.width)
        let header = table.header
        var lines = withActions(of: node, header, in: place)
        for (index, row) in rows.enumerated() {
            // Without a header, each row has several lines.
            if header.isEmpty, index > 0 { lines.append(TextLine()) }
            let inner = place.inside(row)
            lines += withActions(of: row, table.row(index), in: inner) + below(row.children, in: inner)
        }
        return lines
    }

    func lines(of content: CardContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let title = content.title.map { TextLine($0, .strong) }
        let room = place.room.less(4)
        var inner = place
        inner.room = room ?? place.room
        var lines: [TextLine] = []
        if let subtitle = content.subtitle {
            lines = TextLine.lines(of: subtitle, .faint).wrapped(to: inner.room.width)
        }
        lines += below(node.children, in: inner)
        lines = lines + withActions(of: node, [], indent: 0, in: inner)
        guard room != nil else { return (title?.wrapped(to: place.room.width) ?? []) + lines }
        return TextBlocks.box(lines, title: title, in: place.room)
    }
}
