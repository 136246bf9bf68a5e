extension TextLine {
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
