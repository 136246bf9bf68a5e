import PageKit

extension PageText {
    /// Returns the lines of a view with everything in it; none is wider than the room of the place.
    func lines(of node: ViewNode, in outer: Place) -> [TextLine] {
        let columns = outer.columns
        var place = outer.inside(node)
        let width = place.room.width
        switch node.content {
        case .text(let content):
            return withActions(of: node, lines(of: content, in: place), in: place) + rest(node, place)
        case .image(let content):
            let lines = lines(of: content, isNeeded: node.hasActions).wrapped(to: width, hanging: 2)
            return withActions(of: node, lines, in: place) + rest(node, place)
        case .icon(let content):
            let name = content.label.isEmpty && node.hasActions ? content.name : content.label
            let lines = name.isEmpty ? [] : TextLine(name).wrapped(to: width)
            return withActions(of: node, lines, in: place) + rest(node, place)
        case .hyperlink(let content):
            var line = TextLine()
            if content.title != content.url { line.append(content.title + " ") }
            line.append("<", .faint)
            line.append(content.url, .link)
            line.append(">", .faint)
            return withActions(of: node, line.wrapped(to: width, hanging: 2), in: place) + rest(node, place)
        case .button(let content):
            let ink: Ink = content.role == .destructive ? .bad : content.role == .primary ? .strong : .none
            let lines = TextLine("[\(content.title)]", ink).wrapped(to: width, hanging: 1)
            return withActions(of: node, lines, isMainNamed: true, in: place) + rest(node, place)
        case .list(let content):
            place.columns = columns
            return lines(of: content, node, in: place)
        case .row(let content): return lines(of: content, node, in: place)
        case .table(let content): return lines(of: content, node, in: place)
        case .tableRow(let content):
            let cells = content.cells.joined(separator: "  ")
            let lines = TextLine.lines(of: cells).wrapped(to: width)
            return withActions(of: node, lines, in: place) + rest(node, place)
        case .grid(let content):
            let grid = grid(of: node.children, columns: min(max(content.columns, 1), 12), in: place)
            return grid + withActions(of: node, [], in: place)
        case .card(let content): return lines(of: content, node, in: place)
        case .stack(let content):
            let actions = withActions(of: node, [], in: place)
            if content.direction == .horizontal { return row(of: node.children, in: place) + actions }
            return (columns > 1 ? grid(of: node.children, columns: columns, in: place) : rest(node, place)) + actions
        case .tabs, .floating: return rest(node, place) + withActions(of: node, [], in: place)
        case .tab(let content):
            let (inner, indent) = place.indented(by: 2)
            let title = TextLine("▸ \(content.title)", .strong).wrapped(to: width, hanging: 2)
            return withActions(of: node, title, in: place) + rest(node, inner).indented(by: indent)
        case .form(let content): return lines(of: content, node, in: place)
        case .field(let content):
            return withActions(of: node, lines(of: content, in: place), in: place) + rest(node, place)
        case .progress(let content):
            return withActions(of: node, lines(of: content, in: place), in: place) + rest(node, place)
        case .stat(let content):
            return withActions(of: node, lines(of: content, in: place), in: place) + rest(node, place)
        case .chart(let content):
            return withActions(of: node, lines(of: content, in: place), in: place) + rest(node, place)
        case .player(let content):
            let lines = lines(of: content).wrapped(to: width, hanging: 2)
            return withActions(of: node, lines, in: place) + rest(node, place)
        case .placeholder(let content):
            let text = content.isLoading ? "… \(content.text) (loading)" : content.text
            let lines = TextLine.lines(of: text, .faint).wrapped(to: width, hanging: 2)
            return withActions(of: node, lines, in: place) + rest(node, place)
        case .failure(let content):
            var lines = TextLine.lines(of: "✗ \(content.message)", .bad).wrapped(to: width, hanging: 2)
            if let advice = content.advice { lines += TextLine.lines(of: "  \(advice)").wrapped(to: width, hanging: 2) }
            return withActions(of: node, lines, in: place) + rest(node, place)
        case .frame(let content): return lines(of: content, node, in: place)
        }
    }

    /// Returns the lines of the views in a view, below each other.
    func rest(_ node: ViewNode, _ place: Place) -> [TextLine] { below(node.children, in: place) }

    /// Returns the lines of views below each other. An empty line separates those that consist of several parts from
    /// their neighbours.
    func below(_ nodes: [ViewNode], in place: Place) -> [TextLine] {
        var result: [TextLine] = []
        var isAfterBlock = false
        for node in nodes.floatingLast(\.self) {
            let lines = lines(of: node, in: place)
            guard !lines.isEmpty else { continue }
            if !result.isEmpty, isAfterBlock || node.isBlock { result.append(TextLine()) }
            result += lines
            isAfterBlock = node.isBlock
        }
        return result
    }

    func grid(of nodes: [ViewNode], columns: Int, in place: Place) -> [TextLine] {
        // A command in a narrow column would be torn apart.
        let minimum = commands != nil && nodes.contains(where: \.offersActions) ? 60 : 16
        return TextBlocks.grid(columns: min(columns, nodes.count), minimum: minimum, in: place.room) { room in
            var place = place
            place.room = room
            return nodes.map { lines(of: $0, in: place) }
        }
    }

    private func row(of nodes: [ViewNode], in place: Place) -> [TextLine] {
        var place = place
        place.room.isFilled = false
        return TextBlocks.flow(nodes.map { lines(of: $0, in: place) }, in: place.room)
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
