extension Parser {
    /// Parses `enum tag`, `enum tag { … }` or `enum tag : type { … }`.
    mutating func parseEnumeration(into specifiers: inout Specifiers) throws(ParseFailure) -> CType {
        let start = token.offset
        advance()
        var attributes = try parseAttributes()
        var tag: String?
        if case .name(let name) = token.kind {
            tag = name
            advance()
        }
        specifiers.declaresTag = true
        var fixed: CScalar?
        if at(.colon), index + 1 < tokens.count, startsType(tokens[index + 1]) {
            advance()
            let offset = token.offset
            let type = try parseTypeName()
            guard case .scalar(let scalar) = type.kind, scalar.isInteger else {
                throw ParseFailure(message: "expected an integer type, found '\(type)'", offset: offset)
            }
            fixed = scalar
        }
        guard at(.leftBrace) else {
            guard let tag else { throw failure(expected: "a tag or '{' after 'enum'") }
            return try enumeration(tag: tag, at: start)
        }
        try nest(2)
        defer { nesting -= 2 }
        if let tag, scope.tags[tag] == nil { scope.tags[tag] = .undefinedEnumeration }
        advance()
        let constants = try parseEnumerators(fixed)
        attributes.merge(try parseAttributes())
        let underlying: CScalar
        if let fixed {
            underlying = fixed
        } else {
            underlying = try Parser.underlyingType(of: constants, isPacked: attributes.isPacked, at: start)
        }
        specifiers.unnamedEnumeration = tag == nil
        return try define(tag: tag, underlying, constants, at: start)
    }

    /// Returns the enumeration with this tag, or an undefined one if it has no definition yet.
    private mutating func enumeration(tag: String, at offset: Int) throws(ParseFailure) -> CType {
        switch scope.tags[tag] {
        case .enumeration(let enumeration): return CType(.enumeration(enumeration))
        case .undefinedEnumeration: break
        case .record(let index):
            throw alreadyTag(tag, of: scope.records[index].record.name, at: offset)
        case nil: scope.tags[tag] = .undefinedEnumeration
        }
        return CType(.unsupported(.undefinedEnumeration(tag)))
    }

    private mutating func parseEnumerators(_ fixed: CScalar?) throws(ParseFailure) -> [CConstant] {
        var constants: [CConstant] = []
        var next = IntegerValue(0, .int)
        while !at(.rightBrace) {
            if at(.ellipsis) {
                throw refusal("'...' needs a compiler, which is not used here: list all constants")
            }
            guard case .name(let name) = token.kind else { throw failure(expected: "the name of a constant or '}'") }
            let offset = token.offset
            advance()
            _ = try parseAttributes()
            if take(.assign) { next = try parseConstant() }
            guard let value = next else {
                throw ParseFailure(
                    message: "the value of '\(name.shortened)' does not fit into any integer type", offset: offset)
            }
            let constant = CConstant(name: name, value: value.value, type: fixed ?? value.type)
            try define(constant, at: offset)
            constants.append(constant)
            next = Parser.successor(of: value)
            if !at(.rightBrace) { try expect(.comma, "or '}' after a constant") }
        }
        try expect(.rightBrace)
        return constants
    }

    /// Returns the value plus one, in a larger type if necessary; nil if no type can represent it.
    private static func successor(of value: IntegerValue) -> IntegerValue? {
        let types: [CScalar] = [.int, .unsignedInt, .long, .unsignedLong]
        let next = value.value + 1
        let type = types.first { IntegerValue.range(of: $0).contains(next) && $0.size >= min(value.type.size, 8) }
        return type.flatMap { IntegerValue(next, $0) }
    }

    /// Returns the underlying type that gcc and clang choose for these constants.
    private static func underlyingType(
        of constants: [CConstant], isPacked: Bool, at offset: Int
    ) throws(ParseFailure) -> CScalar {
        let low = constants.map(\.value).min() ?? 0
        let high = constants.map(\.value).max() ?? 0
        var types: [CScalar] =
            low < 0
            ? [.signedChar, .short, .int, .long] : [.unsignedChar, .unsignedShort, .unsignedInt, .unsignedLong]
        if !isPacked { types.removeFirst(2) }
        let found = types.first { type in
            let bits = Int128(1) << Int128(type.size * 8 - (low < 0 ? 1 : 0))
            return high < bits && low >= (low < 0 ? -bits : 0)
        }
        guard let found else {
            throw ParseFailure(message: "no integer type can represent all these constants", offset: offset)
        }
        return found
    }

    private mutating func define(
        tag: String?, _ underlying: CScalar, _ constants: [CConstant], at offset: Int
    ) throws(ParseFailure) -> CType {
        let enumeration = CEnumeration(
            index: scope.enumerationCount, name: tag.map { "enum \($0)" } ?? "unnamed enum at \(map.place(of: offset))",
            tag: tag, underlying: underlying, constants: constants)
        guard let tag else {
            scope.enumerationCount += 1
            return CType(.enumeration(enumeration))
        }
        switch scope.tags[tag] {
        case .enumeration(let before):
            let isSame = before.underlying == underlying && before.constants == constants
            guard isSame else {
                throw ParseFailure(message: "enum \(tag.shortened) is already defined differently", offset: offset)
            }
            return CType(.enumeration(before))
        case .record(let index):
            throw alreadyTag(tag, of: scope.records[index].record.name, at: offset)
        case .undefinedEnumeration, nil:
            scope.enumerationCount += 1
            scope.tags[tag] = .enumeration(enumeration)
            return CType(.enumeration(enumeration))
        }
    }
}
