/// The type of a parameter as an author has written it: "Int = 10", "Swift.Optional<String>".
struct ParameterType: Hashable, Sendable {
    /// The type without its module, and without being optional.
    var name: String
    var isOptional: Bool
    /// The default value as written in the source; nil if there is none.
    var standard: String?

    init(_ written: String) {
        let (type, standard) = ParameterType.split(written)
        self.standard = standard
        var name = type
        var isOptional = false
        while let wrapped = ParameterType.wrapped(name) {
            name = wrapped
            isOptional = true
        }
        self.name = ParameterType.bare(name)
        self.isOptional = isOptional
    }

    /// Whether the key may be missing.
    var mayBeMissing: Bool { isOptional || standard != nil }

    /// Whether no text stands for a value: closures, services and instances.
    var isUnwritable: Bool {
        name.contains("->") || ["any ", "some ", "(any ", "(some "].contains(where: name.hasPrefix)
            || ["LinkObject", "LinkClosure", "object"].contains(name)
    }

    /// Whether its values must not be shown, whatever module it is of.
    var isHidden: Bool { ["Secret", "Password"].contains(name.split(separator: ".").last ?? "") }

    /// Splits text at the first equals sign outside of brackets and texts.
    private static func split(_ written: String) -> (type: String, standard: String?) {
        var depth = 0
        var last: Character = " "
        for index in written.indices {
            let character = written[index]
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            // That of an arrow closes nothing.
            case ">" where last != "-": depth -= 1
            case "=" where depth <= 0:
                return (written[..<index].trimmed, written[written.index(after: index)...].trimmed)
            default: break
            }
            last = character
        }
        return (written[...].trimmed, nil)
    }

    /// Returns the type without one level of being optional; nil if it is not optional.
    private static func wrapped(_ type: String) -> String? {
        if type.last == "?" || type.last == "!" { return type.dropLast().trimmed.withoutParentheses }
        for head in ["Optional<", "Swift.Optional<"] where type.hasPrefix(head) && type.hasSuffix(">") {
            return type.dropFirst(head.count).dropLast().trimmed
        }
        return nil
    }

    private static func bare(_ type: String) -> String {
        for module in ["Swift.", "Foundation.", "FoundationEssentials.", "ComponentKit."]
        where type.hasPrefix(module) {
            return String(type.dropFirst(module.count))
        }
        return type
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        var rest = self
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension String {
    /// The type in parentheses, as in `(any Service)?`.
    fileprivate var withoutParentheses: String {
        hasPrefix("(") && hasSuffix(")") ? String(dropFirst().dropLast()) : self
    }
}
