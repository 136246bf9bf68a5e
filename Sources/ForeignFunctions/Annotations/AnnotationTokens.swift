import ComponentKit

/// An annotation in pieces.
struct AnnotationTokens {
    enum Token: Hashable {
        case name(String)
        case number(Int64)
        case text(String)
        /// One of "[ ] ( ) ; , | + - * = < > <= >=".
        case mark(String)
        case end

        var words: String {
            switch self {
            case .name(let name): "\"\(name)\""
            case .number(let number): "\(number)"
            case .text: "a text"
            case .mark(let mark): "\"\(mark)\""
            case .end: "the end"
            }
        }
    }

    private let bytes: [UInt8]
    private var position = 0
    private(set) var token = Token.end
    /// How many numbers and names formulas have had.
    var factorCount = 0
    /// Where ``token`` begins.
    private var start = 0

    init(_ text: String) throws(PayloadError) {
        bytes = Array(text.utf8)
        try advance()
    }

    /// What has been read before ``token``.
    var placeWords: String { "at byte \(start + 1)" }

    mutating func advance() throws(PayloadError) {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0x0A {
            position += 1
        }
        start = position
        guard position < bytes.count else {
            token = .end
            return
        }
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): token = try number()
        case UInt8(ascii: "'"): token = try text()
        case _ where AnnotationTokens.isLetter(byte):
            while position < bytes.count,
                AnnotationTokens.isLetter(bytes[position]) || isDigit(position) || isDot(position)
            {
                position += 1
            }
            token = .name(String(decoding: bytes[start..<position], as: UTF8.self))
        case UInt8(ascii: "<"), UInt8(ascii: ">"):
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "=") { position += 1 }
            token = .mark(String(decoding: bytes[start..<position], as: UTF8.self))
        case _ where "[]();,|+-*=".utf8.contains(byte):
            position += 1
            token = .mark(String(UnicodeScalar(byte)))
        default:
            throw PayloadError(
                expected: "an annotation", found: "a character that annotations do not use, \(placeWords)")
        }
    }

    /// The bytes up to the parenthesis that closes the one before ``token``, as they are: a type of C.
    mutating func rawUntilClosed() throws(PayloadError) -> String {
        var depth = 1
        var end = start
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "(") { depth += 1 }
            if bytes[end] == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { break }
            guard !";{}#\n\\\"".utf8.contains(bytes[end]) else {
                throw PayloadError(expected: "types of C", found: "something else \(placeWords)")
            }
            end += 1
        }
        guard end < bytes.count else { throw PayloadError(expected: "\")\"", found: "the end") }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        position = end
        try advance()
        try advance()
        return text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    /// Whether a dot stands there that leads to a field.
    private func isDot(_ position: Int) -> Bool {
        bytes[position] == UInt8(ascii: ".") && position + 1 < bytes.count
            && AnnotationTokens.isLetter(bytes[position + 1])
    }

    private func isDigit(_ position: Int) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
    }

    private mutating func number() throws(PayloadError) -> Token {
        while position < bytes.count, AnnotationTokens.isLetter(bytes[position]) || isDigit(position) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        guard let number = isHexadecimal ? Int64(text.dropFirst(2), radix: 16) : Int64(text) else {
            throw PayloadError(expected: "a number", found: "something else \(placeWords)")
        }
        return .number(number)
    }

    private mutating func text() throws(PayloadError) -> Token {
        position += 1
        var content: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "'") {
            if bytes[position] == UInt8(ascii: "\\") { position += 1 }
            guard position < bytes.count, bytes[position] != 0 else { break }
            content.append(bytes[position])
            position += 1
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "'") else {
            throw PayloadError(expected: "\"'\" at the end of the text", found: "the end")
        }
        position += 1
        return .text(String(decoding: content, as: UTF8.self))
    }
}
