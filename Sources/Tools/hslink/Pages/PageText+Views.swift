import ComponentKit
import PageKit

extension PageText {
    /// Returns the lines of a view with everything in it; none is wider than the room of the place.
    func lines(of node: ViewNode, in outer: Place) -> [TextLine] {
        let (columns, spaces) = (outer.columns, outer.spaces)
        var place = outer.inside(node)
        let width = place.room.width
        func shown(_ lines: [TextLine], isMainNamed: Bool = false) -> [TextLine] {
            withActions(of: node, lines, isMainNamed: isMainNamed, in: place) + rest(node, place)
        }
        switch node.content {
        case .text(let content): return shown(lines(of: content, in: place))
        case .badge(let content):
            return shown(TextLine("● \(content.text)", content.tone.ink).wrapped(to: width, hanging: 2))
        case .image(let content):
            return shown(lines(of: content, isNeeded: node.hasActions).wrapped(to: width, hanging: 2))
        case .icon(let content):
            let name = content.label.isEmpty && node.hasActions ? content.name : content.label
            return shown(name.isEmpty ? [] : TextLine(name).wrapped(to: width))
        case .hyperlink(let content):
            var line = TextLine()
            if content.title != content.url { line.append(content.title + " ") }
            line.append("<", .faint)
            line.append(content.url, .link)
            line.append(">", .faint)
            return shown(line.wrapped(to: width, hanging: 2))
        case .button(let content):
            let role = content.role == .normal ? node.action?.role ?? .normal : content.role
            let ink: Ink = role == .destructive ? .bad : role == .primary ? .strong : .none
            let lines = TextLine("[\(content.title)]", ink).wrapped(to: width, hanging: 1)
            return shown(lines, isMainNamed: true)
        case .list(let content):
            (place.columns, place.spaces) = (columns, spaces)
            return lines(of: content, node, in: place)
        case .row(let content): return lines(of: content, node, in: place)
        case .table(let content): return lines(of: content, node, in: place)
        case .tableRow(let content):
            let cells = content.cells.indices.map { cell(content.cell(at: $0)).text }
            return shown(TextLine.lines(of: cells.joined(separator: "  ")).wrapped(to: width))
        case .grid(let content):
            place.spaces = spaces
            let grid = grid(of: node.children, columns: min(max(content.columns, 1), 12), in: place)
            return grid + withActions(of: node, [], in: place)
        case .card(let content): return lines(of: content, node, in: place)
        case .stack(let content):
            let actions = withActions(of: node, [], in: place)
            place.spaces = spaces
            if content.direction == .horizontal { return row(of: node.children, in: place) + actions }
            return (columns > 1 ? grid(of: node.children, columns: columns, in: place) : rest(node, place)) + actions
        case .tabs, .floating: return rest(node, place) + withActions(of: node, [], in: place)
        case .tab(let content):
            let (inner, indent) = place.indented(by: 2)
            let title = TextLine("▸ \(content.title)", .strong).wrapped(to: width, hanging: 2)
            return withActions(of: node, title, in: place) + rest(node, inner).indented(by: indent)
        case .form(let content): return lines(of: content, node, in: place)
        case .field(let content): return shown(lines(of: content, in: place))
        case .progress(let content): return shown(lines(of: content, in: place))
        case .stat(let content): return shown(lines(of: content, in: place))
        case .chart(let content): return shown(lines(of: content, in: place))
        case .player(let content):
            return shown(lines(of: content).wrapped(to: width, hanging: 2))
        case .placeholder(let content):
            let text = content.isLoading ? "… \(content.text) (loading)" : content.text
            return shown(TextLine.lines(of: text, .faint).wrapped(to: width, hanging: 2))
        case .failure(let content):
            var lines = TextLine.lines(of: "✗ \(content.message)", .bad).wrapped(to: width, hanging: 2)
            for text in [content.advice, content.detail].compactMap(\.self) {
                lines += TextLine.lines(of: "  \(text)").wrapped(to: width, hanging: 2)
            }
            return shown(lines)
        case .frame(let content): return lines(of: content, node, in: place)
        }
    }

    /// Returns the lines of the views in a view, below each other.
    private func rest(_ node: ViewNode, _ place: Place) -> [TextLine] { below(node.children, in: place) }

    /// Returns the lines of views below each other. An empty line separates those that consist of several parts from
    /// their neighbours.
    private func below(_ nodes: [ViewNode], in place: Place) -> [TextLine] {
        var result: [TextLine] = []
        var isAfterBlock = false
        for node in nodes.floatingLast(\.self) {
            let lines = lines(of: node, in: place.usual)
            guard !lines.isEmpty else { continue }
            if !result.isEmpty {
                let usual = isAfterBlock || node.isBlock ? 1 : 0
                result += [TextLine](repeating: TextLine(), count: place.spaces.lines ?? usual)
            }
            result += lines
            isAfterBlock = node.isBlock
        }
        return result
    }

    private func grid(of nodes: [ViewNode], columns: Int, in place: Place) -> [TextLine] {
        // A command in a narrow column would be torn apart.
        let minimum = commands != nil && nodes.contains(where: \.offersActions) ? 60 : 16
        let count = min(columns, nodes.count)
        return TextBlocks.grid(columns: count, minimum: minimum, spaces: place.spaces, in: place.room) { room in
            var place = place.usual
            place.room = room
            return nodes.map { lines(of: $0, in: place) }
        }
    }

    private func row(of nodes: [ViewNode], in place: Place) -> [TextLine] {
        var inner = place.usual
        inner.room.isFilled = false
        return TextBlocks.flow(nodes.map { lines(of: $0, in: inner) }, spaces: place.spaces, in: inner.room)
    }

    private func lines(of content: FrameContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        var parts: [[TextLine]] = []
        if let title = content.title {
            parts.append(TextBlocks.underlined(TextLine(title, .strong).wrapped(to: place.room.width), with: "═"))
        }
        for part in FramePart.allCases {
            let views = node.views(of: part)
            let inner = place.inside(part.rawValue)
            parts.append(part == .navigation ? row(of: views, in: inner) : below(views, in: inner))
        }
        return TextBlocks.separated(parts)
    }

    // MARK: - Texts

    private func lines(of content: TextContent, in place: Place) -> [TextLine] {
        let width = place.room.width
        switch content.style {
        case .title:
            return TextBlocks.underlined(TextLine.lines(of: content.text, .strong).wrapped(to: width), with: "─")
        case .heading: return TextLine.lines(of: content.text, .strong).wrapped(to: width)
        case .body: return TextLine.lines(of: content.text).wrapped(to: width)
        case .caption: return TextLine.lines(of: content.text, .faint).wrapped(to: width)
        case .code:
            let (inner, indent) = place.indented(by: 4)
            return TextLine.lines(of: content.text).wrapped(to: inner.room.width).indented(by: indent)
        case .success: return TextLine.lines(of: "✓ \(content.text)", .good).wrapped(to: width, hanging: 2)
        case .warning: return TextLine.lines(of: "! \(content.text)", .caution).wrapped(to: width, hanging: 2)
        case .failure: return TextLine.lines(of: "✗ \(content.text)", .bad).wrapped(to: width, hanging: 2)
        }
    }

    // MARK: - Media

    /// - Parameter isNeeded: whether an ornament is shown, too, because it has actions.
    private func lines(of content: ImageContent, isNeeded: Bool) -> [TextLine] {
        let source = content.source.text
        if content.description.isEmpty { return isNeeded ? [TextLine("[picture: \(source)]")] : [] }
        var lines = TextLine.lines(of: "[picture: \(content.description)]")
        lines[lines.count - 1].append(" \(source)", .faint)
        return lines
    }

    private func lines(of content: PlayerContent) -> [TextLine] {
        var line = TextLine("▶ \(content.title)")
        if let duration = content.duration, let text = PageText.time(duration) { line.append(" (\(text))") }
        line.append("  \(content.source.text)", .faint)
        return [line]
    }

    /// Returns a duration as in `1:02:03`; nil if it is not one.
    private static func time(_ duration: Double) -> String? {
        guard duration.isFinite, (0...1e9).contains(duration) else { return nil }
        let seconds = Int(duration.rounded())
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard seconds >= 3600 else { return "\(seconds / 60):\(padded(seconds % 60))" }
        return "\(seconds / 3600):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
    }

    private func lines(of content: ListContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        var lines: [TextLine] = []
        if let title = content.title { lines = TextLine(title, .strong).wrapped(to: place.room.width) }
        lines = withActions(of: node, lines, in: place)
        if node.children.isEmpty, let empty = content.empty {
            lines += TextLine.lines(of: empty, .faint).wrapped(to: place.room.width)
        }
        guard place.columns == 1 else { return lines + grid(of: node.children, columns: place.columns, in: place) }
        let space = [TextLine](repeating: TextLine(), count: place.spaces.lines ?? 0)
        return lines + node.children.map { self.lines(of: $0, in: place.usual) }.joined(separator: space)
    }

    /// A row has its title, detail and badge on one line if there is room; its picture adds nothing on a terminal.
    private func lines(of content: RowContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let width = place.room.width
        var first = TextLine(content.isCurrent ? "▸ " : "• ")
        first.append(content.title, .strong)
        var badge = TextLine()
        if let text = content.badge { badge.append(" (\(text))", content.tone.ink) }
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

    private func lines(of content: TableContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let rows = node.children.filter { if case .tableRow = $0.content { true } else { false } }
        let cells = rows.map { row in
            guard case .tableRow(let content) = row.content else { return [TextTable.Cell]() }
            return content.cells.indices.map { cell(content.cell(at: $0)) }
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

    /// A cell as it is shown: a time in the zone of the terminal, or as it is if there is none.
    private func cell(_ cell: TableCell) -> TextTable.Cell {
        switch cell.style {
        case .plain, .code: return TextTable.Cell(text: cell.text, isBlank: cell.isBlank)
        case .badge(let tone): return TextTable.Cell(text: cell.text, ink: tone.ink, isBlank: cell.isBlank)
        case .time:
            let time = terminal.width == nil ? nil : Timestamp(rfc3339: cell.text)
            return TextTable.Cell(text: time.flatMap { zone.text(of: $0) } ?? cell.text, isBlank: cell.isBlank)
        }
    }

    private func lines(of content: CardContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let title = content.title.map { TextLine($0, .strong) }
        if content.isFolded == true, !unfolds, var line = title {
            line.append(" (folded)", .faint)
            return line.wrapped(to: place.room.width, hanging: 2)
        }
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

    private func lines(of content: FormContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let width = place.room.width
        let (inner, indent) = place.indented(by: 2)
        var lines: [TextLine] = []
        if let title = content.title { lines = TextLine(title, .strong).wrapped(to: width) }
        lines += below(node.children, in: inner).indented(by: indent)
        let ink: Ink = node.action?.role == .destructive ? .bad : .strong
        let button = TextLine("[\(content.submit)]", ink).wrapped(to: inner.room.width, hanging: 1)
        return lines + withActions(of: node, button, isMainNamed: true, in: inner).indented(by: indent)
    }

    /// The label with the value; then how the value is given on a command line, and what else there is to say.
    private func lines(of content: FieldContent, in place: Place) -> [TextLine] {
        let (inner, indent) = place.indented(by: 2)
        var first = TextLine("\(content.label):", .strong)
        var more: [TextLine] = []
        let values = content.shownValue.map { TextLine.lines(of: $0) } ?? []
        if values.count == 1, let value = values.first, value.width > 0 {
            first.append(" ")
            first.append(value)
        } else {
            more = values.wrapped(to: inner.room.width)
        }
        let rule = "\(content.name)=  \(content.rule)\(content.isRequired ? ", required" : "")"
        more += TextLine(rule, .faint).wrapped(to: inner.room.width, hanging: 2)
        if let help = content.help { more += TextLine.lines(of: help).wrapped(to: inner.room.width) }
        if let problem = content.problem {
            more += TextLine.lines(of: "✗ \(problem)", .bad).wrapped(to: inner.room.width, hanging: 2)
        }
        return first.wrapped(to: place.room.width, hanging: 2) + more.indented(by: indent)
    }
}

extension ViewNode {
    fileprivate var hasActions: Bool { action != nil || !sideActions.isEmpty }

    /// Whether the view or one in it has actions.
    fileprivate var offersActions: Bool { hasActions || children.contains(where: \.offersActions) }

    /// Whether the view consists of several parts, which an empty line separates from its neighbours.
    fileprivate var isBlock: Bool {
        switch content {
        case .list, .table, .grid, .tabs, .tab, .form, .chart: true
        case .stack(let content): content.direction == .vertical
        default: false
        }
    }
}

extension Tone {
    /// How a word with this tone looks on a terminal with colour.
    var ink: Ink {
        switch self {
        case .neutral: .none
        case .accent: .strong
        case .success: .good
        case .warning: .caution
        case .failure: .bad
        }
    }
}

extension ImageSource {
    /// Where the picture is.
    fileprivate var text: String {
        switch self {
        case .resource(let name, let component): component.map { "\(name) of \($0)" } ?? name
        case .url(let url): url
        case .bytes(let bytes, let type): "\(type), \(bytes.count) bytes"
        }
    }
}

extension MediaSource {
    /// Where the recording is.
    fileprivate var text: String {
        switch self {
        case .resource(let name, let component): component.map { "\(name) of \($0)" } ?? name
        case .file(let path, let component): "\(path) in the data" + (component.map { " of \($0)" } ?? "")
        case .url(let url): url
        }
    }
}

extension FieldContent {
    /// What is in the field first, as it is shown; nil for nothing, and for a password in any case.
    fileprivate var shownValue: String? {
        switch kind {
        case .password: return nil
        case .choice(let choices):
            guard let text = writtenValue else { return nil }
            return choices.first { $0.value == text }.map(\.title) ?? text
        default: return writtenValue
        }
    }

    /// Which values the field takes.
    fileprivate var rule: String {
        switch kind {
        case .text(let longest): "text of at most \(longest) characters"
        case .lines(let longest): "lines of text, at most \(longest) characters"
        case .password: "a password: @? asks for it"
        case .email: "an address for e-mail"
        case .integer(let least, let most):
            least == .min && most == .max ? "a whole number" : "a whole number from \(least) to \(most)"
        case .number(let least, let most): "a number from \(least.writtenText) to \(most.writtenText)"
        case .toggle: isRequired ? "on" : "on or off"
        case .date: "a day such as 2026-11-23"
        case .choice(let choices):
            "one of "
                + choices.map { $0.title == $0.value ? $0.value : "\($0.value) (\($0.title))" }.joined(separator: ", ")
        }
    }
}
