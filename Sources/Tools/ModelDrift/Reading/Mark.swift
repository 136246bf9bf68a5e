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
        case without(Set<String>)
        case invalid(String)
    }

    let meaning: Meaning
    let location: SourceLocation

    /// The text with which a comment becomes a mark.
    static let introduction = "hslink-models:"

    /// The forms of marks, for messages.
    static let forms = "'copy of NAME', 'not a copy', 'differs' and 'without NAME, …'"

    /// Returns the marks in a comment, each of which is on a line of its own.
    ///
    /// - Parameters:
    ///   - comment: The comment with its `//`, or with its `/*` and `*/`.
    ///   - offset: The offset of the comment in the file.
    static func marks(in comment: String, at offset: Int, of source: SourceText) -> [Mark] {
        // Most comments have none.
        guard comment.contains(introduction) else { return [] }
        return comment.split(whereSeparator: \.isNewline).compactMap { line in
            let text = line.drop { $0 == "/" || $0 == "*" || $0 == "!" || $0.isWhitespace }
            // The first line is where the comment begins.
            let start = line.startIndex == comment.startIndex ? comment.startIndex : text.startIndex
            let distance = comment.utf8.distance(from: comment.startIndex, to: start)
            return Mark(line: text, at: source.location(of: offset + distance))
        }
    }

    /// Reads a line of a comment, without its `//` or `*`; nil if it is not a mark.
    ///
    /// What follows a second colon or a dash is the author's reason, which is not read.
    private init?(line: Substring, at location: SourceLocation) {
        var rest = line
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
            if !names.isEmpty, names.allSatisfy(\.isTypeName) { return .without(Set(names)) }
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
