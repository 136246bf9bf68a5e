/// Finds out how deep the brackets of a Swift file are nested, without parsing it.
///
/// The parser limits the depth of most brackets, but not of types and conditions: it overflows the stack at a long row
/// of `[`, `A<` or `#if`. This scan knows only comments, strings and brackets, and errs where a bracket is in a
/// regular expression, which shows only in files that are nested deeply anyway.
struct Nesting {
    private enum Bracket: Equatable {
        case brace
        case parenthesis
        case square
        case angle
        case condition
        /// The expression in a string, which continues after it.
        case interpolation(Literal)
    }

    private struct Literal: Equatable {
        let hashes: Int
        let hasLines: Bool
    }

    private let bytes: [UInt8]
    private var position = 0
    private var open: [Bracket] = []

    /// Returns the offset at which the depth exceeds a limit; nil if it never does.
    static func offset(in source: SourceText, deeperThan limit: Int) -> Int? {
        var scan = Nesting(bytes: source.bytes)
        return scan.run(limit)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ distance: Int = 0) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    private mutating func run(_ limit: Int) -> Int? {
        while position < bytes.count {
            if open.count > limit { return position }
            let current = byte()
            if current == .slash && byte(1) == .slash {
                while position < bytes.count, !byte().isLineEnd { position += 1 }
            } else if current == .slash && byte(1) == .star {
                skipComment()
            } else if current == .quote {
                beginLiteral(hashes: 0)
            } else if current == UInt8(ascii: "#") {
                numberSign()
            } else {
                bracket(current)
                position += 1
            }
        }
        return nil
    }

    private mutating func bracket(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"):
            closeAngles()
            open.append(.brace)
        case UInt8(ascii: "("): open.append(.parenthesis)
        case UInt8(ascii: "["): open.append(.square)
        case UInt8(ascii: "<"): if !isOperator { open.append(.angle) }
        case UInt8(ascii: "}"): close(.brace)
        case UInt8(ascii: "]"): close(.square)
        case UInt8(ascii: ">"):
            // An arrow closes nothing.
            let isArrow = position > 0 && bytes[position - 1] == UInt8(ascii: "-")
            if open.last == .angle, !isArrow { open.removeLast() }
        case UInt8(ascii: ")"): closeParenthesis()
        case UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "|"):
            closeAngles()
        default: break
        }
    }

    /// Whether the current `<` is part of an operator such as `..<` or `<<`.
    private var isOperator: Bool {
        let before = position > 0 ? bytes[position - 1] : 0
        return before == UInt8(ascii: ".") || before == UInt8(ascii: "<") || byte(1) == UInt8(ascii: "<")
    }

    /// Forgets angle brackets at a character that cannot occur in them: what seemed to open them was an operator.
    private mutating func closeAngles() {
        while open.last == .angle { open.removeLast() }
    }

    /// Closes the innermost bracket of a kind, with those that were left open in it.
    private mutating func close(_ bracket: Bracket) {
        guard let index = open.lastIndex(of: bracket) else { return }
        open.removeSubrange(index...)
    }

    private mutating func closeParenthesis() {
        let index = open.lastIndex { bracket in
            if case .interpolation = bracket { true } else { bracket == .parenthesis }
        }
        guard let index else { return }
        let bracket = open[index]
        open.removeSubrange(index...)
        if case .interpolation(let literal) = bracket {
            position += 1
            continueLiteral(literal)
            // The caller steps over the parenthesis.
            position -= 1
        }
    }

    private mutating func skipComment() {
        var depth = 0
        repeat {
            if byte() == .slash && byte(1) == .star {
                depth += 1
                position += 2
            } else if byte() == .star && byte(1) == .slash {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func numberSign() {
        let start = position
        while byte() == UInt8(ascii: "#") { position += 1 }
        if byte() == .quote { return beginLiteral(hashes: position - start) }
        let word = position
        while byte().isWord { position += 1 }
        switch bytes[word..<position] {
        case ArraySlice("if".utf8): open.append(.condition)
        case ArraySlice("endif".utf8): close(.condition)
        default: break
        }
    }

    // MARK: Strings

    private mutating func beginLiteral(hashes: Int) {
        let hasLines = byte(1) == .quote && byte(2) == .quote
        position += hasLines ? 3 : 1
        continueLiteral(Literal(hashes: hashes, hasLines: hasLines))
    }

    /// Skips a string up to its end, or up to the next expression in it.
    private mutating func continueLiteral(_ literal: Literal) {
        while position < bytes.count {
            switch byte() {
            case .quote:
                let quotes = literal.hasLines ? 3 : 1
                let isEnd =
                    (0..<quotes).allSatisfy { byte($0) == .quote }
                    && (0..<literal.hashes).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
                position += isEnd ? quotes + literal.hashes : 1
                if isEnd { return }
            case .backslash:
                guard (0..<literal.hashes).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) else {
                    position += 1
                    continue
                }
                position += 1 + literal.hashes
                if byte() == UInt8(ascii: "(") {
                    open.append(.interpolation(literal))
                    position += 1
                    return
                }
                // The escaped character may be a quotation mark.
                if byte() != .lineFeed { position += 1 }
            case .lineFeed, .carriageReturn:
                // A string of one line ends here at the latest.
                if !literal.hasLines { return }
                position += 1
            default: position += 1
            }
        }
    }
}
