import PageKit
import SystemSupport

/// Shows pages as text: for a terminal, with its width and colours, or for a file, with lines of any length.
struct PageText {
    let terminal: Terminal
    /// The commands that are shown with actions; nil to leave them out.
    var commands: PageCommands?
    /// Whether folded sections and cards are shown with what is in them.
    var unfolds = false
    /// The zone in which times are shown on a terminal.
    var zone = TerminalZone.current

    /// Returns the lines of a page.
    func lines(of page: Page) -> [String] {
        var parts: [[TextLine]] = []
        var title = page.title.isEmpty ? page.id : page.title
        if case .frame(let frame) = page.frame?.view.content, let own = frame.title { title = own }
        parts.append(TextBlocks.underlined(TextLine(title, .strong).wrapped(to: room.width), with: "═"))
        let frame = page.frame.map { frame in (section: frame, actions: SectionActions(frame)) }
        if let frame {
            parts.append(header(of: frame.section, isFolded: false))
            let navigation = views(of: .navigation, in: frame.section, frame.actions)
            parts.append(TextBlocks.flow(navigation, in: room))
            parts.append(Array(views(of: .header, in: frame.section, frame.actions).joined()))
        }
        parts += lines(of: page.sections.floatingLast(\.view))
        if let frame { parts.append(Array(views(of: .footer, in: frame.section, frame.actions).joined())) }
        var lines = TextBlocks.separated(parts)
        while lines.last?.width == 0 { lines.removeLast() }
        return text(lines)
    }

    /// Returns the lines of a view. Actions that only a page knows how to perform have no command.
    func lines(of view: ViewNode) -> [String] { text(lines(of: view, in: Place(room: room))) }

    private var room: Room { Room(width: terminal.width.map { max($0, Room.minimum) }) }

    private func text(_ lines: [TextLine]) -> [String] { lines.map { $0.text(hasColor: terminal.hasColor) } }

    private func views(of part: FramePart, in frame: PageSection, _ actions: SectionActions) -> [[TextLine]] {
        var place = Place(room: room, section: actions)
        if case .frame = frame.view.content { place = place.inside(frame.view).inside(part.rawValue) }
        if part == .navigation { place.room.isFilled = false }
        return frame.view.views(of: part).map { lines(of: $0, in: place) }
    }

    // MARK: - Sections

    /// Returns the lines of sections, those of a header together with those of the section below it.
    private func lines(of sections: [PageSection]) -> [[TextLine]] {
        var parts: [[TextLine]] = []
        var header: [TextLine] = []
        for section in sections {
            header += lines(of: section)
            if section.layout.isHeader { continue }
            parts.append(header)
            header = []
        }
        return parts + [header]
    }

    private func lines(of section: PageSection) -> [TextLine] {
        let isFolded = section.layout.isFolded && !unfolds
        var lines = header(of: section, isFolded: isFolded)
        if !isFolded {
            let place = Place(
                room: room, section: SectionActions(section), columns: min(max(section.layout.columns, 1), 12),
                spaces: ViewSpaces(section.layout))
            lines += self.lines(of: section.view, in: place)
        }
        let inset = isFolded ? 0 : min(max(section.layout.inset, 0), 10)
        let space = [TextLine](repeating: TextLine(), count: inset)
        return space + lines + space
    }

    /// Returns the title of a section, with what is to be said about its state; nothing if there is nothing to say.
    private func header(of section: PageSection, isFolded: Bool) -> [TextLine] {
        var notes: [(String, Ink)] = []
        if isFolded { notes.append(("folded", .faint)) }
        switch section.state {
        case .shown: break
        case .loading: notes.append(("loading", .caution))
        case .failed: notes.append(("failed", .bad))
        case .fallback: notes.append(("fallback", .caution))
        }
        guard section.title != nil || !notes.isEmpty else { return [] }
        var title = TextLine(section.title ?? section.name, .strong)
        for (note, ink) in notes {
            title.append(" ")
            title.append("(\(note))", ink)
        }
        return TextBlocks.rule(title, in: room)
    }

    /// Adds the commands for the actions of a view: at the end of its line if there is room, else below.
    ///
    /// - Parameters:
    ///   - lines: the lines of the view without the views in it.
    ///   - isMainNamed: whether these lines say what the main action is.
    ///   - indent: the number of spaces before commands on lines below.
    ///   - place: where the view is shown, with its key.
    func withActions(
        of node: ViewNode, _ lines: [TextLine], isMainNamed: Bool = false, indent: Int = 2, in place: Place
    ) -> [TextLine] {
        guard let commands else { return lines }
        var actions: [ActionText] = []
        if let action = node.action {
            let words = commands.words(for: action, in: place.section, keys: place.keys, fields: node.fields)
            if let words { actions.append(ActionText(isMainNamed ? nil : action.title, words, role: action.role)) }
        }
        for action in node.sideActions {
            let words = commands.words(for: action, in: place.section, keys: place.keys, fields: [])
            if let words { actions.append(ActionText(action.title, words, role: action.role)) }
        }
        guard !actions.isEmpty else { return lines }
        if lines.count == 1, var line = lines.first {
            for action in actions {
                line.append("  ")
                line.append(action.line)
            }
            if line.width <= place.room.flowWidth { return [line] }
        }
        let (inner, indent) = place.indented(by: indent)
        return lines + actions.flatMap { $0.lines(limit: inner.room.width) }.indented(by: indent)
    }
}

extension PageText {
    /// Where a view is shown.
    struct Place {
        var room: Room
        /// The actions of the section; nil if the view is not on a page.
        var section: SectionActions?
        /// The keys of the views around it.
        var keys: [String] = []
        /// How many columns the section has for the views in its own; 1 for all others.
        var columns = 1
        /// The spaces between the views in its own; those that are usual for all others.
        var spaces = ViewSpaces()

        func inside(_ node: ViewNode) -> Place { inside(node.key) }

        /// The same place with the usual spaces.
        var usual: Place {
            var place = self
            place.spaces = ViewSpaces()
            return place
        }

        func inside(_ key: String) -> Place {
            var place = self
            if !key.isEmpty { place.keys.append(key) }
            place.columns = 1
            place.spaces = ViewSpaces()
            return place
        }

        /// Returns the place with so many columns less, and how many these are: none if it would become too narrow.
        func indented(by columns: Int) -> (place: Place, indent: Int) {
            guard let less = room.less(columns) else { return (self, 0) }
            var place = self
            place.room = less
            return (place, columns)
        }
    }
}

extension Array {
    /// The elements with those in front that float at the top, and those behind that float at the bottom.
    func floatingLast(_ view: (Element) -> ViewNode) -> [Element] {
        func edge(_ element: Element) -> FloatingEdge? {
            if case .floating(let content) = view(element).content { content.edge } else { nil }
        }
        return filter { edge($0) == .top } + filter { edge($0) == nil } + filter { edge($0) == .bottom }
    }
}

/// A command with the name of its action, as in `→ Delete: hslink page …`.
private struct ActionText {
    private let start: TextLine
    private let words: [String]

    init(_ title: String?, _ words: [String], role: ButtonRole) {
        var start = TextLine("→ ", .faint)
        if let title, !title.isEmpty { start.append("\(title): ", role == .destructive ? .bad : .faint) }
        self.start = start
        self.words = words
    }

    var line: TextLine {
        var line = start
        line.append(words.joined(separator: " "), .faint)
        return line
    }

    /// Returns the command on as many lines as it needs. A shell reads them as one command. A word that is wider than
    /// the limit is quoted, so that a shell that gets it in parts refuses it, and does not run what a part names.
    func lines(limit: Int?) -> [TextLine] {
        guard let limit, line.width > limit else { return [line] }
        let hanging = 4
        var lines: [TextLine] = []
        var current = start.width + 8 <= limit ? start : TextLine()
        if current.width == 0 { lines += start.wrapped(to: limit) }
        var isEmpty = true
        let groups = groups(limit: limit - hanging - 2)
        for (index, group) in groups.enumerated() {
            let piece = TextLine(group, .faint)
            let end = index == groups.count - 1 ? 0 : 2
            if !isEmpty, current.width + 1 + piece.width + end > limit {
                current.append(" \\", .faint)
                lines.append(current)
                current = TextLine().indented(by: hanging)
                isEmpty = true
            }
            if !isEmpty { current.append(" ", .faint) }
            current.append(piece)
            isEmpty = false
        }
        lines.append(current)
        return lines.wrapped(to: limit)
    }

    /// The words, options together with their values as far as there is room.
    private func groups(limit: Int) -> [String] {
        var groups: [String] = []
        var option: String?
        for word in words {
            let word = word.escaped.width > limit && !word.hasPrefix("'") ? "'\(word)'" : word
            if let name = option, !word.hasPrefix("--"), name.width + 1 + word.escaped.width <= limit {
                groups[groups.count - 1] += " \(word)"
            } else {
                groups.append(word)
            }
            option = word.hasPrefix("--") ? word : nil
        }
        return groups
    }
}
