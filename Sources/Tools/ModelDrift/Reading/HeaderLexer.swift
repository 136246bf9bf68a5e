/// A token of an Objective-C header.
struct HeaderToken: Sendable, Equatable {
    enum Kind: Sendable {
        case word
        case number
        case string
        case symbol
    }

    let kind: Kind
    let text: String
    let offset: Int
    /// The index of the first mark after this token.
    let marks: Int
}

/// A mark in a comment of an Objective-C header.
struct HeaderMark: Sendable {
    let mark: Mark
    /// The line on which the comment begins.
    let line: Int
}

/// Splits an Objective-C header into tokens. Comments and preprocessor lines are left out; the branches of conditions
/// all stay, except for `#if 0`.
struct HeaderLexer {
    private let source: SourceText
    private var position = 0
    private var tokens: [HeaderToken] = []
    private var marks: [HeaderMark] = []
    private var isAtLineStart = true

    private var bytes: [UInt8] { source.bytes }

    /// Returns the tokens, and the marks in the order of their comments.
    static func tokens(of source: SourceText) -> (tokens: [HeaderToken], marks: [HeaderMark]) {
        var lexer = HeaderLexer(source: source)
        lexer.run()
        return (lexer.tokens, lexer.marks)
    }

    private init(source: SourceText) { self.source = source }

    private func byte(_ distance: Int = 0) -> UInt8 {
        position + distance < source.bytes.count ? source.bytes[position + distance] : 0
    }

    private mutating func run() {
        let end = source.bytes.count
        while position < end {
            let current = byte()
            if current.isLineEnd {
                isAtLineStart = true
                position += 1
            } else if current.isSpace || current == .backslash {
                position += 1
            } else if current == .slash, byte(1) == .slash {
                comment(until: lineEnd(from: position))
            } else if current == .slash, byte(1) == .star {
                comment(until: blockEnd(from: position))
            } else if current == UInt8(ascii: "#"), isAtLineStart {
                directive()
            } else {
                isAtLineStart = false
                token()
            }
        }
    }

    private mutating func token() {
        let start = position
        let current = byte()
        if current.isLetter {
            while byte().isWord { position += 1 }
            add(.word, from: start)
        } else if current.isDigit {
            while byte().isWord || byte() == UInt8(ascii: ".") { position += 1 }
            add(.number, from: start)
        } else if current == .quote || current == UInt8(ascii: "'") {
            position = stringEnd(from: start)
            add(.string, from: start)
        } else if current == UInt8(ascii: "@"), byte(1).isLetter {
            position += 1
            while byte().isWord { position += 1 }
            add(.word, from: start)
        } else {
            let isShift = current == UInt8(ascii: "<") && byte(1) == current
            position += isShift ? 2 : 1
            add(.symbol, from: start)
        }
    }

    private mutating func add(_ kind: HeaderToken.Kind, from start: Int) {
        tokens.append(
            HeaderToken(kind: kind, text: source.text(start..<position), offset: start, marks: marks.count))
    }

    private mutating func comment(until end: Int) {
        let text = source.text(position..<end)
        let line = source.location(of: position).line
        marks += Mark.marks(in: text, at: position, of: source).map { HeaderMark(mark: $0, line: line) }
        if text.utf8.contains(where: \.isLineEnd) { isAtLineStart = true }
        position = end
    }

    /// Skips a preprocessor line, and what follows `#if 0`.
    private mutating func directive() {
        let end = directiveEnd(from: position)
        let words = words(position..<end)
        position = end
        guard words.starts(with: ["if", "0"]) else { return }
        var depth = 1
        while position < source.bytes.count, depth > 0 {
            if byte() == UInt8(ascii: "#"), isAtLineStart {
                let end = directiveEnd(from: position)
                let word = self.words(position..<end).first ?? ""
                if ["if", "ifdef", "ifndef"].contains(word) { depth += 1 }
                if word == "endif" || (depth == 1 && ["else", "elif"].contains(word)) { depth -= 1 }
                position = end
            } else {
                if byte().isLineEnd {
                    isAtLineStart = true
                } else if !byte().isSpace {
                    isAtLineStart = false
                }
                position += 1
            }
        }
        isAtLineStart = true
    }

    private func words(_ range: Range<Int>) -> [Substring] {
        source.text(range).dropFirst().split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    // MARK: Ends

    private func lineEnd(from start: Int) -> Int {
        var end = start
        while end < bytes.count, !bytes[end].isLineEnd { end += 1 }
        return end
    }

    /// The end of a backslash and the character behind it, which may be the end of a line.
    private func escapeEnd(from start: Int) -> Int {
        let isPair = start + 2 < bytes.count && bytes[start + 1] == .carriageReturn && bytes[start + 2] == .lineFeed
        return start + (isPair ? 3 : 2)
    }

    /// The end of a line and the lines that continue it with a backslash. Comments in it may span lines.
    private func directiveEnd(from start: Int) -> Int {
        var end = start
        while end < bytes.count, !bytes[end].isLineEnd {
            if bytes[end] == .backslash {
                end = escapeEnd(from: end)
            } else if bytes[end] == .quote || bytes[end] == UInt8(ascii: "'") {
                // A string may contain what looks like a comment.
                end = stringEnd(from: end)
            } else if bytes[end] == .slash, end + 1 < bytes.count, bytes[end + 1] == .star {
                end = blockEnd(from: end)
            } else if bytes[end] == .slash, end + 1 < bytes.count, bytes[end + 1] == .slash {
                return lineEnd(from: end)
            } else {
                end += 1
            }
        }
        return min(end, bytes.count)
    }

    private func blockEnd(from start: Int) -> Int {
        var end = start + 2
        while end + 1 < bytes.count {
            if bytes[end] == .star, bytes[end + 1] == .slash { return end + 2 }
            end += 1
        }
        return bytes.count
    }

    /// The end of a string, or of the line if it does not end.
    private func stringEnd(from start: Int) -> Int {
        var end = start + 1
        while end < bytes.count, !bytes[end].isLineEnd {
            if bytes[end] == bytes[start] { return end + 1 }
            end = bytes[end] == .backslash ? escapeEnd(from: end) : end + 1
        }
        return min(end, bytes.count)
    }
}
