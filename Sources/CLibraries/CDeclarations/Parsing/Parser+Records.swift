extension Parser {
    /// Parses `struct tag`, `struct tag { … }` or `struct { … }`, or the same with `union`.
    mutating func parseRecord(isUnion: Bool, into specifiers: inout Specifiers) throws(ParseFailure) -> CType {
        let start = token.offset
        advance()
        var attributes = try parseAttributes()
        var tag: String?
        if case .name(let name) = token.kind {
            tag = name
            advance()
            attributes.merge(try parseAttributes())
        }
        specifiers.declaresTag = tag != nil
        guard at(.leftBrace) else {
            guard let tag else { throw failure(expected: "a tag or '{' after '\(isUnion ? "union" : "struct")'") }
            return CType(.record(try record(tag: tag, isUnion: isUnion, at: start)))
        }
        try nest(3)
        defer { nesting -= 3 }
        let record: CRecord
        if let tag {
            record = try self.record(tag: tag, isUnion: isUnion, at: start)
        } else {
            let word = isUnion ? "union" : "struct"
            record = CRecord(
                index: scope.records.count, isUnion: isUnion, tag: nil,
                name: "unnamed \(word) at \(map.place(of: start))", isUnnamed: true)
            scope.records.append((record, nil))
            specifiers.unnamed = record
        }
        guard openRecords.insert(record.index).inserted else {
            throw ParseFailure(message: "\(record.name.shortened) is defined inside itself", offset: start)
        }
        defer { openRecords.remove(record.index) }
        let packing = packing
        advance()
        let body = try parseBody(of: record)
        attributes.merge(try parseAttributes())
        if let unsupported = attributes.unsupported {
            throw ParseFailure(message: unsupported.obstacle.reason, offset: start)
        }
        let layouter = RecordLayouter(
            target: scope.target, isUnion: isUnion, isPacked: attributes.isPacked, packing: packing,
            alignment: attributes.alignment)
        try define(record, body, layouter: layouter, attributes: attributes, at: start)
        return CType(.record(record))
    }

    private mutating func record(tag: String, isUnion: Bool, at offset: Int) throws(ParseFailure) -> CRecord {
        guard let record = scope.record(tag: tag, isUnion: isUnion) else {
            let other: String =
                if case .record(let index)? = scope.tags[tag] { scope.records[index].record.name } else {
                    "enum \(tag)"
                }
            throw alreadyTag(tag, of: other, at: offset)
        }
        return record
    }

    private mutating func parseBody(of record: CRecord) throws(ParseFailure) -> RecordBody {
        var body = RecordBody()
        while !at(.rightBrace) {
            guard token.kind != .end else { throw failure(expected: "'}' to close \(record.name.shortened)") }
            do {
                try parseMember(into: &body, of: record)
            } catch {
                if token.kind == .end { throw error }
                report(error)
                body.obstacle = body.obstacle ?? CObstacle("\(record.name) has an error in its declaration")
                skipMember()
            }
        }
        advance()
        return body
    }

    /// Skips past the next semicolon, or to the closing brace of the record.
    private mutating func skipMember() {
        var braces = 0
        while token.kind != .end {
            switch token.kind {
            case .sign(.leftBrace): braces += 1
            case .sign(.rightBrace):
                if braces == 0 { return }
                braces -= 1
            case .sign(.semicolon) where braces == 0:
                advance()
                return
            default: break
            }
            advance()
        }
    }

    private mutating func parseMember(into body: inout RecordBody, of record: CRecord) throws(ParseFailure) {
        if take(.semicolon) { return }
        if at(.staticAssert) { return try parseStaticAssert() }
        if at(.ellipsis) {
            throw refusal("'...' needs a compiler, which is not used here: list all fields")
        }
        let start = token.offset
        let specifiers = try parseSpecifiers()
        guard specifiers.storage == nil, !specifiers.isInline else {
            throw ParseFailure(message: "expected a field without a storage class", offset: start)
        }
        if at(.semicolon) {
            try addUnnamed(specifiers, to: &body, at: start)
            advance()
            return
        }
        repeat {
            try parseField(specifiers, into: &body, of: record)
        } while take(.comma)
        try expect(.semicolon, "after the field")
    }

    /// Adds an anonymous struct or union, whose fields become fields of the record.
    private mutating func addUnnamed(
        _ specifiers: Specifiers, to body: inout RecordBody, at offset: Int
    ) throws(ParseFailure) {
        guard let unnamed = specifiers.unnamed else {
            if specifiers.declaresTag { return }
            throw failure(expected: "the name of the field")
        }
        for field in scope.definition(of: unnamed)?.namedFields ?? [] {
            try add(field.name ?? "", to: &body, at: offset)
        }
        body.fields.append(
            PendingField(
                name: nil, type: specifiers.type, width: nil, alignment: specifiers.attributes.alignment,
                isPacked: specifiers.attributes.isPacked, offset: offset))
    }

    private func add(_ name: String, to body: inout RecordBody, at offset: Int) throws(ParseFailure) {
        guard body.names.insert(name).inserted else {
            throw ParseFailure(message: "duplicate field '\(name.shortened)'", offset: offset)
        }
    }

    private mutating func parseField(
        _ specifiers: Specifiers, into body: inout RecordBody, of record: CRecord
    ) throws(ParseFailure) {
        var declarator = Declarator(offset: token.offset)
        if !at(.colon) { declarator = try parseDeclarator(.named) }
        if take(.colon) { return try parseBitField(specifiers, declarator, into: &body) }
        var attributes = specifiers.attributes
        attributes.merge(declarator.attributes)
        let type = try type(specifiers.type, declarator).adding(attributes.obstacle)
        let name = declarator.name ?? ""
        var isFlexible = false
        if case .array(let element, length: nil) = type.kind, scope.isComplete(element) { isFlexible = true }
        guard scope.isComplete(type) || isFlexible else {
            let reason: String
            if case .record(let inner) = type.innermostElement.kind {
                let isOpen = openRecords.contains(inner.index)
                reason = isOpen ? "which can't contain itself" : "which is not defined here"
            } else {
                reason = "which has no size"
            }
            throw ParseFailure(
                message: "expected a type with a known size for '\(name.shortened)', found '\(type)', \(reason)",
                offset: declarator.offset)
        }
        guard !body.hasFlexibleArray || record.isUnion else {
            throw ParseFailure(
                message: "the field '\(name.shortened)' can't follow an array without a length",
                offset: declarator.offset)
        }
        try add(name, to: &body, at: declarator.offset)
        body.hasFlexibleArray = body.hasFlexibleArray || isFlexible
        body.fields.append(
            PendingField(
                name: name, type: type, width: nil, alignment: attributes.alignment, isPacked: attributes.isPacked,
                offset: declarator.offset))
    }

    /// Parses the width of a bit-field and what follows it.
    private mutating func parseBitField(
        _ specifiers: Specifiers, _ declarator: Declarator, into body: inout RecordBody
    ) throws(ParseFailure) {
        let width = try parseConstant().value
        var attributes = specifiers.attributes
        attributes.merge(declarator.attributes)
        attributes.merge(try parseAttributes())
        let type = try type(specifiers.type, declarator).adding(attributes.obstacle)
        let name = declarator.name.map { "'\($0.shortened)'" } ?? "a bit-field"
        let limit: Int
        switch type.kind {
        case .scalar(.bool): limit = 1
        case .scalar(let scalar) where scalar.isInteger: limit = scalar.size * 8
        case .enumeration(let enumeration): limit = enumeration.underlying.size * 8
        default:
            throw ParseFailure(
                message: "expected an integer as the type of \(name), found '\(type)'", offset: declarator.offset)
        }
        guard width >= (declarator.name == nil ? 0 : 1), width <= Int128(limit) else {
            throw ParseFailure(
                message: "expected \(declarator.name == nil ? 0 : 1) to \(limit) bits for \(name), found \(width)",
                offset: declarator.offset)
        }
        guard !body.hasFlexibleArray else {
            throw ParseFailure(
                message: "\(name) can't follow an array without a length", offset: declarator.offset)
        }
        if let name = declarator.name { try add(name, to: &body, at: declarator.offset) }
        body.fields.append(
            PendingField(
                name: declarator.name, type: type, width: Int(width), alignment: attributes.alignment,
                isPacked: attributes.isPacked, offset: declarator.offset))
    }

    // MARK: - Definitions

    private mutating func define(
        _ record: CRecord, _ body: RecordBody, layouter: RecordLayouter, attributes: Attributes, at offset: Int
    ) throws(ParseFailure) {
        let builder = DefinitionBuilder(record: record, body: body, layouter: layouter, attributes: attributes)
        let definition = builder.definition(in: scope, at: map.place(of: offset))
        if let before = scope.definition(of: record) {
            // Allow an identical redefinition, because a header may be passed twice.
            guard before.isSame(as: definition) else {
                throw ParseFailure(
                    message: "\(record.name.shortened) is already defined differently at \(before.place)",
                    offset: offset)
            }
            return
        }
        scope.records[record.index].definition = definition
    }
}
