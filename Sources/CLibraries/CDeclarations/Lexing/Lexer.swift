/// Splits a text into tokens and preprocessor directives.
struct Lexer {
    private static let maximumName = 1000

    private let bytes: [UInt8]
    private var position = 0
    private(set) var tokens: [Token] = []
    private(set) var directives: [Directive] = []
    private(set) var map: SourceMap
    /// Whether only whitespace and comments precede the position in its line.
    private var isAtLineStart = true
    /// Whether the lexer is reading a directive, which ends at the end of the line.
    private var isInDirective = false

    init(_ source: CSource) {
        bytes = source.bytes
        map = SourceMap(name: source.name, bytes: source.bytes)
        tokens.reserveCapacity(source.bytes.count / 4)
    }

    /// Reads the whole text into `directives` and `tokens`, whose last element is an end token.
    mutating func read() {
        var end = 0
        while skipSpace() {
            if isAtLineStart && bytes[position] == UInt8(ascii: "#") {
                readDirective()
            } else {
                isAtLineStart = false
                tokens.append(token())
                end = position
            }
        }
        tokens.append(Token(kind: .end, offset: end))
    }

    private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Skips whitespace and comments.
    ///
    /// - Returns: Whether another token follows; in a directive, whether another token follows on the same line.
    private mutating func skipSpace() -> Bool {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0B, 0x0C: position += 1
            case UInt8(ascii: "\n"):
                if isInDirective { return false }
                startLine(at: position + 1)
                isAtLineStart = true
            case UInt8(ascii: "\\") where splice(at: position) > 0:
                startLine(at: position + splice(at: position))
            case UInt8(ascii: "/") where byte(at: position + 1) == UInt8(ascii: "/"):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "/") where byte(at: position + 1) == UInt8(ascii: "*"): skipComment()
            default: return true
            }
        }
        return false
    }

    /// Returns the length of a backslash followed by a newline; 0 if no newline follows the backslash.
    private func splice(at index: Int) -> Int {
        if byte(at: index + 1) == UInt8(ascii: "\n") { return 2 }
        return byte(at: index + 1) == UInt8(ascii: "\r") && byte(at: index + 2) == UInt8(ascii: "\n") ? 3 : 0
    }

    private mutating func startLine(at start: Int) {
        position = start
        map.lineStarts.append(start)
    }

    private mutating func skipComment() {
        let start = position
        position += 2
        while position + 1 < bytes.count {
            if bytes[position] == UInt8(ascii: "*") && bytes[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
            if bytes[position - 1] == UInt8(ascii: "\n") { map.lineStarts.append(position) }
        }
        position = bytes.count
        tokens.append(Token(kind: .wrong("an unterminated comment"), offset: start))
    }

    private mutating func readDirective() {
        let offset = position
        position += 1
        // Swap the arrays because copying them would be slow in a text with many directives.
        var line: [Token] = []
        swap(&tokens, &line)
        isInDirective = true
        while skipSpace() { tokens.append(token()) }
        isInDirective = false
        swap(&tokens, &line)
        guard let first = line.first else { return }
        let rest = Array(line.dropFirst()) + [Token(kind: .end, offset: position)]
        switch first.kind {
        case .number(let text): mark(text, rest, offset: first.offset)
        case .name("line"):
            guard case .number(let text)? = rest.first?.kind else { break }
            mark(text, Array(rest.dropFirst()), offset: first.offset)
        case .name(let word): add(word, rest, offset: offset)
        case .keyword(let keyword): add(keyword.rawValue, rest, offset: offset)
        default: add("", rest, offset: offset)
        }
    }

    private mutating func add(_ word: String, _ rest: [Token], offset: Int) {
        directives.append(Directive(word: word, tokens: rest, position: tokens.count, offset: offset))
    }

    /// Adds a line marker such as `# 12 "zlib.h" 2`: the next line is line 12 of zlib.h.
    private mutating func mark(_ text: String, _ rest: [Token], offset: Int) {
        guard let line = Int(text), line >= 0, line < 1 << 32 else { return }
        var file = map.markers.last?.file ?? map.name
        if case .string(let name)? = rest.first?.kind { file = name.shortened }
        map.markers.append(SourceMap.Marker(start: position + 1, line: line, file: file))
    }

    /// Reads the token at the position, which must not be at whitespace.
    private mutating func token() -> Token {
        let start = position
        let first = bytes[start]
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            return nameToken()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return numberToken()
        case UInt8(ascii: ".") where byte(at: start + 1).map(Lexer.isDigit) == true: return numberToken()
        case UInt8(ascii: "\""): return stringToken()
        case UInt8(ascii: "'"): return characterToken()
        case 0x80...: return foreignToken()
        default:
            for (text, sign) in Sign.byFirstByte[Int(first)] where starts(with: text) {
                position += text.count
                return Token(kind: .sign(sign), offset: start)
            }
            position += 1
            let code = String(first, radix: 16)
            let text = first < 0x20 || first == 0x7F ? "the control character 0x\(code)" : "'\(Unicode.Scalar(first))'"
            return Token(kind: .wrong(text), offset: start)
        }
    }

    private func starts(with text: [UInt8]) -> Bool {
        for (index, byte) in text.enumerated() where self.byte(at: position + index) != byte { return false }
        return true
    }

    private mutating func nameToken() -> Token {
        let start = position
        while position < bytes.count, bytes[position].isPartOfCName { position += 1 }
        guard position - start <= Lexer.maximumName else {
            return Token(kind: .wrong("a name of more than \(Lexer.maximumName) characters"), offset: start)
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        if let keyword = Keyword.spellings[name] { return Token(kind: .keyword(keyword), offset: start) }
        return Token(kind: .name(name), offset: start)
    }

    /// Reads a preprocessing number. The parser determines its value later.
    private mutating func numberToken() -> Token {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            guard byte.isPartOfCName || byte == UInt8(ascii: ".") || isSign(of: start) else { break }
            position += 1
        }
        return Token(kind: .number(String(decoding: bytes[start..<position], as: UTF8.self)), offset: start)
    }

    /// Returns whether the sign at the position belongs to an exponent, as in 1e+5 but not in the sum 0xE+1.
    private func isSign(of start: Int) -> Bool {
        guard bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"), position > start,
            byte(at: start + 1).map({ $0 | 0x20 }) != UInt8(ascii: "x")
        else { return false }
        let before = bytes[position - 1] | 0x20
        return before == UInt8(ascii: "e") || before == UInt8(ascii: "p")
    }

    /// Reads a non-ASCII character, or bytes that are not UTF-8.
    private mutating func foreignToken() -> Token {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] & 0xC0 == 0x80, position - start < 4 { position += 1 }
        guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
            return Token(kind: .wrong("a byte that is not UTF-8 (0x\(String(bytes[start], radix: 16)))"), offset: start)
        }
        let isVisible = text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.isMath }
        let code = String(text.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)
        return Token(kind: .wrong(isVisible ? "'\(text)'" : "the character U+\(code)"), offset: start)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    // MARK: - Strings and characters

    /// Reads a string literal, which must end on the same line.
    private mutating func stringToken() -> Token {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = byte(at: position), byte != UInt8(ascii: "\n") {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return Token(kind: .string(String(decoding: content, as: UTF8.self)), offset: start)
            case UInt8(ascii: "\\"):
                guard let code = escape() else {
                    skip(to: UInt8(ascii: "\""))
                    return Token(kind: .wrong("a string with an unknown escape"), offset: start)
                }
                content.append(UInt8(truncatingIfNeeded: code))
            default:
                content.append(byte)
                position += 1
            }
        }
        return Token(kind: .wrong("an unterminated string"), offset: start)
    }

    /// Reads a character constant with exactly one character.
    private mutating func characterToken() -> Token {
        let start = position
        position += 1
        let code: Int?
        switch byte(at: position) {
        case UInt8(ascii: "\\"): code = escape()
        case nil, UInt8(ascii: "'"), UInt8(ascii: "\n"): code = nil
        case let byte?:
            code = byte < 0x80 ? Int(byte) : nil
            position += 1
        }
        guard let code, byte(at: position) == UInt8(ascii: "'") else {
            skip(to: UInt8(ascii: "'"))
            return Token(kind: .wrong("an apostrophe that does not begin a character constant"), offset: start)
        }
        position += 1
        return Token(kind: .character(code), offset: start)
    }

    /// Skips past the next quote on the same line; does nothing if the line has none.
    private mutating func skip(to quote: UInt8) {
        var end = position
        while let byte = byte(at: end), byte != UInt8(ascii: "\n") {
            end += 1
            if byte == quote {
                position = end
                return
            }
        }
    }

    /// Reads an escape sequence and returns its character code, or nil if the escape is unknown.
    private mutating func escape() -> Int? {
        position += 1
        guard let byte = byte(at: position) else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return 10
        case UInt8(ascii: "t"): return 9
        case UInt8(ascii: "r"): return 13
        case UInt8(ascii: "a"): return 7
        case UInt8(ascii: "b"): return 8
        case UInt8(ascii: "f"): return 12
        case UInt8(ascii: "v"): return 11
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "?"): return Int(byte)
        case UInt8(ascii: "x"): return digits(radix: 16, atMost: 2, from: position)
        case UInt8(ascii: "0")...UInt8(ascii: "7"): return digits(radix: 8, atMost: 3, from: position - 1)
        default: return nil
        }
    }

    private mutating func digits(radix: Int, atMost count: Int, from start: Int) -> Int? {
        position = start
        while position < bytes.count, position - start < count,
            Int(String(Unicode.Scalar(bytes[position])), radix: radix) != nil
        { position += 1 }
        let code = Int(String(decoding: bytes[start..<position], as: UTF8.self), radix: radix)
        return code.flatMap { $0 <= 255 ? $0 : nil }
    }
}

extension UInt8 {
    /// Whether the character may be in a name of C.
    package var isPartOfCName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
