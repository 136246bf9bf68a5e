import ComponentKit
import PageKit

extension PageText {
    func lines(of content: FormContent, _ node: ViewNode, in place: Place) -> [TextLine] {
        let width = place.room.width
        let (inner, indent) = place.indented(by: 2)
        var lines: [TextLine] = []
        if let title = content.title { lines = TextLine(title, .strong).wrapped(to: width) }
        lines += below(node.children, in: inner).indented(by: indent)
        let button = TextLine("[\(content.submit)]", .strong).wrapped(to: inner.room.width, hanging: 1)
        return lines + withActions(of: node, button, isMainNamed: true, in: inner).indented(by: indent)
    }

    /// The label with the value; then how the value is given on a command line, and what else there is to say.
    func lines(of content: FieldContent, in place: Place) -> [TextLine] {
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
        case .toggle: "on or off"
        case .date: "a day such as 2026-11-23"
        case .choice(let choices):
            "one of "
                + choices.map { $0.title == $0.value ? $0.value : "\($0.value) (\($0.title))" }.joined(separator: ", ")
        }
    }
}
