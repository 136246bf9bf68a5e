/// The attributes that affect calls and layout.
struct Attributes {
    /// The parameters that must not be null: all of them, or those at these positions, counted from 1.
    enum Nonnull {
        case all
        case places([Int])
    }

    /// The largest alignment that any `aligned` or `_Alignas` requests, in bytes.
    var alignment: Int?
    var isPacked = false
    /// The symbol from `__asm__("name")`.
    var symbol: String?
    /// The obstacle that an unsupported calling convention causes.
    var obstacle: CObstacle?
    /// The type that an attribute such as `vector_size(16)` creates, whose values can't be passed.
    var unsupported: UnsupportedType?
    var isTransparentUnion = false
    var nonnull: [Nonnull] = []

    mutating func merge(_ other: Attributes) {
        if let alignment = other.alignment { align(alignment) }
        isPacked = isPacked || other.isPacked
        symbol = other.symbol ?? symbol
        obstacle = obstacle ?? other.obstacle
        unsupported = unsupported ?? other.unsupported
        isTransparentUnion = isTransparentUnion || other.isTransparentUnion
        nonnull += other.nonnull
    }

    mutating func align(_ bytes: Int) { alignment = max(alignment ?? 0, bytes) }

    /// Returns the parameters, marked as nonnull where an attribute forbids null.
    func marking(_ parameters: [CParameter]) -> [CParameter] {
        var marked = parameters
        for nonnull in nonnull {
            switch nonnull {
            case .all:
                for index in marked.indices where marked[index].type.pointee != nil { marked[index].isNonnull = true }
            case .places(let places):
                for place in places where marked.indices.contains(place - 1) { marked[place - 1].isNonnull = true }
            }
        }
        return marked
    }
}

extension Parser {
    /// Parses all attributes at the current token, in any spelling, including `__asm__` and `__extension__`.
    mutating func parseAttributes() throws(ParseFailure) -> Attributes {
        var attributes = Attributes()
        while try parseAttribute(into: &attributes) {}
        return attributes
    }

    /// Parses one attribute.
    ///
    /// - Returns: Whether an attribute was found.
    mutating func parseAttribute(into attributes: inout Attributes) throws(ParseFailure) -> Bool {
        switch token.kind {
        case .keyword(.extension), .keyword(.noreturn):
            advance()
        case .keyword(.attribute):
            advance()
            try expect(.leftParenthesis)
            try expect(.leftParenthesis)
            try parseAttributeList(into: &attributes, end: .rightParenthesis)
            try expect(.rightParenthesis)
            try expect(.rightParenthesis)
        case .sign(.leftBracket) where peek() == .sign(.leftBracket):
            advance()
            advance()
            try parseAttributeList(into: &attributes, end: .rightBracket)
            try expect(.rightBracket)
            try expect(.rightBracket)
        case .keyword(.asm):
            try parseSymbol(into: &attributes)
        case .keyword(.alignas):
            try parseAlignas(into: &attributes)
        case .keyword(.declspec):
            advance()
            guard at(.leftParenthesis) else { throw failure(expected: "'('") }
            try skipBalanced()
        default: return false
        }
        return true
    }

    /// Parses `__asm__("name")`, which specifies the linker symbol.
    private mutating func parseSymbol(into attributes: inout Attributes) throws(ParseFailure) {
        advance()
        try expect(.leftParenthesis)
        guard case .string = token.kind else { throw failure(expected: "the name of a symbol in quotes") }
        let offset = token.offset
        var symbol = ""
        while case .string(let text) = token.kind {
            symbol += text
            advance()
        }
        guard !symbol.isEmpty, symbol.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw ParseFailure(message: "expected the name of a symbol, without spaces", offset: offset)
        }
        try expect(.rightParenthesis)
        attributes.symbol = symbol
    }

    private mutating func parseAlignas(into attributes: inout Attributes) throws(ParseFailure) {
        advance()
        try expect(.leftParenthesis)
        let offset = token.offset
        if startsType(token) {
            let type = try parseTypeName()
            do {
                attributes.align(try scope.layout(of: type).alignment)
            } catch {
                throw ParseFailure(message: "_Alignas can't be evaluated: \(error.reason)", offset: offset)
            }
        } else {
            let value = try parseConstant().value
            if value != 0 { attributes.align(try alignment(value, at: offset)) }
        }
        try expect(.rightParenthesis)
    }

    private func alignment(_ value: Int128, at offset: Int) throws(ParseFailure) -> Int {
        guard value > 0, value <= 1 << 28, value & (value - 1) == 0 else {
            throw ParseFailure(
                message: "expected a power of two up to 2^28 as alignment, found \(value)", offset: offset)
        }
        return Int(value)
    }

    private mutating func parseAttributeList(
        into attributes: inout Attributes, end: Sign
    ) throws(ParseFailure) {
        while !at(end) {
            if take(.comma) { continue }
            let offset = token.offset
            var name = try attributeWord()
            while at(.colon), peek() == .sign(.colon) {
                advance()
                advance()
                name = try attributeWord()
            }
            try apply(name, at: offset, to: &attributes)
            if !at(.comma) && !at(end) { throw failure(expected: "',' or '\(end.rawValue)' after an attribute") }
        }
    }

    /// Parses the name of an attribute and removes the underscores around it.
    private mutating func attributeWord() throws(ParseFailure) -> String {
        let word: String
        switch token.kind {
        case .name(let name): word = name
        case .keyword(let keyword): word = keyword.rawValue
        default: throw failure(expected: "the name of an attribute")
        }
        advance()
        guard word.utf8.count > 4, word.hasPrefix("__"), word.hasSuffix("__") else { return word }
        return String(word.dropFirst(2).dropLast(2))
    }

    /// Applies an attribute that affects layout or calls. All others matter only to compilers and are skipped.
    private mutating func apply(
        _ name: String, at offset: Int, to attributes: inout Attributes
    ) throws(ParseFailure) {
        switch name {
        case "packed": attributes.isPacked = true
        case "transparent_union": attributes.isTransparentUnion = true
        case "aligned":
            guard take(.leftParenthesis) else { return attributes.align(16) }
            let place = token.offset
            attributes.align(try alignment(try parseConstant().value, at: place))
            try expect(.rightParenthesis)
            return
        case "nonnull":
            guard take(.leftParenthesis) else { return attributes.nonnull.append(.all) }
            var places: [Int] = []
            while !at(.rightParenthesis) {
                places.append(Int(clamping: try parseConstant().value))
                if !take(.comma) { break }
            }
            try expect(.rightParenthesis)
            attributes.nonnull.append(places.isEmpty ? .all : .places(places))
            return
        case "vector_size", "ext_vector_type", "neon_vector_type", "neon_polyvector_type", "mode", "matrix_type",
            "scalar_storage_order", "address_space", "ms_struct":
            attributes.unsupported = UnsupportedType(
                "with the attribute '\(name)'", reason: "types with the attribute '\(name)' are not supported")
        case "ms_abi", "regparm", "stdcall", "fastcall", "thiscall", "vectorcall", "pascal", "regcall", "swiftcall",
            "swiftasynccall", "preserve_most", "preserve_all", "preserve_none", "aarch64_vector_pcs",
            "aarch64_sve_pcs", "sseregparm", "pcs":
            attributes.obstacle = CObstacle("its calling convention '\(name)' is not supported")
        default: break
        }
        if at(.leftParenthesis) { try skipBalanced() }
    }
}
