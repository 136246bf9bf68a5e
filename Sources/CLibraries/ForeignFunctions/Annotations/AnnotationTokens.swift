import ComponentKit
import SystemSupport

/// The tokens of an annotation.
struct AnnotationTokens {
    enum Token: Hashable {
        case name(String)
        case number(UInt64)
        case text(String)
        /// One of "[ ] { } ( ) ; : , | + - * = < > <= >= ->".
        case mark(String)
        case end

        var words: String {
            switch self {
            case .name(let name): "\"\(name)\""
            case .number(let number): "\(number)"
            case .text: "a string"
            case .mark(let mark): "\"\(mark)\""
            case .end: "the end"
            }
        }
    }

    private let bytes: [UInt8]
    private var position = 0
    private(set) var token = Token.end
    /// The number of numbers and names in formulas so far.
    private var factorCount = 0
    /// The position at which ``token`` begins.
    private var start = 0

    init(_ text: String) throws(PayloadError) {
        bytes = Array(text.utf8)
        try advance()
    }

    /// The position of ``token``, for messages.
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
        case UInt8(ascii: "-") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: ">"):
            position += 2
            token = .mark("->")
        case _ where "[]{}();:,|+-*=".utf8.contains(byte):
            position += 1
            token = .mark(String(UnicodeScalar(byte)))
        default:
            throw PayloadError(
                expected: "an annotation", found: "an unexpected character \(placeWords)")
        }
    }

    /// Returns the raw text from ``token`` to the matching closing parenthesis: one or more C types.
    mutating func rawUntilClosed() throws(PayloadError) -> String {
        var depth = 1
        var end = start
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "(") { depth += 1 }
            if bytes[end] == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { break }
            guard !";{}#\n\\\"".utf8.contains(bytes[end]) else {
                throw PayloadError(expected: "C types", found: "an invalid character in the text \(placeWords)")
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

    /// Returns whether a dot at `position` is followed by the name of a field.
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
        guard let number = isHexadecimal ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text) else {
            throw PayloadError(expected: "a number of at most \(UInt64.max)", found: text.quoted())
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

// MARK: - Formulas

extension AnnotationTokens {
    /// Reads a formula. Afterwards the current token is the one that follows it.
    mutating func formula(depth: Int = 0) throws(PayloadError) -> Formula {
        var formula = try product(depth)
        while let sign: FormulaOperator = token == .mark("+") ? .plus : token == .mark("-") ? .minus : nil {
            try advance()
            formula = .operation(sign, formula, try product(depth))
        }
        return formula
    }

    private mutating func product(_ depth: Int) throws(PayloadError) -> Formula {
        var formula = try factor(depth)
        while token == .mark("*") {
            try advance()
            formula = .operation(.times, formula, try factor(depth))
        }
        return formula
    }

    private static let maximumDepth = 16
    /// The maximum number of factors, because formulas are evaluated recursively.
    private static let maximumFactors = 64

    private mutating func factor(_ depth: Int) throws(PayloadError) -> Formula {
        guard depth < AnnotationTokens.maximumDepth else {
            throw PayloadError(expected: "at most \(AnnotationTokens.maximumDepth) levels", found: "more")
        }
        factorCount += 1
        guard factorCount <= AnnotationTokens.maximumFactors else {
            throw PayloadError(expected: "at most \(AnnotationTokens.maximumFactors) numbers and names", found: "more")
        }
        let first = token
        try advance()
        switch first {
        case .number(let number): return .number(Int128(number))
        case .text(let text): return .text(text)
        case .mark("-"):
            if case .number(let number) = token {
                try advance()
                guard -Int128(number) >= Int128(Int64.min) else {
                    throw PayloadError(expected: "a number of at least \(Int64.min)", found: "-\(number)")
                }
                return .number(-Int128(number))
            }
            return .operation(.minus, .number(0), try factor(depth + 1))
        case .mark("("):
            let inner = try formula(depth: depth + 1)
            try expect(")")
            return inner
        case .name("sizeof"):
            guard token == .mark("(") else { throw PayloadError(expected: "\"(\"", found: token.words) }
            try advance()
            return .sizeOf(try rawUntilClosed())
        case .name(let name):
            if token == .mark("->") {
                try advance()
                return .member(of: name, try self.name())
            }
            guard token == .mark("(") else { return .name(name) }
            try advance()
            var arguments: [Formula] = []
            while token != .mark(")") {
                if !arguments.isEmpty { try expect(",") }
                arguments.append(try formula(depth: depth + 1))
            }
            try advance()
            return .call(name, arguments)
        default:
            throw PayloadError(expected: "a number, a name or a string", found: "\(first.words) \(placeWords)")
        }
    }

    mutating func expect(_ mark: String) throws(PayloadError) {
        guard token == .mark(mark) else {
            throw PayloadError(expected: "\"\(mark)\"", found: "\(token.words) \(placeWords)")
        }
        try advance()
    }

    mutating func name() throws(PayloadError) -> String {
        guard case .name(let name) = token else {
            throw PayloadError(expected: "a name", found: "\(token.words) \(placeWords)")
        }
        try advance()
        return name
    }
}
