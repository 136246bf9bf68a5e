import SystemSupport

/// How a text looks on a terminal with colour.
enum Ink: String {
    case none = ""
    case strong = "\u{1B}[1m"
    case faint = "\u{1B}[2m"
    case link = "\u{1B}[4m"
    case bad = "\u{1B}[31m"
    case good = "\u{1B}[32m"
    case caution = "\u{1B}[33m"
}

/// A line of a page: pieces of text, each with its look. Everything in it is escaped, so a line never contains a line
/// break, a control character, or a character that changes the writing direction.
struct TextLine {
    struct Piece {
        var text: String
        let ink: Ink
    }

    private(set) var pieces: [Piece] = []
    /// The width on a terminal, in columns.
    private(set) var width = 0

    init() {}

    /// - Parameter text: any text; it is escaped.
    init(_ text: String, _ ink: Ink = .none) { append(text, ink) }

    /// Returns the lines of a text: line breaks are kept, tabs become spaces, everything else is escaped.
    static func lines(of text: String, _ ink: Ink = .none) -> [TextLine] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // In scalars, because a line break and what stands before it may be one character.
            TextLine(String(line).replacing("\t", with: "    "), ink)
        }
    }

    /// Appends any text; it is escaped.
    mutating func append(_ text: String, _ ink: Ink = .none) {
        let text = text.escaped
        add(text, ink, width: text.width)
    }

    mutating func append(_ line: TextLine) {
        for piece in line.pieces { add(piece.text, piece.ink, width: 0) }
        width += line.width
    }

    /// Appends a character of another line.
    mutating func append(_ character: Character, _ ink: Ink, width: Int) {
        add(String(character), ink, width: width)
    }

    mutating func pad(to limit: Int) {
        guard limit > width else { return }
        add(String(repeating: " ", count: limit - width), .none, width: limit - width)
    }

    private mutating func add(_ text: String, _ ink: Ink, width: Int) {
        guard !text.isEmpty else { return }
        if let last = pieces.indices.last, pieces[last].ink == ink {
            pieces[last].text += text
        } else {
            pieces.append(Piece(text: text, ink: ink))
        }
        self.width += width
    }

    /// Returns the line after so many spaces.
    func indented(by count: Int) -> TextLine {
        var line = TextLine()
        line.pad(to: count)
        line.append(self)
        return line
    }

    /// The text without spaces at its end.
    func text(hasColor: Bool) -> String {
        var rest = pieces[...]
        while let last = rest.last, last.text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) { rest.removeLast() }
        var text = ""
        for (index, piece) in zip(rest.indices, rest) {
            var part = piece.text
            if index == rest.indices.last { while part.utf8.last == UInt8(ascii: " ") { part.removeLast() } }
            text += hasColor && piece.ink != .none ? "\(piece.ink.rawValue)\(part)\u{1B}[0m" : part
        }
        return text
    }

    /// Breaks the line at spaces, and beside wide characters, into lines of at most `limit` columns. A word that is
    /// wider is broken within.
    ///
    /// - Parameters:
    ///   - limit: the limit in columns, at least 2; nil for none.
    ///   - hanging: the number of spaces before all lines except for the first.
    func wrapped(to limit: Int?, hanging: Int = 0) -> [TextLine] {
        guard let limit, width > limit else { return [self] }
        // Half of the line at least is left for the text.
        var wrapping = Wrapping(limit: limit, hanging: min(hanging, limit / 2))
        for piece in pieces {
            for character in piece.text { wrapping.add(character, piece.ink) }
        }
        return wrapping.finish()
    }

    /// Returns the line, cut at its end to at most `limit` columns. An ellipsis marks the cut.
    func shortened(to limit: Int?) -> TextLine {
        guard let limit, width > limit else { return self }
        var line = TextLine()
        cut: for piece in pieces {
            for character in piece.text {
                let width = String(character).width
                guard line.width + width < limit else { break cut }
                line.append(character, piece.ink, width: width)
            }
        }
        line.append("…")
        return line
    }
}

extension [TextLine] {
    /// The width of the widest line.
    var width: Int { map(\.width).max() ?? 0 }

    /// Breaks each line into lines of at most `limit` columns.
    func wrapped(to limit: Int?, hanging: Int = 0) -> [TextLine] {
        flatMap { $0.wrapped(to: limit, hanging: hanging) }
    }

    func indented(by count: Int) -> [TextLine] { map { $0.indented(by: count) } }
}

private struct Wrapping {
    private let limit: Int
    private let hanging: Int
    private var lines: [TextLine] = []
    private var line = TextLine()
    /// Whether the line has more than the spaces before it.
    private var hasText = false
    /// The spaces before the word.
    private var gap = TextLine()
    /// The word that is being read.
    private var word = TextLine()

    init(limit: Int, hanging: Int) {
        self.limit = limit
        self.hanging = hanging
    }

    mutating func add(_ character: Character, _ ink: Ink) {
        if character == " " {
            place()
            gap.append(character, ink, width: 1)
            return
        }
        let width = String(character).width
        // Scripts with wide characters put no spaces between words.
        if width > 1 { place() }
        word.append(character, ink, width: width)
        if width > 1 { place() }
    }

    mutating func finish() -> [TextLine] {
        place()
        if hasText || lines.isEmpty { lines.append(line) }
        return lines
    }

    private mutating func place() {
        guard word.width > 0 else { return }
        defer { (word, gap) = (TextLine(), TextLine()) }
        if line.width + gap.width + word.width <= limit {
            line.append(gap)
            line.append(word)
        } else {
            if hasText { startLine() }
            if line.width + word.width <= limit { line.append(word) } else { placeParts() }
        }
        hasText = true
    }

    /// Places a word that is wider than a line.
    private mutating func placeParts() {
        for piece in word.pieces {
            for character in piece.text {
                let width = String(character).width
                if hasText, line.width + width > limit { startLine() }
                line.append(character, piece.ink, width: width)
                hasText = true
            }
        }
    }

    private mutating func startLine() {
        lines.append(line)
        line = TextLine().indented(by: hanging)
        hasText = false
    }
}
