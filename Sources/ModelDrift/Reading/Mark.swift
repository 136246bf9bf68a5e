/// An instruction in a comment that begins with `hslink-models:`.
struct Mark: Sendable {
    enum Meaning: Sendable, Equatable {
        /// The type is a copy of the model with this name, whatever its own name is.
        case copy(of: String)
        /// The type is not a copy, though its name looks like that of one.
        case notACopy
        /// The type or member may differ from the other copies.
        case differs
        /// The type may lack these properties or cases.
        case without([String])
        case invalid(String)
    }

    let meaning: Meaning
    let location: SourceLocation

    /// The text with which a comment becomes a mark.
    static let introduction = "hslink-models:"

    /// The forms of marks, for messages.
    static let forms = "'copy of NAME', 'not a copy', 'differs' and 'without NAME, …'"

    /// Reads the first line of a comment, without its `//`; nil if it is not a mark.
    ///
    /// What follows a second colon or a dash is the author's reason, which is not read.
    init?(comment: String, at location: SourceLocation) {
        var rest = comment.drop { $0 == "/" || $0 == "*" || $0 == "!" || $0.isWhitespace }
        guard rest.hasPrefix(Mark.introduction) else { return nil }
        rest.removeFirst(Mark.introduction.count)
        if rest.hasSuffix("*/") { rest.removeLast(2) }
        let given = rest.trimmed
        if let end = rest.firstIndex(where: { ":;(—–".contains($0) }) { rest = rest[..<end] }
        if let end = rest.firstRange(of: " - ") ?? rest.firstRange(of: " -- ") { rest = rest[..<end.lowerBound] }
        self.location = location
        meaning = Mark.meaning(of: rest.trimmed, given: given)
    }

    private static func meaning(of text: String, given: String) -> Meaning {
        if text == "not a copy" { return .notACopy }
        if text == "differs" { return .differs }
        if text.hasPrefix("copy of ") {
            let name = text.dropFirst("copy of ".count).trimmed
            if name.isTypeName { return .copy(of: name) }
        }
        if text.hasPrefix("without ") {
            let names = text.dropFirst("without ".count).split(separator: ",").map(\.trimmed)
            if !names.isEmpty, names.allSatisfy(\.isTypeName) { return .without(names) }
        }
        return .invalid(given)
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension String {
    fileprivate var isTypeName: Bool {
        utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: ".") } && utf8.first?.isLetter == true
    }
}

extension [Mark] {
    var differs: Mark? { first { $0.meaning == .differs } }
}
