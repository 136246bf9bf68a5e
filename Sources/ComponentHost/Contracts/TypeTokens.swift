/// The words and signs of a type expression.
struct TypeTokens {
    /// More is no type that somebody wrote.
    private static let limit = 512

    /// Names as they are (without backticks), signs one by one, the arrow and the ellipsis as one.
    let tokens: [Substring]

    /// - Returns: nil when something else is in the text, or too much of it.
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
    /// Whether it may stand in a name.
    var isName: Bool { isLetter || isNumber || self == "_" || self == "$" }
}
