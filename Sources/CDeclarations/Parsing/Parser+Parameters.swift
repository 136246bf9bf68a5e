extension Parser {
    /// `(int count, const char *, ...)`.
    ///
    /// - Returns: a function type whose result is not known yet.
    mutating func parseParameters() throws(ParseFailure) -> CFunctionType {
        try nest(2)
        defer { nesting -= 2 }
        parameterLists += 1
        defer { parameterLists -= 1 }
        try expect(.leftParenthesis)
        if take(.rightParenthesis) {
            return CFunctionType(result: .void, parameters: [], hasPrototype: false)
        }
        if at(.void), peek() == .sign(.rightParenthesis) {
            advance()
            advance()
            return CFunctionType(result: .void, parameters: [])
        }
        var parameters: [CParameter] = []
        var isVariadic = false
        repeat {
            if take(.ellipsis) {
                isVariadic = true
                break
            }
            parameters.append(try parseParameter())
        } while take(.comma)
        try expect(.rightParenthesis, isVariadic ? "behind '...'" : "or ',' behind a parameter")
        return CFunctionType(result: .void, parameters: parameters, isVariadic: isVariadic)
    }

    private mutating func parseParameter() throws(ParseFailure) -> CParameter {
        let start = token.offset
        let specifiers = try parseSpecifiers()
        guard specifiers.storage == nil || specifiers.storage == .other, !specifiers.isInline else {
            throw ParseFailure(message: "expected a parameter without 'typedef', 'extern' or 'static'", offset: start)
        }
        let declarator = try parseDeclarator(.either)
        if at(.ampersand) { throw refusal("references are of C++: expected ',' or ')' behind a parameter") }
        let type = try type(specifiers.type, declarator)
        var attributes = specifiers.attributes
        attributes.merge(declarator.attributes)
        if let obstacle = attributes.obstacle {
            return CParameter(name: declarator.name, type: type.adding(obstacle))
        }
        return try adjusted(type, declarator, isNonnull: !attributes.nonnull.isEmpty, at: start)
    }

    /// As a parameter an array is a pointer to its first element, and a function a pointer to it.
    private func adjusted(
        _ type: CType, _ declarator: Declarator, isNonnull: Bool, at start: Int
    ) throws(ParseFailure) -> CParameter {
        switch type.kind {
        case .void:
            throw ParseFailure(message: "expected a parameter with a type, there was 'void'", offset: start)
        case .function: return CParameter(name: declarator.name, type: .pointer(to: type), isNonnull: isNonnull)
        case .array(var element, let length):
            var isStatic = false
            var qualifiers: CQualifiers = []
            if case .array(let written)? = declarator.derivations.last {
                isStatic = written.isStatic
                qualifiers = written.qualifiers
            }
            // Of `const vector v`, where the typedef is an array, the elements are constant.
            element.qualifiers.formUnion(type.qualifiers.typing)
            let nonnull = isNonnull || isStatic || qualifiers.contains(.nonnull)
            return CParameter(
                name: declarator.name, type: CType(.pointer(element), qualifiers: qualifiers), arrayLength: length,
                isNonnull: nonnull)
        default:
            return CParameter(
                name: declarator.name, type: type, isNonnull: isNonnull || type.qualifiers.contains(.nonnull))
        }
    }
}
