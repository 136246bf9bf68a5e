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
            throw ParseFailure(
                message: "'\(constant.name.shortened)' is already \(scope.word(for: meaning)): choose another name",
                offset: offset)
        }
        scope.meanings[constant.name] = .constant(scope.constants.count)
        scope.constants.append(constant)
    }

    /// Adds a text or a floating-point number to the scope.
    private mutating func define(_ value: CNamedValue, at offset: Int) throws(ParseFailure) {
        if let meaning = scope.meanings[value.name] {
            if scope.namedValue(value.name) == value.value { return }
            throw ParseFailure(
                message: "'\(value.name.shortened)' is already \(scope.word(for: meaning)): choose another name",
                offset: offset)
        }
        scope.meanings[value.name] = .value(scope.namedValues.count)
        scope.namedValues.append(value)
        if case .text(let text) = value.value { scope.textSize += text.utf8.count }
    }
}
