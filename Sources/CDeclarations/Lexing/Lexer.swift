/// Takes a text apart into tokens and lines of the preprocessor.
struct Lexer {
    private static let maximumName = 1000

    let bytes: [UInt8]
    var position = 0
    var tokens: [Token] = []
    var directives: [Directive] = []
    var map: SourceMap
    /// Whether nothing but space stands before the position in its line.
    private var isAtLineStart = true
    /// Whether the end of the line ends what is read.
    private var isInDirective = false

    init(_ source: CSource) {
        bytes = source.bytes
        map = SourceMap(name: source.name, bytes: source.bytes)
        tokens.reserveCapacity(source.bytes.count / 4)
    }

    /// Reads all of the text; what it is made of stands in `tokens`, with an end, and in `directives`.
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

    func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Skips space and comments.
    ///
    /// - Returns: whether there is something behind it; in a directive: on its line.
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

    /// How many bytes a backslash and the end of its line take; 0 when it is another backslash.
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
        tokens.append(Token(kind: .wrong("a comment without an end"), offset: start))
    }

    private mutating func readDirective() {
        let offset = position
        position += 1
        // Swapped and not copied: a text may consist of directives.
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
        case .name(let word): add(word, rest, offset)
        case .keyword(let keyword): add(keyword.rawValue, rest, offset)
        default: add("", rest, offset)
        }
    }

    private mutating func add(_ word: String, _ rest: [Token], _ offset: Int) {
        directives.append(Directive(word: word, tokens: rest, position: tokens.count, offset: offset))
    }

    /// `# 12 "zlib.h" 2`: the next line is line 12 of zlib.h.
    private mutating func mark(_ text: String, _ rest: [Token], offset: Int) {
        guard let line = Int(text), line >= 0, line < 1 << 32 else { return }
        var file = map.markers.last?.file ?? map.name
        if case .string(let name)? = rest.first?.kind { file = name.shortened }
        map.markers.append(SourceMap.Marker(start: position + 1, line: line, file: file))
    }

    /// The token at the position, where something is that is no space.
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
        while position < bytes.count, Lexer.isNamePart(bytes[position]) { position += 1 }
        guard position - start <= Lexer.maximumName else {
            return Token(kind: .wrong("a name of more than \(Lexer.maximumName) characters"), offset: start)
        }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        if let keyword = Keyword.spellings[name] { return Token(kind: .keyword(keyword), offset: start) }
        return Token(kind: .name(name), offset: start)
    }

    /// What the preprocessor calls a number; what it is worth is seen later.
    private mutating func numberToken() -> Token {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            guard Lexer.isNamePart(byte) || byte == UInt8(ascii: ".") || isSign(of: start) else { break }
            position += 1
        }
        return Token(kind: .number(String(decoding: bytes[start..<position], as: UTF8.self)), offset: start)
    }

    /// Whether the sign at the position belongs to an exponent: that of 1e+5, not of 0xE+1, which is a sum.
    private func isSign(of start: Int) -> Bool {
        guard bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"), position > start,
            byte(at: start + 1).map({ $0 | 0x20 }) != UInt8(ascii: "x")
        else { return false }
        let before = bytes[position - 1] | 0x20
        return before == UInt8(ascii: "e") || before == UInt8(ascii: "p")
    }

    /// A character beyond ASCII, or bytes that are none.
    private mutating func foreignToken() -> Token {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] & 0xC0 == 0x80, position - start < 4 { position += 1 }
        guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
            return Token(kind: .wrong("a byte that is no UTF-8 (0x\(String(bytes[start], radix: 16)))"), offset: start)
        }
        let isVisible = text.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0.properties.isMath }
        let code = String(text.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)
        return Token(kind: .wrong(isVisible ? "'\(text)'" : "the character U+\(code)"), offset: start)
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
