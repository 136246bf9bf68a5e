/// A name and the stars, brackets and parentheses around it.
struct Declarator {
    /// Whether the declarator must, must not or may have a name.
    enum Naming {
        case named, unnamed, either
    }

    /// One step in the derivation of a type from another one.
    enum Derivation {
        case pointer(CQualifiers)
        case array(ArrayLength)
        case function(CFunctionType)
    }

    /// The content of an array's brackets.
    struct ArrayLength {
        /// The length; nil for `[]`, and for a length that is known only at run time, as in `[count]`.
        var length: Int?
        /// Whether a parameter is declared with `[static 4]`.
        var isStatic = false
        /// The qualifiers of the pointer to which a parameter is adjusted.
        var qualifiers: CQualifiers = []
        let offset: Int
    }

    var name: String?
    /// The offset of the name, or of the position where it would be.
    var offset: Int
    /// The derivations, in the order in which they apply to the type before the name.
    var derivations: [Derivation] = []
    var attributes = Attributes()
}

extension Parser {
    /// Parses a declarator such as `*name[4]` or `(*name)(int)`, or the same without a name.
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
        if at(.caret) { throw refusal("blocks are not supported: expected a function pointer") }
        var declarator = Declarator(offset: token.offset)
        if case .name(let name) = token.kind, naming != .unnamed {
            declarator.name = name
            advance()
        } else if try startsNestedDeclarator(naming) {
            advance()
            declarator = try parseDeclarator(naming)
            try expect(.rightParenthesis, "after the declarator")
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
        ParseFailure(message: "the type has too many parts", offset: offset)
    }

    /// Returns whether a parenthesis encloses a nested declarator, and does not begin a parameter list.
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
            // In `int sum(int count, int values[count])` the length is only documentation.
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
                message: "expected a length from 0 to 2^47, found \(value)", offset: start)
        }
        try expect(.rightBracket, "after the length")
        array.length = Int(value)
        return array
    }

    /// Returns the type that a declarator derives from `base`.
    mutating func type(_ base: CType, _ declarator: Declarator) throws(ParseFailure) -> CType {
        var type = base
        for derivation in declarator.derivations {
            switch derivation {
            case .pointer(let qualifiers): type = CType(.pointer(type), qualifiers: qualifiers)
            case .array(let array):
                guard scope.isComplete(type) else {
                    throw ParseFailure(
                        message: "expected elements with a known size, found '\(type)'", offset: array.offset)
                }
                type = CType(.array(type, length: array.length))
                if array.length != nil { try checkSize(of: type, at: array.offset) }
            case .function(let function):
                switch type.kind {
                case .array, .function:
                    throw ParseFailure(message: "a function can't return '\(type)'", offset: declarator.offset)
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
            throw ParseFailure(message: "the array exceeds the address space", offset: offset)
        }
    }
}

extension CType {
    /// The type as a result, whose qualifiers have no meaning. Messages still show the name of a `typedef`.
    fileprivate var unqualifiedResult: CType {
        var type = self
        type.qualifiers.subtract([.const, .volatile, .restrict])
        return type
    }

    /// Returns the type with an obstacle added to the function type that it is, points to, or has as its element.
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

extension Parser {
    /// Parses a parameter list such as `(int count, const char *, ...)`.
    ///
    /// - Returns: A function type whose result is a placeholder.
    private mutating func parseParameters() throws(ParseFailure) -> CFunctionType {
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
        try expect(.rightParenthesis, isVariadic ? "after '...'" : "or ',' after a parameter")
        return CFunctionType(result: .void, parameters: parameters, isVariadic: isVariadic)
    }

    private mutating func parseParameter() throws(ParseFailure) -> CParameter {
        let start = token.offset
        let specifiers = try parseSpecifiers()
        guard specifiers.storage == nil || specifiers.storage == .other, !specifiers.isInline else {
            throw ParseFailure(message: "expected a parameter without 'typedef', 'extern' or 'static'", offset: start)
        }
        let declarator = try parseDeclarator(.either)
        if at(.ampersand) { throw refusal("C++ references are not supported: expected a pointer") }
        let type = try type(specifiers.type, declarator)
        var attributes = specifiers.attributes
        attributes.merge(declarator.attributes)
        if let obstacle = attributes.obstacle {
            return CParameter(name: declarator.name, type: type.adding(obstacle))
        }
        return try adjusted(type, declarator, isNonnull: !attributes.nonnull.isEmpty, at: start)
    }

    /// Returns a parameter with its adjusted type: an array becomes a pointer to its first element, and a function
    /// becomes a function pointer.
    private func adjusted(
        _ type: CType, _ declarator: Declarator, isNonnull: Bool, at start: Int
    ) throws(ParseFailure) -> CParameter {
        switch type.kind {
        case .void:
            throw ParseFailure(message: "expected a parameter with a type, found 'void'", offset: start)
        case .function: return CParameter(name: declarator.name, type: .pointer(to: type), isNonnull: isNonnull)
        case .array(var element, let length):
            var isStatic = false
            var qualifiers: CQualifiers = []
            if case .array(let written)? = declarator.derivations.last {
                isStatic = written.isStatic
                qualifiers = written.qualifiers
            }
            // In `const vector v`, where the typedef is an array, the qualifier applies to the elements.
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
