import PageKit
import SystemSupport

extension PageText {
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
            if let words { actions.append(ActionText(isMainNamed ? nil : action.title, words)) }
        }
        for action in node.sideActions {
            let words = commands.words(for: action, in: place.section, keys: place.keys, fields: [])
            if let words { actions.append(ActionText(action.title, words)) }
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

/// A command with the name of its action, as in `→ Delete: hslink page …`.
private struct ActionText {
    private let start: TextLine
    private let words: [String]

    init(_ title: String?, _ words: [String]) {
        var start = TextLine("→ ", .faint)
        if let title, !title.isEmpty { start.append("\(title): ", .faint) }
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
