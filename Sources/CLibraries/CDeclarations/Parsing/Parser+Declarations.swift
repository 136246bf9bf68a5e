extension Parser {
    /// Parses one top-level declaration with all its names.
    mutating func parseDeclaration() throws(ParseFailure) {
        nesting = 0
        parameterLists = 0
        if take(.semicolon) { return }
        if openLinkages > 0, take(.rightBrace) {
            openLinkages -= 1
            return
        }
        if at(.staticAssert) { return try parseStaticAssert() }
        if at(.extern), case .string = peek() {
            advance()
            advance()
            if take(.leftBrace) { openLinkages += 1 }
            return
        }
        let start = token.offset
        var specifiers = try parseSpecifiers()
        if take(.semicolon) {
            if specifiers.declaresTag || specifiers.unnamedEnumeration { return }
            throw ParseFailure(message: "expected a name or a tag, found only a type", offset: start)
        }
        repeat {
            let declarator = try parseDeclarator(.named)
            if try declare(declarator, &specifiers) { return }
        } while take(.comma)
        guard !take(.semicolon) else { return }
        var failure = failure(expected: "';' or ',' after the declaration")
        failure.isMissingSemicolon = true
        throw failure
    }

    /// Parses `_Static_assert(condition, "reason");`.
    mutating func parseStaticAssert() throws(ParseFailure) {
        let start = token.offset
        advance()
        try expect(.leftParenthesis)
        let isTrue = try parseConstant().value != 0
        var reason = ""
        if take(.comma) {
            guard case .string(let text) = token.kind else { throw failure(expected: "the reason in quotes") }
            reason = text.isEmpty ? "" : ": \(text.shortened)"
            advance()
        }
        try expect(.rightParenthesis)
        try expect(.semicolon)
        guard isTrue else { throw ParseFailure(message: "the assertion failed\(reason)", offset: start) }
    }

    /// Adds the declared name to the scope.
    ///
    /// - Returns: Whether the declaration ended with the body of a function.
    private mutating func declare(
        _ declarator: Declarator, _ specifiers: inout Specifiers
    ) throws(ParseFailure) -> Bool {
        var attributes = specifiers.attributes
        attributes.merge(declarator.attributes)
        if specifiers.storage == .typedef {
            try addTypedef(declarator, &specifiers, attributes: attributes)
            return false
        }
        let type = try type(specifiers.type, declarator).adding(attributes.obstacle)
        if case .function(var function) = type.kind {
            function.parameters = attributes.marking(function.parameters)
            try addFunction(declarator, function, specifiers: specifiers, attributes: attributes)
            guard at(.leftBrace) else { return false }
            try skipBalanced()
            return true
        }
        try addVariable(declarator, type, specifiers: specifiers, attributes: attributes)
        return false
    }

    private mutating func addTypedef(
        _ declarator: Declarator, _ specifiers: inout Specifiers, attributes: Attributes
    ) throws(ParseFailure) {
        if attributes.isPacked {
            throw ParseFailure(
                message: "'packed' has no effect here: put it after the '}' of the struct",
                offset: declarator.offset)
        }
        let name = declarator.name ?? ""
        if declarator.derivations.isEmpty { nameUnnamed(&specifiers, name) }
        var type = try type(specifiers.type, declarator).adding(attributes.obstacle)
        if let alignment = attributes.alignment {
            let reason = "the attribute 'aligned(\(alignment))' of a typedef is not supported"
            type = CType(.unsupported(UnsupportedType(name, reason: reason)))
        }
        if attributes.isTransparentUnion {
            let layout = try? scope.layout(of: type)
            type = CType(.unsupported(UnsupportedType(name, reason: "\(name) is a transparent union", layout: layout)))
        }
        if case .function(var function) = type.kind {
            function.parameters = attributes.marking(function.parameters)
            type = CType(.function(function), qualifiers: type.qualifiers)
        }
        if let meaning = scope.meanings[name] {
            guard case .typedef(let index) = meaning, scope.typedefs[index].type == type else {
                throw alreadyDeclared(name, meaning, at: declarator.offset, advice: ", or declare the same type")
            }
            return
        }
        scope.meanings[name] = .typedef(scope.typedefs.count)
        scope.typedefs.append(CTypedef(name: name, type: type, place: map.place(of: declarator.offset)))
    }

    /// Names a struct or enum without a tag after its typedef.
    private mutating func nameUnnamed(_ specifiers: inout Specifiers, _ name: String) {
        if let unnamed = specifiers.unnamed {
            let record = CRecord(index: unnamed.index, isUnion: unnamed.isUnion, tag: nil, name: name)
            scope.records[record.index].record = record
            if let definition = scope.records[record.index].definition {
                scope.records[record.index].definition = definition.renamed(record)
            }
            specifiers.type = CType(.record(record), qualifiers: specifiers.type.qualifiers)
            specifiers.unnamed = nil
        } else if specifiers.unnamedEnumeration, case .enumeration(let old) = specifiers.type.kind {
            let enumeration = CEnumeration(
                index: old.index, name: name, tag: nil, underlying: old.underlying, constants: old.constants)
            specifiers.type = CType(.enumeration(enumeration), qualifiers: specifiers.type.qualifiers)
            specifiers.unnamedEnumeration = false
        }
    }

    private mutating func addFunction(
        _ declarator: Declarator, _ type: CFunctionType, specifiers: Specifiers, attributes: Attributes
    ) throws(ParseFailure) {
        let name = declarator.name ?? ""
        var obstacle = type.obstacle
        if specifiers.storage == .static { obstacle = CObstacle("a static function has no symbol") }
        if specifiers.isInline, specifiers.storage == nil { obstacle = CObstacle("an inline function has no symbol") }
        let function = CFunction(
            name: name, symbol: attributes.symbol ?? name, type: type, place: map.place(of: declarator.offset),
            obstacle: obstacle)
        guard let meaning = scope.meanings[name] else {
            scope.meanings[name] = .function(scope.functions.count)
            scope.functions.append(function)
            return
        }
        guard case .function(let index) = meaning else {
            throw alreadyDeclared(name, meaning, at: declarator.offset)
        }
        let before = scope.functions[index]
        if before.type.hasPrototype != type.hasPrototype, before.type.result == type.result {
            if type.hasPrototype { scope.functions[index] = function }
        } else if before.type != type {
            // Either declaration may be the wrong one, and a call with a wrong signature can crash.
            let reason = "it is declared differently at \(before.place) and \(function.place)"
            scope.functions[index] = before.with(CObstacle(reason))
            throw ParseFailure(
                message: "expected '\(before)' as declared at \(before.place), found '\(function)'",
                offset: declarator.offset)
        } else if before.symbol == before.name, function.symbol != name {
            scope.functions[index] = function
        }
    }

    private mutating func addVariable(
        _ declarator: Declarator, _ type: CType, specifiers: Specifiers, attributes: Attributes
    ) throws(ParseFailure) {
        let name = declarator.name ?? ""
        if type.kind == .void {
            throw ParseFailure(message: "a variable can't have type 'void'", offset: declarator.offset)
        }
        if take(.assign) {
            // As in cffi, a constant integer is a name for its value.
            guard specifiers.storage == .static, type.isConst, case .scalar(let scalar) = type.kind, scalar.isInteger
            else { throw refusal("an initialiser is not allowed here: only 'static const' integers can have one") }
            let value = try parseConstant().converted(to: scalar, on: scope.target)
            return try define(CConstant(name: name, value: value.value, type: scalar), at: declarator.offset)
        }
        if let meaning = scope.meanings[name] {
            guard case .variable(let index) = meaning, scope.variables[index].type == type else {
                throw alreadyDeclared(name, meaning, at: declarator.offset)
            }
            return
        }
        scope.meanings[name] = .variable(scope.variables.count)
        scope.variables.append(
            CVariable(
                name: name, symbol: attributes.symbol ?? name, type: type, place: map.place(of: declarator.offset)))
    }
}

extension RecordDefinition {
    fileprivate func renamed(_ record: CRecord) -> RecordDefinition {
        RecordDefinition(
            record: record, fields: fields, layout: layout, isNatural: isNatural, hasFlexibleArray: hasFlexibleArray,
            obstacle: obstacle, place: place, namedFields: namedFields)
    }
}
