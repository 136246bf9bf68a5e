extension Parser {
    /// Processes the directives before the current token.
    mutating func runDirectives() {
        while nextDirective < directives.count, directives[nextDirective].position <= index {
            let directive = directives[nextDirective]
            nextDirective += 1
            // The line is parsed like a separate text.
            var line = directive.tokens
            swap(&tokens, &line)
            let place = (index, nesting)
            index = 0
            isInDirective = true
            do {
                try run(directive)
            } catch {
                report(error)
            }
            swap(&tokens, &line)
            (index, nesting) = place
            isInDirective = false
        }
    }

    private mutating func run(_ directive: Directive) throws(ParseFailure) {
        switch directive.word {
        case "define": try runDefine()
        case "pragma": try runPragma()
        case "line", "ident", "": break
        default:
            throw ParseFailure(
                message: "'#\(directive.word.shortened)' needs a preprocessor: write the declarations themselves, "
                    + "as 'hslink import' does",
                offset: directive.offset)
        }
    }

    /// Processes `#define NAME value`, where the value is an integer, a floating-point number or a text.
    private mutating func runDefine() throws(ParseFailure) {
        guard case .name(let name) = token.kind else { throw failure(expected: "a name after '#define'") }
        let nameToken = token
        advance()
        let isMacro = at(.leftParenthesis) && token.offset == nameToken.offset + name.utf8.count
        guard token.kind != .end, !isMacro else {
            throw ParseFailure(
                message: "expected a value after '#define \(name.shortened)': macros are not expanded here",
                offset: token.offset)
        }
        if let value = try parseNamedValue() {
            guard token.kind == .end else { throw failure(expected: "nothing after the value") }
            return try define(CNamedValue(name: name, value: value), at: nameToken.offset)
        }
        let value = try parseConstant()
        guard token.kind == .end else { throw failure(expected: "nothing after the integer") }
        try define(CConstant(name: name, value: value.value, type: value.type), at: nameToken.offset)
    }

    /// Processes `#pragma pack(…)`. Other pragmas matter only to compilers.
    private mutating func runPragma() throws(ParseFailure) {
        guard token.kind == .name("pack") else { return }
        advance()
        try expect(.leftParenthesis)
        if take(.rightParenthesis) {
            packing = nil
            return
        }
        if case .name(let word) = token.kind {
            if word == "push" {
                packingStack.append(packing)
            } else if word == "pop" {
                guard let last = packingStack.popLast() else { throw refusal("expected 'push' before 'pop'") }
                packing = last
            } else {
                throw failure(expected: "'push', 'pop' or a number in '#pragma pack'")
            }
            advance()
            if take(.rightParenthesis) { return }
            try expect(.comma)
        }
        let offset = token.offset
        let value = try parseConstant().value
        guard [1, 2, 4, 8, 16].contains(value) else {
            throw ParseFailure(
                message: "expected 1, 2, 4, 8 or 16 in '#pragma pack', found \(value)", offset: offset)
        }
        try expect(.rightParenthesis)
        packing = Int(value)
    }

    /// Adds a constant to the scope.
    mutating func define(_ constant: CConstant, at offset: Int) throws(ParseFailure) {
        if let meaning = scope.meanings[constant.name] {
            // Allow an identical redefinition, because a header may be passed twice.
            if scope.constant(named: constant.name)?.value == constant.value { return }
            throw alreadyDeclared(constant.name, meaning, at: offset)
        }
        scope.meanings[constant.name] = .constant(scope.constants.count)
        scope.constants.append(constant)
    }

    /// Adds a text or a floating-point number to the scope.
    private mutating func define(_ value: CNamedValue, at offset: Int) throws(ParseFailure) {
        if let meaning = scope.meanings[value.name] {
            if scope.namedValue(value.name) == value.value { return }
            throw alreadyDeclared(value.name, meaning, at: offset)
        }
        scope.meanings[value.name] = .value(scope.namedValues.count)
        scope.namedValues.append(value)
        if case .text(let text) = value.value { scope.textSize += text.utf8.count }
    }

    /// Parses a text or a floating-point number after `#define NAME`.
    ///
    /// - Returns: Nil if the tokens mean neither, and no token was consumed.
    private mutating func parseNamedValue() throws(ParseFailure) -> CNamedValue.Value? {
        var first = index
        while first < tokens.count, tokens[first].kind == .sign(.leftParenthesis) { first += 1 }
        guard first < tokens.count else { return nil }
        if isText(tokens[first]) { return .text(try parseText()) }
        guard tokens[index...].contains(where: isReal) else { return nil }
        let offset = token.offset
        let number = try parseReal(0).double
        guard number.isFinite else {
            throw ParseFailure(message: "the number is larger than the largest double", offset: offset)
        }
        return .number(number)
    }

    private func isText(_ token: Token) -> Bool {
        switch token.kind {
        case .string: true
        case .name(let name): if case .text? = scope.namedValue(name) { true } else { false }
        default: false
        }
    }

    private func isReal(_ token: Token) -> Bool {
        switch token.kind {
        case .number(let text): Real.isLiteral(text)
        case .name(let name): if case .number? = scope.namedValue(name) { true } else { false }
        default: false
        }
    }

    /// Parses texts that follow each other and so are one text, with or without parentheses.
    private mutating func parseText() throws(ParseFailure) -> String {
        try nest()
        defer { nesting -= 1 }
        if take(.leftParenthesis) {
            let text = try parseText()
            try expect(.rightParenthesis, "after the text")
            return text
        }
        var text = ""
        let offset = token.offset
        while isText(token) {
            if case .string(let part) = token.kind { text += part }
            if case .name(let name) = token.kind, case .text(let part)? = scope.namedValue(name) { text += part }
            // A chain of names could double the length again and again.
            guard scope.textSize + text.utf8.count <= Parser.maximumTexts else {
                throw ParseFailure(
                    message: "the strings are longer than \(Parser.maximumTexts >> 20) MB in total", offset: offset)
            }
            advance()
        }
        // The lexer replaces bytes that are not UTF-8.
        guard !text.unicodeScalars.contains(where: { $0 == "\0" || $0 == "\u{FFFD}" }) else {
            throw ParseFailure(message: "expected a string in UTF-8 without NUL characters", offset: offset)
        }
        return text
    }

    /// The maximum length of all texts in bytes.
    private static let maximumTexts = 16 << 20

    // MARK: - Floating-point numbers

    private mutating func parseReal(_ least: Int) throws(ParseFailure) -> Real {
        var left = try parseRealUnary()
        while case .sign(let sign) = token.kind, let precedence = Real.precedence(sign), precedence > least {
            let offset = token.offset
            advance()
            let right = try parseReal(precedence)
            guard let value = Real.apply(sign, to: left, and: right) else {
                throw ParseFailure(message: "the result of '\(sign.rawValue)' is undefined in C", offset: offset)
            }
            left = value
        }
        return left
    }

    private mutating func parseRealUnary() throws(ParseFailure) -> Real {
        try nest()
        defer { nesting -= 1 }
        switch token.kind {
        case .sign(.plus):
            advance()
            return try parseRealUnary()
        case .sign(.minus):
            let offset = token.offset
            advance()
            guard let value = try parseRealUnary().negated else {
                throw ParseFailure(message: "the result of '-' is undefined in C", offset: offset)
            }
            return value
        case .sign(.leftParenthesis):
            advance()
            let value = try parseReal(0)
            try expect(.rightParenthesis)
            return value
        case .number(let text) where Real.isLiteral(text):
            guard let value = Real(text) else { throw failure(expected: "a number") }
            advance()
            return value
        case .name(let name):
            if case .number(let number)? = scope.namedValue(name) {
                advance()
                return .real(number, isFloat: false)
            }
        default: break
        }
        return .integer(try parsePrimary())
    }
}

/// A number in an expression with floating-point numbers.
private enum Real {
    case integer(IntegerValue)
    /// A double, or a float whose results are rounded to float.
    case real(Double, isFloat: Bool)

    /// Returns whether a preprocessing number is a floating-point number.
    static func isLiteral(_ text: String) -> Bool {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        return text.utf8.contains { byte in
            let letter = byte | 0x20
            return byte == UInt8(ascii: ".") || letter == UInt8(ascii: isHexadecimal ? "p" : "e")
        }
    }

    init?(_ text: String) {
        var text = text[...]
        var isFloat = false
        switch text.last {
        // In a hexadecimal number without an exponent, f would be a digit; C requires the exponent.
        case "f", "F":
            isFloat = true
            text = text.dropLast()
        case "l", "L": text = text.dropLast()
        default: break
        }
        guard let number = Double(text) else { return nil }
        self = .real(isFloat ? Double(Float(number)) : number, isFloat: isFloat)
    }

    static func precedence(_ sign: Sign) -> Int? {
        switch sign {
        case .plus, .minus: 1
        case .star, .slash: 2
        default: nil
        }
    }

    var double: Double {
        switch self {
        case .integer(let integer): Double(integer.value)
        case .real(let number, _): number
        }
    }

    var negated: Real? {
        switch self {
        case .integer(let integer): IntegerValue(-integer.value, integer.type).map { .integer($0) }
        case .real(let number, let isFloat): .real(-number, isFloat: isFloat)
        }
    }

    /// Returns the result as in C: integers among themselves stay integers; nil if it is undefined.
    static func apply(_ sign: Sign, to left: Real, and right: Real) -> Real? {
        if case .integer(let one) = left, case .integer(let other) = right {
            return Arithmetic.apply(sign, to: one, and: other).map { .integer($0) }
        }
        let isFloat = left.isNarrow && right.isNarrow
        let one = isFloat ? Double(Float(left.double)) : left.double
        let other = isFloat ? Double(Float(right.double)) : right.double
        let result: Double
        switch sign {
        case .plus: result = one + other
        case .minus: result = one - other
        case .star: result = one * other
        case .slash: result = one / other
        default: return nil
        }
        return .real(isFloat ? Double(Float(result)) : result, isFloat: isFloat)
    }

    /// Whether an operation with another narrow number gives a float.
    private var isNarrow: Bool {
        switch self {
        case .integer: true
        case .real(_, let isFloat): isFloat
        }
    }
}
