/// The declaration specifiers, which precede the names of a declaration.
struct Specifiers {
    enum Storage {
        case typedef, `extern`, `static`, other
    }

    var type: CType
    var storage: Storage?
    var isInline = false
    var attributes = Attributes()
    /// The struct or union that the specifiers define without a tag; a typedef may name it.
    var unnamed: CRecord?
    /// Whether the specifiers define an enum without a tag.
    var unnamedEnumeration = false
    /// Whether the specifiers declare something without a declarator: a tag, or the constants of an enum.
    var declaresTag = false
}

extension Parser {
    /// Returns whether a type can begin with this token.
    mutating func startsType(_ token: Token) -> Bool {
        switch token.kind {
        case .name(let name): scope.type(named: name) != nil
        case .keyword(let keyword):
            switch keyword {
            case .void, .char, .short, .int, .long, .float, .double, .signed, .unsigned, .bool, .complex, .imaginary,
                .int128, .bitInt, .struct, .union, .enum, .const, .volatile, .restrict, .atomic, .typeof:
                true
            default: false
            }
        default: false
        }
    }

    /// Returns whether a declaration probably begins with this token, for recovery after an error.
    mutating func startsDeclaration(_ token: Token) -> Bool {
        switch token.kind {
        case .keyword(.typedef), .keyword(.extern), .keyword(.static), .keyword(.inline), .keyword(.extension),
            .keyword(.noreturn), .keyword(.staticAssert):
            true
        default: startsType(token)
        }
    }

    /// Parses the specifiers of a declaration: `const unsigned char`, `typedef struct { … }`, `static inline int`.
    mutating func parseSpecifiers() throws(ParseFailure) -> Specifiers {
        var specifiers = Specifiers(type: .void)
        var words = ArithmeticWords()
        var type: CType?
        var qualifiers: CQualifiers = []
        var isAtomic = false
        let start = token.offset
        loop: while true {
            if try parseAttribute(into: &specifiers.attributes) { continue }
            switch token.kind {
            case .name(let name) where type == nil && words.isEmpty:
                guard let named = scope.type(named: name) else { break loop }
                type = named
                advance()
            case .keyword(let keyword):
                if let qualifier = CQualifiers(keyword) {
                    qualifiers.insert(qualifier)
                    advance()
                } else if try parseStorage(keyword, into: &specifiers) {
                    continue
                } else if keyword == .atomic {
                    isAtomic = true
                    advance()
                    if at(.leftParenthesis) {
                        guard type == nil, words.isEmpty else { throw failure(expected: "only one type") }
                        advance()
                        type = try parseTypeName()
                        try expect(.rightParenthesis, "after the type")
                    }
                } else if keyword.isArithmetic {
                    guard type == nil else { throw failure(expected: "a name after the type") }
                    words.add(keyword)
                    advance()
                } else if [.struct, .union, .enum, .bitInt, .typeof].contains(keyword) {
                    guard type == nil, words.isEmpty else { throw failure(expected: "a name after the type") }
                    type = try parseTypeSpecifier(keyword, into: &specifiers)
                } else {
                    break loop
                }
            default: break loop
            }
        }
        if type == nil, !words.isEmpty {
            guard let arithmetic = words.type() else {
                throw ParseFailure(message: "'\(words.text)' is not a type", offset: start)
            }
            type = arithmetic
        }
        guard var found = type else {
            if case .name(let name) = token.kind {
                throw ParseFailure(
                    message: "expected a type, found '\(name.shortened)', which is not a declared type",
                    offset: token.offset)
            }
            throw failure(expected: "a type")
        }
        if let unsupported = specifiers.attributes.unsupported {
            specifiers.attributes.unsupported = nil
            found = Parser.replaced(found, by: unsupported)
        }
        if isAtomic { found = atomic(found) }
        found.qualifiers.formUnion(qualifiers)
        specifiers.type = found
        return specifiers
    }

    /// Returns the unsupported type that an attribute creates from `type`.
    static func replaced(_ type: CType, by unsupported: UnsupportedType) -> CType {
        let name = "\(type) \(unsupported.name)"
        return CType(.unsupported(UnsupportedType(name, reason: unsupported.obstacle.reason)))
    }

    /// Returns the atomic variant of a type. Its layout is known only for sizes that the CPU can access atomically.
    private func atomic(_ type: CType) -> CType {
        var layout: CLayout?
        if let plain = try? scope.layout(of: type), [1, 2, 4, 8, 16].contains(plain.size) {
            layout = CLayout(size: plain.size, alignment: plain.size)
        }
        return CType(.unsupported(.notPassed("_Atomic(\(type.unqualified))", layout)))
    }

    /// Parses a storage class or `inline`.
    ///
    /// - Returns: Whether the keyword was one of these.
    private mutating func parseStorage(
        _ keyword: Keyword, into specifiers: inout Specifiers
    ) throws(ParseFailure) -> Bool {
        let storage: Specifiers.Storage
        switch keyword {
        case .inline:
            specifiers.isInline = true
            advance()
            return true
        case .typedef: storage = .typedef
        case .extern: storage = .extern
        case .static: storage = .static
        case .register, .threadLocal: storage = .other
        default: return false
        }
        if storage != .other {
            guard specifiers.storage == nil || specifiers.storage == .other else {
                throw failure(expected: "only one of 'typedef', 'extern' and 'static'")
            }
            specifiers.storage = storage
        }
        advance()
        return true
    }

    private mutating func parseTypeSpecifier(
        _ keyword: Keyword, into specifiers: inout Specifiers
    ) throws(ParseFailure) -> CType {
        switch keyword {
        case .struct, .union: return try parseRecord(isUnion: keyword == .union, into: &specifiers)
        case .enum: return try parseEnumeration(into: &specifiers)
        case .bitInt:
            advance()
            try expect(.leftParenthesis)
            let bits = try parseConstant().value
            try expect(.rightParenthesis)
            return CType(.unsupported(.notPassed("_BitInt(\(bits))", nil)))
        default: throw refusal("'typeof' is not supported: write the type itself")
        }
    }

    /// Parses a type without a declared name, as in `sizeof`, a cast or `_Atomic(…)`.
    mutating func parseTypeName() throws(ParseFailure) -> CType {
        try nest(2)
        defer { nesting -= 2 }
        let offset = token.offset
        let specifiers = try parseSpecifiers()
        guard specifiers.storage == nil else {
            throw ParseFailure(
                message: "expected the name of a type without 'typedef', 'extern' or 'static'", offset: offset)
        }
        let declarator = try parseDeclarator(.unnamed)
        return try type(specifiers.type, declarator)
    }
}

extension CQualifiers {
    init?(_ keyword: Keyword) {
        switch keyword {
        case .const: self = .const
        case .volatile: self = .volatile
        case .restrict: self = .restrict
        case .nonnull: self = .nonnull
        case .nullable: self = .nullable
        case .nullUnspecified: self = []
        default: return nil
        }
    }
}

extension Keyword {
    /// Whether the keyword can be part of the name of `void` or of an arithmetic type.
    fileprivate var isArithmetic: Bool {
        switch self {
        case .void, .char, .short, .int, .long, .float, .double, .signed, .unsigned, .bool, .complex, .imaginary,
            .int128:
            true
        default: false
        }
    }
}

/// The keywords that name `void` or an arithmetic type, which C allows in any order.
private struct ArithmeticWords {
    private var counts: [Keyword: Int] = [:]

    /// The keywords as written, limited to what fits into a message.
    private(set) var text = ""

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ word: Keyword) {
        if text.utf8.count < 60 { text += (text.isEmpty ? "" : " ") + word.rawValue }
        counts[word, default: 0] += 1
    }

    func contains(_ word: Keyword) -> Bool { counts[word] != nil }

    /// Returns the type that the keywords name, or nil if they name none.
    func type() -> CType? {
        guard counts.allSatisfy({ $0.value == 1 || ($0.key == .long && $0.value == 2) }) else { return nil }
        let longs = counts[.long] ?? 0
        let isUnsigned = contains(.unsigned)
        let isSigned = contains(.signed)
        if isUnsigned && isSigned { return nil }
        var words = counts
        for word in [Keyword.long, .signed, .unsigned, .int] { words[word] = nil }
        let hasIntegerWord = isSigned || isUnsigned || contains(.int)
        if words.isEmpty {
            let scalar: CScalar =
                switch (longs, isUnsigned) {
                case (0, false): .int
                case (0, true): .unsignedInt
                case (1, false): .long
                case (1, true): .unsignedLong
                case (_, false): .longLong
                case (_, true): .unsignedLongLong
                }
            return .scalar(scalar)
        }
        if contains(.complex) || contains(.imaginary) {
            words[.complex] = nil
            guard !hasIntegerWord, words.keys.allSatisfy({ $0 == .float || $0 == .double }), words.count <= 1,
                longs == 0 || (longs == 1 && !contains(.float)), !contains(.imaginary)
            else { return nil }
            let scalar: CScalar = contains(.float) ? .float : longs == 1 ? .longDouble : .double
            let layout = CLayout(size: scalar.size * 2, alignment: scalar.size)
            return CType(.unsupported(.notPassed("\(scalar.rawValue) _Complex", layout)))
        }
        guard words.count == 1, let word = words.keys.first else { return nil }
        let hasSign = isSigned || isUnsigned
        switch word {
        case .char where longs == 0 && !contains(.int):
            return .scalar(isUnsigned ? .unsignedChar : isSigned ? .signedChar : .char)
        case .short where longs == 0: return .scalar(isUnsigned ? .unsignedShort : .short)
        case .void where longs == 0 && !hasIntegerWord: return .void
        case .bool where longs == 0 && !hasIntegerWord: return .scalar(.bool)
        case .float where longs == 0 && !hasIntegerWord: return .scalar(.float)
        case .double where longs <= 1 && !hasIntegerWord: return .scalar(longs == 1 ? .longDouble : .double)
        case .int128 where longs == 0 && !contains(.int):
            let name = (isUnsigned && hasSign ? "unsigned " : "") + "__int128"
            return CType(.unsupported(.notPassed(name, CLayout(size: 16, alignment: 16))))
        default: return nil
        }
    }
}
