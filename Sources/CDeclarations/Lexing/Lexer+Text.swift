extension Lexer {
    /// A string in quotes, on one line.
    mutating func stringToken() -> Token {
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
        return Token(kind: .wrong("a string without an end"), offset: start)
    }

    /// One character in apostrophes.
    mutating func characterToken() -> Token {
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
            return Token(kind: .wrong("an apostrophe that begins no character constant"), offset: start)
        }
        position += 1
        return Token(kind: .character(code), offset: start)
    }

    /// Skips to behind a quote on the same line; nothing when there is none.
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

    /// What a backslash and what follows stand for; nil when nothing.
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
