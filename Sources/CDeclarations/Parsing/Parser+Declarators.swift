extension Parser {
    /// `*name[4]`, `(*name)(int)`, or the same without a name.
    mutating func parseDeclarator(_ naming: Declarator.Naming) throws(ParseFailure) -> Declarator {
        try nest(2)
        defer { nesting -= 2 }
        var attributes = try parseAttributes()
        var pointers: [Declarator.Derivation] = []
        while take(.star) {
            var qualifiers: CQualifiers = []
            while true {
                if try parseAttribute(into: &attributes) { continue }
                guard case .keyword(let keyword) = token.kind else { break }
                if keyword == .atomic {
                    throw failure(expected: "a pointer without '_Atomic'")
                }
                guard let qualifier = CQualifiers(keyword) else { break }
                qualifiers.insert(qualifier)
                advance()
            }
            pointers.append(.pointer(qualifiers))
            guard pointers.count <= CType.maximumDepth else { throw tooComplex(at: token.offset) }
        }
        if at(.caret) { throw refusal("blocks are not supported: expected a pointer to a function") }
        var declarator = Declarator(offset: token.offset)
        if case .name(let name) = token.kind, naming != .unnamed {
            declarator.name = name
            advance()
        } else if try startsNestedDeclarator(naming) {
            advance()
            declarator = try parseDeclarator(naming)
            try expect(.rightParenthesis, "behind the declarator")
        } else if naming == .named {
            throw failure(expected: "a name")
        }
        let inner = declarator.derivations
        var suffixes: [Declarator.Derivation] = []
        attributes.merge(try parseAttributes())
        while at(.leftBracket) || at(.leftParenthesis) {
            suffixes.append(at(.leftBracket) ? .array(try parseArrayLength()) : .function(try parseParameters()))
            guard suffixes.count <= CType.maximumDepth else { throw tooComplex(at: token.offset) }
            attributes.merge(try parseAttributes())
        }
        declarator.derivations = pointers + suffixes.reversed() + inner
        declarator.attributes.merge(attributes)
        return declarator
    }

    private func tooComplex(at offset: Int) -> ParseFailure {
        ParseFailure(message: "the type is made of too many parts", offset: offset)
    }

    /// Whether a parenthesis is one around a name, and not the beginning of parameters.
    private mutating func startsNestedDeclarator(_ naming: Declarator.Naming) throws(ParseFailure) -> Bool {
        guard at(.leftParenthesis) else { return false }
        if naming == .named { return true }
        let next = index + 1 < tokens.count ? tokens[index + 1] : token
        return next.kind != .sign(.rightParenthesis) && next.kind != .sign(.ellipsis) && !startsType(next)
    }

    private mutating func parseArrayLength() throws(ParseFailure) -> Declarator.ArrayLength {
        var array = Declarator.ArrayLength(offset: token.offset)
        advance()
        while case .keyword(let keyword) = token.kind {
            if keyword == .static {
                array.isStatic = true
            } else if let qualifier = CQualifiers(keyword) {
                array.qualifiers.formUnion(qualifier)
            } else {
                break
            }
            advance()
        }
        if at(.star), peek() == .sign(.rightBracket) { advance() }
        if take(.rightBracket) { return array }
        let start = token.offset
        let place = index
        let value: Int128
        do {
            value = try parseConstant().value
        } catch {
            // In `int sum(int count, int values[count])` the length is for readers.
            guard parameterLists > 0, error.isUnknownName else { throw error }
            index = place
            while !at(.rightBracket), !at(.semicolon), token.kind != .end {
                if at(.leftBracket) || at(.leftParenthesis) { try skipBalanced() } else { advance() }
            }
            try expect(.rightBracket)
            return array
        }
        guard value >= 0, value <= LayoutRules.maximumSize else {
            throw ParseFailure(
                message: "expected a length from 0 to 2^47, there was \(value)", offset: start)
        }
        try expect(.rightBracket, "behind the length")
        array.length = Int(value)
        return array
    }

    /// What a declarator makes of a type.
    mutating func type(_ base: CType, _ declarator: Declarator) throws(ParseFailure) -> CType {
        var type = base
        for derivation in declarator.derivations {
            switch derivation {
            case .pointer(let qualifiers): type = CType(.pointer(type), qualifiers: qualifiers)
            case .array(let array):
                guard scope.isComplete(type) else {
                    throw ParseFailure(
                        message: "expected elements of a known size, there was '\(type)'", offset: array.offset)
                }
                type = CType(.array(type, length: array.length))
                if array.length != nil { try checkSize(of: type, at: array.offset) }
            case .function(let function):
                switch type.kind {
                case .array, .function:
                    throw ParseFailure(message: "no function returns '\(type)'", offset: declarator.offset)
                default: break
                }
                type = CType(
                    .function(
                        CFunctionType(
                            result: type.unqualifiedResult, parameters: function.parameters,
                            isVariadic: function.isVariadic, hasPrototype: function.hasPrototype)))
            }
            guard type.depth <= CType.maximumDepth, type.weight <= CType.maximumWeight else {
                throw tooComplex(at: declarator.offset)
            }
        }
        if let unsupported = declarator.attributes.unsupported { type = Parser.replaced(type, by: unsupported) }
        return type
    }

    private func checkSize(of type: CType, at offset: Int) throws(ParseFailure) {
        guard case .array(let element, let length?) = type.kind,
            let size = try? scope.layout(of: element).size
        else { return }
        let (bytes, overflow) = size.multipliedReportingOverflow(by: length)
        guard !overflow, bytes <= LayoutRules.maximumSize else {
            throw ParseFailure(message: "the array is larger than any memory", offset: offset)
        }
    }
}

extension CType {
    /// Qualifiers of a result have no meaning; those of a `typedef` name stay for messages.
    fileprivate var unqualifiedResult: CType {
        var type = self
        type.qualifiers.subtract([.const, .volatile, .restrict])
        return type
    }

    /// The type with an obstacle in the function that it is or points to.
    func adding(_ obstacle: CObstacle?) -> CType {
        guard let obstacle else { return self }
        switch kind {
        case .function(var function):
            function.obstacle = obstacle
            return CType(.function(function), qualifiers: qualifiers)
        case .pointer(let inner): return CType(.pointer(inner.adding(obstacle)), qualifiers: qualifiers)
        case .array(let inner, let length):
            return CType(.array(inner.adding(obstacle), length: length), qualifiers: qualifiers)
        default: return self
        }
    }
}
