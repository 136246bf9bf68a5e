/// An enumeration in a header, as in `typedef NS_ENUM(NSInteger, A_State) { A_StateOff, A_StateOn };`.
struct HeaderEnumeration {
    let model: Model
    /// The index of the token after it.
    let end: Int
    /// The marks of its cases.
    private(set) var usedMarks: Set<Int> = []

    private static let macros: Set = [
        "NS_ENUM", "NS_CLOSED_ENUM", "NS_OPTIONS", "NS_ERROR_ENUM", "CF_ENUM", "CF_CLOSED_ENUM", "CF_OPTIONS",
    ]

    /// - Parameter tokens: The tokens after `typedef`.
    init?(_ tokens: ArraySlice<HeaderToken>, source: SourceText, marks: [HeaderMark]) {
        guard let first = tokens.first else { return nil }
        let isMacro = Self.macros.contains(first.text)
        guard isMacro || first.text == "enum",
            // A forward declaration has no braces; those after it belong to something else.
            let open = tokens.prefix(64).firstIndex(where: { ["{", ";"].contains($0.text) || $0.isDirective }),
            tokens[open].text == "{",
            let close = tokens[open...].firstIndex(where: { $0.text == "}" || $0.isDirective })
        else { return nil }
        let head = tokens[tokens.startIndex..<open].dropFirst()
        let name: HeaderToken?
        let type: [HeaderToken]
        if isMacro {
            // In NS_ENUM(NSInteger, A_State), and what may follow.
            let parts = head.prefix { $0.text != ")" }.split { ["(", ","].contains($0.text) }
            name = parts.count == 2 ? parts[1].first : nil
            type = parts.first.map(Array.init) ?? []
        } else {
            let following = close + 1 < tokens.endIndex ? tokens[close + 1] : nil
            name = following?.kind == .word && tokens[close].text == "}" ? following : head.first { $0.kind == .word }
            type = head.firstIndex { $0.text == ":" }.map { Array(head[($0 + 1)...]) } ?? []
        }
        guard let name, name.kind == .word else { return nil }
        var model = Model(
            path: [name.text], language: .objectiveC,
            kind: first.text.hasSuffix("OPTIONS") ? .options : .enumeration,
            title: first.text.hasSuffix("OPTIONS") ? "a set of options" : "an enum",
            location: source.location(of: name.offset))
        // NS_ERROR_ENUM names the domain instead of a type.
        let isTyped = !type.isEmpty && first.text != "NS_ERROR_ENUM"
        model.rawType = .named(isTyped ? HeaderScalar.canonical(type.map(\.text)) : isMacro ? "Int" : "UInt32")
        var cases = Cases(type: name.text, source: source, marks: marks)
        cases.read(tokens[(open + 1)..<close], after: tokens[open], end: tokens[close])
        model.members = cases.members
        usedMarks = cases.usedMarks
        self.model = model
        var end = close
        while end < tokens.endIndex, tokens[end].text != ";", !tokens[end].isDirective { end += 1 }
        self.end = end
    }

    /// The cases of an enumeration.
    private struct Cases {
        /// The name of the enumeration, with which the names of cases begin.
        let type: String
        let source: SourceText
        let marks: [HeaderMark]
        var members: [Member] = []
        var usedMarks: Set<Int> = []
        private var values: [String: Int] = [:]
        private var last: Int? = -1

        init(type: String, source: SourceText, marks: [HeaderMark]) {
            self.type = type
            self.source = source
            self.marks = marks
        }

        mutating func read(_ tokens: ArraySlice<HeaderToken>, after open: HeaderToken, end: HeaderToken) {
            var firstMark = open.marks
            for part in tokens.split(separator: ",", maximumGroups: 10_000) {
                guard let name = part.first, name.kind == .word else { continue }
                // A comment behind the comma, on the same line, belongs to the case before it.
                let separator = part.endIndex < tokens.endIndex ? tokens[part.endIndex] : end
                var lastMark = separator.marks
                let line = source.location(of: separator.offset).line
                while separator.text == ",", lastMark < marks.count, marks[lastMark].line == line {
                    lastMark += 1
                }
                var member = Member(name: name.text, location: source.location(of: name.offset))
                member.alias = alias(of: name.text)
                member.type = Written(shape: .tuple([]), text: "")
                if firstMark < lastMark {
                    usedMarks.formUnion(firstMark..<lastMark)
                    member.marks = marks[firstMark..<lastMark].map(\.mark)
                }
                firstMark = max(firstMark, lastMark)
                let given = part.firstIndex { $0.text == "=" }.map { part[($0 + 1)...] }
                last = given.map { value(of: $0, depth: 0) } ?? last.flatMap { $0 < Int.max ? $0 + 1 : nil }
                member.value = last.map { .tokens(["\($0)"], shown: "\($0)") } ?? .unknown
                values[name.text] = last
                members.append(member)
            }
        }

        /// Returns the name of the case in Swift: without the name of the type, and beginning with a small letter.
        private func alias(of name: String) -> String {
            var rest = name[...]
            let base = type.split(separator: "_", maxSplits: 1).last.map(String.init) ?? type
            for prefix in [type, "k\(type)", base, "k\(base)"] where rest.hasPrefix(prefix) && rest.count > prefix.count
            {
                rest = rest.dropFirst(prefix.count)
                break
            }
            if rest.first == "_" { rest = rest.dropFirst() }
            // `URLScheme` becomes `urlScheme`, as in Swift.
            let capitals = rest.prefix { $0.isUppercase }
            let isWhole = capitals.count == rest.count
            let count = capitals.count > 1 && !isWhole ? capitals.count - 1 : capitals.count
            return rest.prefix(count).lowercased() + rest.dropFirst(count)
        }

        /// Returns the value of a constant expression of literals, shifts and other cases; nil for any other.
        private func value(of tokens: ArraySlice<HeaderToken>, depth: Int) -> Int? {
            guard depth < TypeShape.maximumDepth else { return nil }
            let alternatives = tokens.split { $0.text == "|" }
            if alternatives.count > 1 {
                var all = 0
                for part in alternatives {
                    guard let value = value(of: part, depth: depth + 1) else { return nil }
                    all |= value
                }
                return all
            }
            if tokens.first?.text == "(", tokens.last?.text == ")" {
                return value(of: tokens.dropFirst().dropLast(), depth: depth + 1)
            }
            let texts = tokens.map(\.text)
            if texts.count == 3, texts[1] == "<<", let number = Int(literal: texts[0]),
                let distance = Int(literal: texts[2]), (0..<63).contains(distance)
            {
                return number << distance
            }
            return texts.count == 1 ? values[texts[0]] ?? Int(literal: texts[0]) : Int(literal: texts.joined())
        }
    }
}

extension HeaderToken {
    /// Whether this is a word such as `@interface` or `@property`, which cannot occur in an enumeration.
    fileprivate var isDirective: Bool { kind == .word && text.hasPrefix("@") }
}

extension ArraySlice<HeaderToken> {
    /// Splits at separators outside of parentheses.
    fileprivate func split(separator: String, maximumGroups: Int) -> [ArraySlice<HeaderToken>] {
        var parts: [ArraySlice<HeaderToken>] = []
        var start = startIndex
        var depth = 0
        for index in indices where parts.count < maximumGroups {
            let text = self[index].text
            if text == "(" { depth += 1 }
            if text == ")" { depth -= 1 }
            if text == separator, depth <= 0 {
                parts.append(self[start..<index])
                start = index + 1
            }
        }
        if start < endIndex { parts.append(self[start...]) }
        return parts
    }
}
