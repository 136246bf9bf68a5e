/// Reads declarations, as Python's cffi takes them in `cdef`: those of C without a preprocessor.
///
/// Recursive descent; what may nest is counted, so that no text exhausts the stack. After a failure it goes on
/// after the next semicolon.
struct Parser {
    /// Enough for what people write: 32 structs inside of each other, or 48 parentheses. Without optimization a
    /// level of expressions takes 16 kB of stack.
    private static let maximumNesting = 96
    private static let maximumDiagnostics = 100
    /// Larger texts are refused unread.
    private static let maximumBytes = 16 << 20

    var scope: Scope
    var diagnostics: [CDiagnostic] = []

    var tokens: [Token] = [Token(kind: .end, offset: 0)]
    var index = 0
    var map = SourceMap(name: "", bytes: [])
    var directives: [Directive] = []
    var nextDirective = 0
    var isInDirective = false
    /// How many `extern "C" {` are open.
    var openLinkages = 0
    /// Structs whose fields are being read.
    var openRecords: Set<Int> = []
    var nesting = 0
    /// How many lists of parameters are open.
    var parameterLists = 0
    /// What `#pragma pack` said, and what it will return to.
    var packing: Int?
    var packingStack: [Int?] = []

    init(target: CTarget) { scope = Scope(target: target) }

    /// Reads one text.
    mutating func parse(_ source: CSource) {
        guard source.bytes.count <= Parser.maximumBytes else {
            map = SourceMap(name: source.name, bytes: [])
            report(ParseFailure(message: "there are more than \(Parser.maximumBytes >> 20) MB of text", offset: 0))
            return
        }
        var lexer = Lexer(source)
        lexer.read()
        tokens = lexer.tokens
        directives = lexer.directives
        map = lexer.map
        index = 0
        nextDirective = 0
        openLinkages = 0
        packing = nil
        packingStack = []
        runDirectives()
        while token.kind != .end {
            do {
                try parseDeclaration()
            } catch {
                report(error)
                // What begins a declaration is not a part of the one before.
                if !error.isMissingSemicolon || !startsDeclaration(token) { skipDeclaration() }
            }
        }
        if openLinkages > 0 { report(failure(expected: "'}' of 'extern \"C\" {'")) }
    }

    // MARK: - Tokens

    var token: Token { tokens[index] }

    func peek(_ distance: Int = 1) -> Token.Kind {
        index + distance < tokens.count ? tokens[index + distance].kind : .end
    }

    mutating func advance() {
        if index < tokens.count - 1 { index += 1 }
        if nextDirective < directives.count, !isInDirective { runDirectives() }
    }

    func at(_ sign: Sign) -> Bool { token.kind == .sign(sign) }

    func at(_ keyword: Keyword) -> Bool { token.kind == .keyword(keyword) }

    /// Takes a sign if it is there.
    mutating func take(_ sign: Sign) -> Bool {
        guard at(sign) else { return false }
        advance()
        return true
    }

    mutating func take(_ keyword: Keyword) -> Bool {
        guard at(keyword) else { return false }
        advance()
        return true
    }

    /// Takes a sign that has to be there.
    ///
    /// - Parameter reason: what it is for, behind the sign in the message.
    mutating func expect(_ sign: Sign, _ reason: String = "") throws(ParseFailure) {
        guard take(sign) else { throw failure(expected: "'\(sign.rawValue)'" + (reason.isEmpty ? "" : " " + reason)) }
    }

    // MARK: - Failures

    func failure(expected: String) -> ParseFailure {
        ParseFailure(message: "expected \(expected), found \(token.text)", offset: token.offset)
    }

    /// A failure for what C or another language has and this parser does not support.
    func refusal(_ message: String) -> ParseFailure { ParseFailure(message: message, offset: token.offset) }

    mutating func report(_ failure: ParseFailure) {
        guard diagnostics.count < Parser.maximumDiagnostics else { return }
        diagnostics.append(map.diagnostic(failure.message, at: failure.offset))
    }

    /// One level deeper; the caller goes back by itself, by as much.
    ///
    /// - Parameter weight: how much stack a level takes, compared with one of an expression.
    mutating func nest(_ weight: Int = 1) throws(ParseFailure) {
        guard nesting + weight <= Parser.maximumNesting else {
            throw ParseFailure(message: "this is nested too deeply", offset: token.offset)
        }
        nesting += weight
    }

    /// Skips past the next semicolon that is not in braces, or past the body that ended before.
    private mutating func skipDeclaration() {
        var braces = 0
        while token.kind != .end {
            switch token.kind {
            case .sign(.leftBrace): braces += 1
            case .sign(.rightBrace):
                braces -= 1
                if braces < 0, openLinkages > 0 { return }
                guard braces <= 0 else { break }
                advance()
                // The names behind a struct belong to it; another declaration begins with a keyword as a rule.
                if braces < 0 { return }
                if case .keyword(let keyword) = token.kind, keyword != .attribute { return }
                continue
            case .sign(.semicolon) where braces == 0:
                advance()
                return
            default: break
            }
            advance()
        }
    }

    /// Skips what is in parentheses, brackets or braces, from the opening one past its counterpart.
    mutating func skipBalanced() throws(ParseFailure) {
        let start = token
        var depth = 0
        repeat {
            switch token.kind {
            case .sign(.leftParenthesis), .sign(.leftBracket), .sign(.leftBrace): depth += 1
            case .sign(.rightParenthesis), .sign(.rightBracket), .sign(.rightBrace): depth -= 1
            case .end: throw ParseFailure(message: "\(start.text) is not closed", offset: start.offset)
            default: break
            }
            advance()
        } while depth > 0
    }
}

/// Where parsing failed, and why. Kept small, because a hostile text has many: only the first become diagnostics.
struct ParseFailure: Error {
    let message: String
    let offset: Int
    /// Whether it was a name that nothing declares, as the length of a parameter's array may be.
    var isUnknownName = false
    /// Whether nothing but a semicolon was missing.
    var isMissingSemicolon = false
}
