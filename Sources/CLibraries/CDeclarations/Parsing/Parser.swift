/// Parses C declarations without a preprocessor, like `cdef` in Python's cffi.
///
/// This is a recursive descent parser. It limits nesting, so no text can exhaust the stack. After an error it continues
/// after the next semicolon.
struct Parser {
    /// The maximum nesting, which is enough for real code: 32 nested structs, or 48 parentheses. Without optimization
    /// each level of an expression takes 16 kB of stack.
    private static let maximumNesting = 96
    private static let maximumDiagnostics = 100
    /// The maximum size of a text. Larger texts are rejected without parsing.
    private static let maximumBytes = 16 << 20

    var scope: Scope
    var diagnostics: [CDiagnostic] = []

    var tokens: [Token] = [Token(kind: .end, offset: 0)]
    var index = 0
    var map = SourceMap(name: "", bytes: [])
    var directives: [Directive] = []
    var nextDirective = 0
    var isInDirective = false
    /// The number of open `extern "C" {` blocks.
    var openLinkages = 0
    /// The indices of records whose fields are being parsed.
    var openRecords: Set<Int> = []
    var nesting = 0
    /// The number of open parameter lists.
    var parameterLists = 0
    /// The maximum alignment set by `#pragma pack`; nil if there is none.
    var packing: Int?
    /// The values that `#pragma pack(pop)` restores.
    var packingStack: [Int?] = []

    init(target: CTarget) { scope = Scope(target: target) }

    /// Parses a text and adds its declarations to the scope.
    mutating func parse(_ source: CSource) {
        guard source.bytes.count <= Parser.maximumBytes else {
            map = SourceMap(name: source.name, bytes: [])
            report(ParseFailure(message: "the text is larger than \(Parser.maximumBytes >> 20) MB", offset: 0))
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
                // If only a semicolon was missing and a declaration begins here, skip nothing.
                if !error.isMissingSemicolon || !startsDeclaration(token) { skipDeclaration() }
            }
        }
        if openLinkages > 0 { report(failure(expected: "'}' to close 'extern \"C\" {'")) }
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

    /// Consumes a sign if it is the current token, and returns whether it was.
    mutating func take(_ sign: Sign) -> Bool {
        guard at(sign) else { return false }
        advance()
        return true
    }

    /// Consumes a required sign.
    ///
    /// - Parameter reason: The context, which follows the sign in the message.
    /// - Throws: `ParseFailure` if the current token is not the sign.
    mutating func expect(_ sign: Sign, _ reason: String = "") throws(ParseFailure) {
        guard take(sign) else { throw failure(expected: "'\(sign.rawValue)'" + (reason.isEmpty ? "" : " " + reason)) }
    }

    // MARK: - Failures, nesting and recovery

    func failure(expected: String) -> ParseFailure {
        ParseFailure(message: "expected \(expected), found \(token.text)", offset: token.offset)
    }

    /// Returns a failure for syntax that this parser does not support.
    func refusal(_ message: String) -> ParseFailure { ParseFailure(message: message, offset: token.offset) }

    /// Returns a failure for a name that already has another meaning.
    func alreadyDeclared(
        _ name: String, _ meaning: Scope.Meaning, at offset: Int, advice: String = ""
    ) -> ParseFailure {
        ParseFailure(
            message: "'\(name.shortened)' is already \(scope.word(for: meaning)): choose another name\(advice)",
            offset: offset)
    }

    /// Returns a failure for a tag that another kind of type has.
    func alreadyTag(_ tag: String, of other: String, at offset: Int) -> ParseFailure {
        ParseFailure(message: "'\(tag.shortened)' is already the tag of \(other.shortened)", offset: offset)
    }

    mutating func report(_ failure: ParseFailure) {
        guard diagnostics.count < Parser.maximumDiagnostics else { return }
        diagnostics.append(map.diagnostic(failure.message, at: failure.offset))
    }

    /// Increases the nesting level. The caller must decrease `nesting` by the same weight afterwards.
    ///
    /// - Parameter weight: The stack usage of the level, relative to a level of an expression.
    /// - Throws: `ParseFailure` if the nesting would exceed the maximum.
    mutating func nest(_ weight: Int = 1) throws(ParseFailure) {
        guard nesting + weight <= Parser.maximumNesting else {
            throw ParseFailure(message: "the declaration is nested too deeply", offset: token.offset)
        }
        nesting += weight
    }

    /// Skips past the next semicolon outside braces, or past a closing brace that ends the declaration before it.
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
                // Names after a struct belong to its declaration. The next declaration usually begins with a keyword.
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

    /// Skips from an opening parenthesis, bracket or brace past the closing one.
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

/// The position and reason of a parse error. It is kept small because a hostile text may cause many errors, and only
/// the first ones become diagnostics.
struct ParseFailure: Error {
    let message: String
    let offset: Int
    /// Whether an undeclared name caused the failure. The array length of a parameter may be such a name.
    var isUnknownName = false
    /// Whether only a semicolon was missing.
    var isMissingSemicolon = false
}
