import ComponentKit
import SystemSupport

// The parser of annotations, for the grammar in ``Annotation``.

extension Annotation {
    /// Reads an annotation.
    ///
    /// - Throws: `PayloadError` with what was expected and what was found.
    init(_ text: String) throws(PayloadError) {
        self.text = text
        var tokens = try AnnotationTokens(text)
        var seen: Set<String> = []
        var number: Formula?
        var message: Formula?
        if tokens.token == .mark("(") {
            try tokens.advance()
            shape = .types(try tokens.rawUntilClosed(), isRepeated: false)
        }
        while tokens.token != .end {
            let word: String
            switch tokens.token {
            case .name(let name): word = name
            case .mark("="): word = "="
            default: throw Annotation.unexpected(tokens)
            }
            guard seen.insert(word).inserted else {
                throw PayloadError(expected: "each keyword once", found: "\"\(word)\" again")
            }
            switch word {
            case "number": number = try Annotation.formula(after: &tokens)
            case "message": message = try Annotation.formula(after: &tokens)
            default: try read(word, &tokens)
            }
        }
        guard number == nil && message == nil || errorRule != nil else {
            throw PayloadError(
                expected: "\"error if\" or \"error unless\" with \"number\" and \"message\"", found: text)
        }
        errorRule?.number = number
        errorRule?.message = message
    }

    private static func formula(after tokens: inout AnnotationTokens) throws(PayloadError) -> Formula {
        try tokens.advance()
        return try tokens.formula()
    }

    private static func unexpected(_ tokens: AnnotationTokens) -> PayloadError {
        var near = ""
        if case .name(let name) = tokens.token { near = name.meant(among: Annotation.keywords) }
        return PayloadError(
            expected: "a keyword such as \"out\", \"bytes[…]\", \"nullable\" or \"error unless 0\"",
            found: "\(tokens.token.words) \(tokens.placeWords)\(near)")
    }

    private mutating func read(_ word: String, _ tokens: inout AnnotationTokens) throws(PayloadError) {
        let before = tokens
        try tokens.advance()
        switch word {
        case "in", "out", "inout":
            guard direction == nil else { throw PayloadError(expected: "one direction", found: "also \"\(word)\"") }
            direction = Direction(rawValue: word)
        case "string": try set(.string(tokens.token == .mark("[") ? try Annotation.room(&tokens) : nil))
        case "bytes": try set(.bytes(try Annotation.room(&tokens)))
        case "items":
            let room = try Annotation.room(&tokens)
            guard case .types(let list, isRepeated: false)? = shape, room.endsWithNull else {
                return try set(.items(room))
            }
            shape = .types(list, isRepeated: true)
        case "object": try set(.object)
        case "function": try set(.function)
        case "value": try set(.value)
        case "union": try set(try Annotation.union(&tokens))
        case "handle": try set(.handle(try Annotation.inParentheses(&tokens)))
        case "new": try set(.new)
        case "null": try set(.null)
        case "context": try set(.context)
        case "ignored": try set(.ignored)
        case "=": try set(.constant(try tokens.formula()))
        case "printf":
            guard let name = try Annotation.inParentheses(&tokens) else {
                throw PayloadError(expected: "\"printf(name of the format)\"", found: tokens.token.words)
            }
            try set(.printf(name))
        case "nullable": isNullable = true
        case "free": release = try Annotation.inParentheses(&tokens) ?? "free"
        case "released": isReleased = true
        case "ends":
            guard tokens.token == .name("parts") else {
                throw PayloadError(expected: "\"ends parts\"", found: tokens.token.words)
            }
            try tokens.advance()
            endsParts = true
        case "keeps": try set(.keeps(try tokens.name()))
        case "of": try set(.partOf(try tokens.name()))
        case "kept":
            var name: String?
            if tokens.token == .name("by") {
                try tokens.advance()
                name = try tokens.name()
            }
            try set(.keptBy(name))
        case "copied": try set(.copied)
        case "error": errorRule = try ErrorRule(&tokens)
        case "else": fallback = try tokens.formula()
        case "quick": isQuick = true
        case "errno": wantsErrno = true
        default: throw Annotation.unexpected(before)
        }
    }

    private mutating func set(_ shape: Shape) throws(PayloadError) {
        guard self.shape == nil else {
            throw PayloadError(expected: "one keyword for the kind of value", found: "a second one")
        }
        self.shape = shape
    }

    private mutating func set(_ bond: Bond) throws(PayloadError) {
        guard self.bond == nil else {
            throw PayloadError(expected: "one of \"keeps\", \"of\", \"kept\" and \"copied\"", found: "a second one")
        }
        self.bond = bond
    }

    private static func union(_ tokens: inout AnnotationTokens) throws(PayloadError) -> Shape {
        guard tokens.token == .name("by") else {
            throw PayloadError(expected: "\"union by name { value: member, … }\"", found: tokens.token.words)
        }
        try tokens.advance()
        let tag = try tokens.name()
        try tokens.expect("{")
        var cases: [UnionCase] = []
        repeat {
            if !cases.isEmpty { try tokens.advance() }
            let value = try tokens.formula()
            try tokens.expect(":")
            cases.append(UnionCase(value: value, member: try tokens.name()))
        } while tokens.token == .mark(",")
        try tokens.expect("}")
        return .union(by: tag, cases)
    }

    private static func room(_ tokens: inout AnnotationTokens) throws(PayloadError) -> Room {
        try tokens.expect("[")
        let size = try tokens.formula()
        var used: Formula?
        if tokens.token == .mark(";") {
            try tokens.advance()
            used = try tokens.formula()
        }
        try tokens.expect("]")
        return Room(size: size, used: used)
    }

    private static func inParentheses(_ tokens: inout AnnotationTokens) throws(PayloadError) -> String? {
        guard tokens.token == .mark("(") else { return nil }
        try tokens.advance()
        let name = try tokens.name()
        try tokens.expect(")")
        return name
    }
}

extension ErrorRule {
    fileprivate init(_ tokens: inout AnnotationTokens) throws(PayloadError) {
        switch tokens.token {
        case .name("if"): isUnless = false
        case .name("unless"): isUnless = true
        default:
            throw PayloadError(expected: "\"if\" or \"unless\" after \"error\"", found: tokens.token.words)
        }
        var tests: [Test] = []
        repeat {
            try tokens.advance()
            tests.append(try ErrorRule.test(&tokens))
        } while tokens.token == .mark("|")
        self.tests = tests
    }

    private static func test(_ tokens: inout AnnotationTokens) throws(PayloadError) -> Test {
        if tokens.token == .name("null") {
            try tokens.advance()
            return Test(comparison: .equal, value: .number(0))
        }
        var comparison = Comparison.equal
        if case .mark(let mark) = tokens.token, mark != "-", mark != "(", let found = Comparison(rawValue: mark) {
            comparison = found
            try tokens.advance()
        }
        return Test(comparison: comparison, value: try tokens.formula())
    }
}
