import ComponentKit

extension AnnotationTokens {
    /// Reads a formula; what follows it is the current token.
    mutating func formula(depth: Int = 0) throws(PayloadError) -> Formula {
        var formula = try product(depth)
        while true {
            switch token {
            case .mark("+"):
                try advance()
                formula = .sum(formula, try product(depth))
            case .mark("-"):
                try advance()
                formula = .difference(formula, try product(depth))
            default: return formula
            }
        }
    }

    private mutating func product(_ depth: Int) throws(PayloadError) -> Formula {
        var formula = try factor(depth)
        while token == .mark("*") {
            try advance()
            formula = .product(formula, try factor(depth))
        }
        return formula
    }

    private static let maximumDepth = 16
    /// Formulas are computed recursively.
    private static let maximumFactors = 64

    private mutating func factor(_ depth: Int) throws(PayloadError) -> Formula {
        guard depth < AnnotationTokens.maximumDepth else {
            throw PayloadError(expected: "at most \(AnnotationTokens.maximumDepth) levels", found: "more")
        }
        factorCount += 1
        guard factorCount <= AnnotationTokens.maximumFactors else {
            throw PayloadError(expected: "at most \(AnnotationTokens.maximumFactors) numbers and names", found: "more")
        }
        let first = token
        try advance()
        switch first {
        case .number(let number): return .number(number)
        case .text(let text): return .text(text)
        case .mark("-"):
            if case .number(let number) = token {
                try advance()
                return .number(-number)
            }
            return .difference(.number(0), try factor(depth + 1))
        case .mark("("):
            let inner = try formula(depth: depth + 1)
            try expect(")")
            return inner
        case .name("sizeof"):
            guard token == .mark("(") else { throw PayloadError(expected: "\"(\"", found: token.words) }
            try advance()
            return .sizeOf(try rawUntilClosed())
        case .name(let name):
            guard token == .mark("(") else { return .name(name) }
            try advance()
            var arguments: [Formula] = []
            while token != .mark(")") {
                if !arguments.isEmpty { try expect(",") }
                arguments.append(try formula(depth: depth + 1))
            }
            try advance()
            return .call(name, arguments)
        default:
            throw PayloadError(expected: "a number, a name or a text", found: "\(first.words) \(placeWords)")
        }
    }

    mutating func expect(_ mark: String) throws(PayloadError) {
        guard token == .mark(mark) else {
            throw PayloadError(expected: "\"\(mark)\"", found: "\(token.words) \(placeWords)")
        }
        try advance()
    }

    mutating func name() throws(PayloadError) -> String {
        guard case .name(let name) = token else {
            throw PayloadError(expected: "a name", found: "\(token.words) \(placeWords)")
        }
        try advance()
        return name
    }
}
