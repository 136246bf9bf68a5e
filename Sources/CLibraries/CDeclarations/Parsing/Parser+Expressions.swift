extension Parser {
    /// Parses and evaluates an integer constant expression.
    mutating func parseConstant() throws(ParseFailure) -> IntegerValue {
        try nest()
        defer { nesting -= 1 }
        let condition = try parseBinary(0)
        guard take(.question) else { return condition }
        let whenTrue = try parseConstant()
        try expect(.colon, "to match '?'")
        let whenFalse = try parseConstant()
        let type = IntegerValue.common(whenTrue.type, whenFalse.type)
        return (condition.value != 0 ? whenTrue : whenFalse).converted(to: type, on: scope.target)
    }

    private static func precedence(_ sign: Sign) -> Int? {
        switch sign {
        case .or: 1
        case .and: 2
        case .bar: 3
        case .caret: 4
        case .ampersand: 5
        case .equal, .notEqual: 6
        case .less, .lessOrEqual, .greater, .greaterOrEqual: 7
        case .shiftLeft, .shiftRight: 8
        case .plus, .minus: 9
        case .star, .slash, .percent: 10
        default: nil
        }
    }

    private mutating func parseBinary(_ least: Int) throws(ParseFailure) -> IntegerValue {
        var left = try parseUnary()
        while case .sign(let sign) = token.kind, let precedence = Parser.precedence(sign), precedence > least {
            let offset = token.offset
            advance()
            let right = try parseBinary(precedence)
            guard let value = Arithmetic.apply(sign, to: left, and: right) else {
                throw ParseFailure(
                    message: "\(left.value) \(sign.rawValue) \(right.value) is undefined in C", offset: offset)
            }
            left = value
        }
        return left
    }

    private mutating func parseUnary() throws(ParseFailure) -> IntegerValue {
        try nest()
        defer { nesting -= 1 }
        let first = token
        switch first.kind {
        case .sign(.plus):
            advance()
            return try parseUnary().promoted
        case .sign(.minus), .sign(.tilde):
            advance()
            let value = try parseUnary()
            let result = first.kind == .sign(.minus) ? -value.value : ~value.value
            guard let negated = IntegerValue(result, value.type) else {
                throw ParseFailure(message: "-(\(value.value)) is undefined in C", offset: first.offset)
            }
            return negated
        case .sign(.exclamation):
            advance()
            return IntegerValue(try parseUnary().value == 0)
        case .keyword(.sizeof), .keyword(.alignof):
            return try parseMeasure()
        case .sign(.leftParenthesis):
            advance()
            guard startsType(token) else {
                let value = try parseConstant()
                try expect(.rightParenthesis)
                return value
            }
            let type = try parseTypeName()
            try expect(.rightParenthesis, "after the type")
            let value = try parseUnary()
            return try cast(value, to: type, at: first.offset)
        default: return try parsePrimary()
        }
    }

    mutating func parsePrimary() throws(ParseFailure) -> IntegerValue {
        let first = token
        switch first.kind {
        case .number(let text):
            guard let value = IntegerLiteral.value(text) else {
                throw failure(expected: "an integer of at most 64 bits")
            }
            advance()
            return value
        case .character(let code):
            advance()
            let value = IntegerValue(Int128(code), .int) ?? IntegerValue(false)
            // In C a character constant has type int.
            return value.converted(to: .char, on: scope.target).promoted
        case .name(let name):
            guard let constant = scope.constant(named: name) else {
                throw ParseFailure(
                    message: "expected an integer, found \(first.text), which is not a known constant",
                    offset: first.offset, isUnknownName: true)
            }
            advance()
            return IntegerValue(constant.value, constant.type) ?? IntegerValue(false)
        case .sign(.ellipsis):
            throw refusal("'...' needs a compiler, which is not used here: write the integer")
        default: throw failure(expected: "an integer")
        }
    }

    private func cast(_ value: IntegerValue, to type: CType, at offset: Int) throws(ParseFailure) -> IntegerValue {
        switch type.kind {
        case .scalar(let scalar) where scalar.isInteger: return value.converted(to: scalar, on: scope.target)
        case .enumeration(let enumeration): return value.converted(to: enumeration.underlying, on: scope.target)
        default:
            throw ParseFailure(message: "expected an integer type in a cast, found '\(type)'", offset: offset)
        }
    }

    /// Parses `sizeof` or `_Alignof` with a type or an integer expression.
    private mutating func parseMeasure() throws(ParseFailure) -> IntegerValue {
        let word = token
        advance()
        let type: CType
        if at(.leftParenthesis), index + 1 < tokens.count, startsType(tokens[index + 1]) {
            advance()
            type = try parseTypeName()
            try expect(.rightParenthesis, "after the type")
        } else {
            let value = try parseUnary()
            type = .scalar(value.unpromoted ?? value.type)
        }
        let layout: CLayout
        do {
            layout = try scope.layout(of: type)
        } catch {
            throw ParseFailure(message: "\(word.text) can't be evaluated: \(error.reason)", offset: word.offset)
        }
        let value = word.kind == .keyword(.sizeof) ? layout.size : layout.alignment
        return IntegerValue(Int128(value), .unsignedLong) ?? IntegerValue(false)
    }
}
