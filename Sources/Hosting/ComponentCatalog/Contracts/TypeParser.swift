/// Parses the type expressions that can occur in payloads.
struct TypeParser {
    /// The deepest nesting that is parsed, because the stack is finite. Deeper types are compared as text.
    private static let maximumDepth = 64
    /// The largest number of consecutive question or exclamation marks that is parsed.
    private static let maximumMarks = 8

    private let tokens: [Substring]
    private var position = 0
    private var depth = 0

    init(_ text: String) { tokens = TypeTokens(text)?.tokens ?? [] }

    /// Parses the whole text; nil when it is not a type.
    mutating func parse() -> TypeExpression? {
        guard let type = type(), position == tokens.count else { return nil }
        return type
    }

    private var next: Substring? { position < tokens.count ? tokens[position] : nil }

    private mutating func take(_ token: Substring) -> Bool {
        guard next == token else { return false }
        position += 1
        return true
    }

    private mutating func name() -> Substring? {
        guard let next, next.first?.isName == true else { return nil }
        position += 1
        return next
    }

    /// Parses a type with its attributes, keywords and suffixes.
    private mutating func type() -> TypeExpression? {
        depth += 1
        defer { depth -= 1 }
        guard depth <= TypeParser.maximumDepth else { return nil }
        skipAttributes()
        for word: Substring in ["any", "some"] where next == word && position + 1 < tokens.count {
            position += 1
            guard let type = composition() else { return nil }
            // `any Any` and `Any` are the same type.
            return type == .named("Any", arguments: []) ? type : .opaque(String(word), type)
        }
        return composition()
    }

    /// Skips attributes and modifiers, which say how a value is passed but not what it is.
    private mutating func skipAttributes() {
        let words: Set<Substring> = ["inout", "borrowing", "consuming", "sending", "isolated", "__owned", "__shared"]
        while let next {
            if next == "@" {
                position += 2
                // Skip arguments as in `@convention(c)`. After any other attribute, a parenthesis belongs to the type.
                guard ["convention", "isolated"].contains(tokens.prefix(position).last), take("(") else { continue }
                while self.next != nil, !take(")") { position += 1 }
            } else if words.contains(next), position + 1 < tokens.count, tokens[position + 1].first != "." {
                position += 1
            } else {
                return
            }
        }
    }

    /// Parses a composition `A & B`, whose order does not matter.
    private mutating func composition() -> TypeExpression? {
        guard let first = primary() else { return nil }
        guard next == "&" else { return first }
        var parts = [first]
        while take("&") {
            guard let part = primary() else { return nil }
            parts.append(part)
        }
        return .named("&", arguments: parts.sorted { $0.name < $1.name })
    }

    private mutating func primary() -> TypeExpression? {
        if take("[") { return bracketed().flatMap { suffixed($0) } }
        if take("(") { return parenthesized() }
        return nominal().flatMap { suffixed($0) }
    }

    /// Parses the rest of an array or dictionary type, after `[`.
    private mutating func bracketed() -> TypeExpression? {
        guard let first = type() else { return nil }
        if take("]") { return .array(first) }
        guard take(":"), let value = type(), take("]") else { return nil }
        return .dictionary(key: first, value: value)
    }

    /// Parses the rest after `(`: a tuple, one type in parentheses, or a function with its parameters.
    private mutating func parenthesized() -> TypeExpression? {
        var elements: [TypeExpression.Element] = []
        while !take(")") {
            if !elements.isEmpty, !take(",") { return nil }
            let label = label()
            guard var type = type() else { return nil }
            if take("...") { type = .array(type) }
            elements.append(TypeExpression.Element(label: label, type: type))
        }
        if let function = function(elements) { return function }
        let isOne = elements.count == 1 && elements[0].label == nil
        return suffixed(isOne ? elements[0].type : .tuple(elements))
    }

    /// Parses a label `name:` or `_ name:` before an element. Internal names of function parameters are ignored.
    private mutating func label() -> String? {
        let start = position
        guard let first = name() else { return nil }
        if take(":") { return first == "_" ? nil : String(first) }
        if name() != nil, take(":") { return first == "_" ? nil : String(first) }
        position = start
        return nil
    }

    /// Parses the rest of a function type after its parameters; nil, without consuming anything, when it is not a
    /// function.
    private mutating func function(_ parameters: [TypeExpression.Element]) -> TypeExpression? {
        let start = position
        let isAsync = take("async")
        var thrown: TypeExpression?
        if take("throws") || take("rethrows") {
            thrown = .opaque("any", .named("Error", arguments: []))
            if take("(") {
                guard let type = type(), take(")") else { return nil }
                thrown = type == .named("Never", arguments: []) ? nil : type
            }
        }
        guard take("->"), let result = type() else {
            position = start
            return nil
        }
        return .function(
            TypeExpression.Function(
                parameters: parameters.map(\.type), result: result, isAsync: isAsync, thrown: thrown))
    }

    /// Parses a name, which may be qualified, with its generic arguments.
    private mutating func nominal() -> TypeExpression? {
        var path: [Substring] = []
        var arguments: [TypeExpression] = []
        repeat {
            // Generic arguments in the middle of a path are not supported.
            guard arguments.isEmpty, let name = name() else { return nil }
            path.append(name)
            if take("<") {
                repeat {
                    guard let argument = type() else { return nil }
                    arguments.append(argument)
                } while take(",")
                guard take(">") else { return nil }
            }
        } while take(".")
        if path.count > 1, TypeParser.standardModules.contains(path[0]) { path.removeFirst() }
        return TypeParser.sugared(path.joined(separator: "."), arguments)
    }

    private static let standardModules: Set<Substring> = [
        "Swift", "Foundation", "FoundationEssentials", "ComponentKit", "_Concurrency",
    ]

    /// Returns the type, in its short form if the language has one for it.
    private static func sugared(_ name: String, _ arguments: [TypeExpression]) -> TypeExpression {
        switch (name, arguments.count) {
        case ("Optional", 1): .optional(arguments[0])
        case ("Array", 1): .array(arguments[0])
        case ("Dictionary", 2): .dictionary(key: arguments[0], value: arguments[1])
        case ("Void", 0): .void
        default: .named(name, arguments: arguments)
        }
    }

    /// Parses the question and exclamation marks after a type.
    private mutating func suffixed(_ type: TypeExpression) -> TypeExpression {
        var type = type
        var count = 0
        while next == "?" || next == "!" {
            position += 1
            count += 1
            if count > TypeParser.maximumMarks { position = tokens.count + 1 }
            type = .optional(type)
        }
        return type
    }
}

/// The tokens of a type expression.
struct TypeTokens {
    /// The largest text, in bytes; far beyond any real type.
    private static let limit = 512

    /// Names (without backticks), single punctuation characters, and the arrow and the ellipsis as one token each.
    let tokens: [Substring]

    /// - Returns: nil when the text is too long or has a character that no type can have.
    init?(_ text: String) {
        guard text.utf8.count <= TypeTokens.limit else { return nil }
        var tokens: [Substring] = []
        var rest = text[...]
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if character.isName {
                let name = rest.prefix { $0.isName }
                tokens.append(name)
                rest = rest[name.endIndex...]
            } else if character == "`" {
                let name = rest.dropFirst().prefix { $0 != "`" }
                guard !name.isEmpty, name.endIndex < rest.endIndex else { return nil }
                tokens.append(name)
                rest = rest[rest.index(after: name.endIndex)...]
            } else if rest.hasPrefix("->") {
                tokens.append(rest.prefix(2))
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("...") {
                tokens.append(rest.prefix(3))
                rest = rest.dropFirst(3)
            } else if "()[]<>,:?!.@&".contains(character) {
                tokens.append(rest.prefix(1))
                rest.removeFirst()
            } else {
                return nil
            }
        }
        self.tokens = tokens
    }
}

extension Character {
    /// Whether the character may be part of a name.
    var isName: Bool { isLetter || isNumber || self == "_" || self == "$" }
}
