import SystemSupport

/// A word, text or character of a source file, outside comments.
struct SourceToken: Hashable {
    enum Kind {
        /// An identifier, keyword or number.
        case word
        /// An identifier in backticks, which is never a keyword.
        case quotedWord
        /// A string literal without interpolation.
        case text
        /// A string literal with interpolation, or one that does not end.
        case otherText
        /// A single other character.
        case mark
    }

    let kind: Kind
    /// The offset of the first byte in the file.
    let start: Int
    /// The content without quotation marks, hashes or backticks.
    var content: Range<Int>
    /// Whether no other token precedes it on its line.
    let startsLine: Bool
    /// The number of parentheses and brackets that are open before it.
    let depth: Int
}

/// The tokens of a file in Swift, or in C as far as the two agree.
///
/// This is not a parser: it only tells code from comments and from the text of literals. It reads any bytes in one pass
/// without recursion, so broken, foreign and hostile files are safe to read.
struct SourceTokens {
    let bytes: [UInt8]
    private(set) var tokens: [SourceToken] = []
    /// The offsets of the first bytes of lines.
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lineStarts = [0] + bytes.indices.filter { bytes.endsLine(at: $0) }.map { $0 + 1 }
        var scanner = Scanner(bytes: bytes)
        scanner.scan()
        tokens = scanner.tokens
    }

    /// Returns the content of a token; escapes in literals are kept as they are written.
    func text(_ token: SourceToken) -> String { String(decoding: bytes[token.content], as: UTF8.self) }

    /// Returns whether the token at an index has this kind and content.
    func has(_ kind: SourceToken.Kind, _ content: StaticString, at index: Int) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == kind else { return false }
        let range = tokens[index].content
        guard range.count == content.utf8CodeUnitCount else { return false }
        return bytes[range].elementsEqual(content.description.utf8)
    }

    /// Returns the position of a token, as compilers count: lines and bytes from 1.
    func position(of token: SourceToken) -> SourcePosition {
        let line = lineStarts.partitioningIndex { $0 > token.start }
        return SourcePosition(line: line, column: token.start - lineStarts[line - 1] + 1)
    }
}

/// A line and a column, counted from 1; columns are bytes in UTF-8.
package struct SourcePosition: Hashable, Sendable {
    package let line: Int
    package let column: Int
}

extension [UInt8] {
    /// Whether a line ends with the byte at `index`: a line feed, or a carriage return without one.
    fileprivate func endsLine(at index: Int) -> Bool {
        if self[index] == .lineFeed { return true }
        return self[index] == .carriageReturn && (index + 1 == count || self[index + 1] != .lineFeed)
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let star = UInt8(ascii: "*")
    fileprivate static let backslash = UInt8(ascii: "\\")

    fileprivate var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) || self == 0 }
    /// Whether it can be part of an identifier or number. Every byte of a character beyond ASCII counts as a letter.
    fileprivate var isWord: Bool { isLetterOrDigitInASCII || self >= 0x80 || "_$".utf8.contains(self) }
}

/// The state of one pass over a file.
private struct Scanner {
    /// The delimiters of a literal: `"`, `"""`, `#"` and so on.
    struct Delimiter {
        let hashes: Int
        let isMultiline: Bool
    }

    /// A string literal whose interpolation is being scanned.
    struct OpenLiteral {
        let delimiter: Delimiter
        let token: Int
        /// The depth of parentheses outside the literal.
        let depth: Int
    }

    let bytes: [UInt8]
    var tokens: [SourceToken] = []
    private var index = 0
    private var depth = 0
    private var isLineStart = true
    /// The end of a line on which a slash before it began no regular expression.
    private var lineWithoutRegex = 0
    private var open: [OpenLiteral] = []
    /// The depth at which the innermost interpolation began.
    private var interpolationDepth = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func scan() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        if bytes.starts(with: "#!".utf8) { skipLine() }
        while index < bytes.count { step() }
    }

    private func byte(_ offset: Int) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

    private mutating func step() {
        let byte = bytes[index]
        switch byte {
        case .lineFeed, .carriageReturn:
            isLineStart = true
            index += 1
        case _ where byte.isSpace: index += 1
        case _ where byte.isWord:
            let start = index
            while index < bytes.count, bytes[index].isWord { index += 1 }
            add(.word, at: start, content: start..<index)
        case .slash: slash()
        case .quote: literal(hashes: 0)
        case .hash: hash()
        case UInt8(ascii: "`"): backtick()
        case UInt8(ascii: "("), UInt8(ascii: "["):
            mark()
            depth += 1
        case UInt8(ascii: ")") where !open.isEmpty && depth == interpolationDepth: endInterpolation()
        case UInt8(ascii: ")"), UInt8(ascii: "]"):
            depth = max(depth - 1, interpolationDepth)
            mark()
        default: mark()
        }
    }

    private mutating func add(_ kind: SourceToken.Kind, at start: Int, content: Range<Int>) {
        tokens.append(
            SourceToken(kind: kind, start: start, content: content, startsLine: isLineStart, depth: depth))
        isLineStart = false
    }

    private mutating func mark() {
        add(.mark, at: index, content: index..<index + 1)
        index += 1
    }

    private mutating func skipLine() {
        while index < bytes.count, !bytes[index].isLineEnd { index += 1 }
    }

    // MARK: Comments and regular expressions

    private mutating func slash() {
        switch byte(1) {
        case .slash: skipLine()
        case .star: skipComment()
        default:
            if let end = regexEnd() { index = end } else { mark() }
        }
    }

    /// Skips a comment, in which others may be nested.
    private mutating func skipComment() {
        var level = 0
        while index < bytes.count {
            if bytes[index] == .slash, byte(1) == .star {
                level += 1
                index += 2
            } else if bytes[index] == .star, byte(1) == .slash {
                level -= 1
                index += 2
                if level == 0 { return }
            } else {
                if bytes[index].isLineEnd { isLineStart = true }
                index += 1
            }
        }
    }

    /// The words that a value can follow, so that a slash after them begins a regular expression.
    private static let wordsBeforeValues: Set<String> = [
        "as", "await", "case", "do", "else", "guard", "if", "in", "is", "let", "repeat", "return", "switch", "throw",
        "try", "var", "where", "while", "yield",
    ]

    /// The offset after the regular expression that begins here; nil if the slash is an operator. Its quotation marks
    /// would otherwise look like the beginning of a text.
    private mutating func regexEnd() -> Int? {
        guard index >= lineWithoutRegex, let next = byte(1), !next.isSpace else { return nil }
        if let last = tokens.last {
            let word = bytes[last.content]
            switch last.kind {
            case .text, .otherText, .quotedWord: return nil
            case .mark where [UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(word.first): return nil
            case .word where !Scanner.wordsBeforeValues.contains(String(decoding: word, as: UTF8.self)): return nil
            default: break
            }
        }
        var place = index + 1
        while place < bytes.count, !bytes[place].isLineEnd {
            if bytes[place] == .slash { return place + 1 }
            place += bytes[place] == .backslash ? 2 : 1
        }
        // Later slashes on this line have been seen as escaped ones; looking again for each would take quadratic time.
        lineWithoutRegex = place
        return nil
    }

    private mutating func hash() {
        var hashes = 0
        while byte(hashes) == .hash { hashes += 1 }
        switch byte(hashes) {
        case .quote:
            literal(hashes: hashes)
        case .slash:
            index += hashes + 1
            while index < bytes.count {
                if bytes[index] == .slash, closes(hashes, at: index + 1) {
                    index += hashes + 1
                    return
                }
                if bytes[index].isLineEnd { isLineStart = true }
                index += 1
            }
        default:
            // All of them at once: a long row of hashes would otherwise be counted again for each one.
            add(.mark, at: index, content: index..<index + 1)
            index += hashes
        }
    }

    private func closes(_ hashes: Int, at place: Int) -> Bool {
        place + hashes <= bytes.count && bytes[place..<place + hashes].allSatisfy { $0 == .hash }
    }

    private mutating func backtick() {
        var end = index + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "`"), !bytes[end].isLineEnd { end += 1 }
        guard end < bytes.count, !bytes[end].isLineEnd else { return mark() }
        add(.quotedWord, at: index, content: index + 1..<end)
        index = end + 1
    }

    // MARK: String literals

    private mutating func literal(hashes: Int) {
        let start = index
        let quotes = index + hashes
        let isMultiline = quotes + 2 < bytes.count && bytes[quotes + 1] == .quote && bytes[quotes + 2] == .quote
        index = quotes + (isMultiline ? 3 : 1)
        add(.text, at: start, content: index..<index)
        scanLiteral(Delimiter(hashes: hashes, isMultiline: isMultiline), token: tokens.count - 1)
    }

    /// Scans a literal up to its end or to an interpolation. A literal on one line ends with the line, so a quotation
    /// mark that is wrong, or that this scanner misunderstands, affects a single line.
    private mutating func scanLiteral(_ delimiter: Delimiter, token: Int) {
        let content = tokens[token].content.lowerBound
        while index < bytes.count {
            switch bytes[index] {
            case .backslash where closes(delimiter.hashes, at: index + 1):
                if byte(1 + delimiter.hashes) == UInt8(ascii: "(") {
                    index += delimiter.hashes + 2
                    open.append(OpenLiteral(delimiter: delimiter, token: token, depth: interpolationDepth))
                    depth += 1
                    interpolationDepth = depth
                    return
                }
                // An escaped line end must still end a literal on one line.
                index += byte(1 + delimiter.hashes)?.isLineEnd == true ? 1 : delimiter.hashes + 2
            case .quote where ends(delimiter):
                tokens[token].content = content..<index
                index += (delimiter.isMultiline ? 3 : 1) + delimiter.hashes
                return
            case .lineFeed, .carriageReturn:
                if !delimiter.isMultiline { return finish(token, .otherText) }
                isLineStart = true
                index += 1
            default: index += 1
            }
        }
        finish(token, .otherText)
    }

    private func ends(_ delimiter: Delimiter) -> Bool {
        guard delimiter.isMultiline else { return closes(delimiter.hashes, at: index + 1) }
        return byte(1) == .quote && byte(2) == .quote && closes(delimiter.hashes, at: index + 3)
    }

    /// Replaces the token of a literal by one of another kind.
    private mutating func finish(_ token: Int, _ kind: SourceToken.Kind) {
        let old = tokens[token]
        tokens[token] = SourceToken(
            kind: kind, start: old.start, content: old.content, startsLine: old.startsLine, depth: old.depth)
    }

    private mutating func endInterpolation() {
        index += 1
        guard let literal = open.popLast() else { return }
        depth -= 1
        interpolationDepth = literal.depth
        finish(literal.token, .otherText)
        scanLiteral(literal.delimiter, token: literal.token)
        // The literal may have ended with a content that is only its last part.
        finish(literal.token, .otherText)
    }
}
