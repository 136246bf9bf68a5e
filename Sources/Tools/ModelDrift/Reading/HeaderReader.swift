/// Reads the models in an Objective-C header: classes with their properties and variables, and enumerations.
///
/// It knows no macros and follows no includes, so it skips what it does not understand.
struct HeaderReader {
    private let source: SourceText
    private let tokens: [HeaderToken]
    private let marks: [HeaderMark]
    private var usedMarks: Set<Int> = []
    private var position = 0
    /// The index of the first mark that no declaration before this one could have.
    private var firstMark = 0
    /// Whether pointers without a word about it are nonnull.
    private var assumesNonnull = false
    private var contents = SourceContents()
    private var seen: Set<String> = []
    /// The properties of class extensions, by class.
    private var extensions: [String: [Member]] = [:]

    static func contents(of source: SourceText) -> SourceContents {
        var reader = HeaderReader(source: source)
        reader.run()
        return reader.contents
    }

    private init(source: SourceText) {
        self.source = source
        (tokens, marks) = HeaderLexer.tokens(of: source)
    }

    private var current: String { position < tokens.count ? tokens[position].text : "" }
    private var isAtEnd: Bool { position >= tokens.count }
    private func next(_ distance: Int) -> HeaderToken? {
        position + distance < tokens.count ? tokens[position + distance] : nil
    }

    private mutating func run() {
        while !isAtEnd {
            switch current {
            case "@interface": interface()
            case "@protocol": skipProtocol()
            case "typedef": typedef()
            case "NS_ASSUME_NONNULL_BEGIN", "CF_ASSUME_NONNULL_BEGIN":
                assumesNonnull = true
                endStatement()
            case "NS_ASSUME_NONNULL_END", "CF_ASSUME_NONNULL_END":
                assumesNonnull = false
                endStatement()
            case ";", "}", "{": endStatement()
            default: position += 1
            }
        }
        for index in contents.models.indices {
            guard let members = extensions[contents.models[index].name] else { continue }
            contents.models[index].members = MemberList(contents.models[index].members + members).members
        }
        contents.looseMarks = marks.indices.filter { !usedMarks.contains($0) }.map { marks[$0].mark }
    }

    /// Skips the last token of a statement. Comments behind it on the same line belong to it.
    private mutating func endStatement() {
        guard !isAtEnd else { return }
        let last = tokens[position]
        firstMark = max(firstMark, last.marks)
        let line = source.location(of: last.offset).line
        while firstMark < marks.count, marks[firstMark].line == line { firstMark += 1 }
        position += 1
    }

    /// Returns the marks between the statement before and the current token, or behind the current token on its line.
    private mutating func takeMarks() -> [Mark] {
        guard !isAtEnd else { return [] }
        let token = tokens[position]
        var end = token.marks
        let line = source.location(of: token.offset).line
        while end < marks.count, marks[end].line == line { end += 1 }
        guard firstMark < end else { return [] }
        defer { firstMark = end }
        usedMarks.formUnion(firstMark..<end)
        return marks[firstMark..<end].map(\.mark)
    }

    private func location(_ token: HeaderToken) -> SourceLocation { source.location(of: token.offset) }

    /// Skips a balanced group if there is one here, and returns the tokens in it.
    private mutating func group(_ open: String, _ close: String) -> ArraySlice<HeaderToken> {
        guard current == open else { return [] }
        let start = position + 1
        var depth = 0
        while !isAtEnd {
            if current == open { depth += 1 }
            if current == close { depth -= 1 }
            // A token that cannot occur in a group shows that its end is missing.
            if current == "@end" || current == "@interface" { return tokens[start..<position] }
            position += 1
            if depth == 0 { return tokens[start..<position - 1] }
        }
        return tokens[min(start, position)..<position]
    }

    /// Returns the tokens up to a semicolon outside of groups.
    private mutating func statement() -> ArraySlice<HeaderToken> {
        let start = position
        var depth = 0
        while !isAtEnd {
            switch current {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            case ";" where depth <= 0: return tokens[start..<position]
            case "@end", "@interface", "@protocol", "@property", "@optional", "@required":
                return tokens[start..<position]
            default: break
            }
            position += 1
        }
        return tokens[start..<position]
    }

    // MARK: Classes

    /// The beginning of a class or category, up to its properties.
    private struct Head {
        let start: HeaderToken
        var model: Model
        /// The contents of the parentheses; nil if there are none.
        let category: [HeaderToken]?
        var members: MemberList
    }

    private mutating func interface() {
        guard var head = head() else { return }
        body(of: &head)
        head.model.members = head.members.members
        guard let category = head.category else { return append(head.model) }
        // A class extension declares properties with memory; those of other categories are computed.
        if category.isEmpty { extensions[head.model.name, default: []] += head.model.members }
    }

    private mutating func head() -> Head? {
        let typeMarks = takeMarks()
        let start = tokens[position]
        position += 1
        guard let token = next(0), token.kind == .word else { return nil }
        position += 1
        var model = Model(
            path: [token.text], language: .objectiveC, kind: .record, title: "a class", location: location(token))
        model.marks = typeMarks
        model.isClass = true
        _ = group("<", ">")
        let isCategory = current == "("
        let category = Array(group("(", ")"))
        if current == ":" {
            position += 1
            if let superclass = next(0), superclass.kind == .word, superclass.text != "NSObject" {
                model.inherited = [superclass.text]
            }
            position += isAtEnd ? 0 : 1
            _ = group("<", ">")
        }
        _ = group("<", ">")
        let members = MemberList(current == "{" ? variables() : [])
        return Head(start: start, model: model, category: isCategory ? category : nil, members: members)
    }

    /// Whether the current `@interface` begins the same class or category: the alternatives of a condition may have one
    /// body.
    private func isAlternative(of head: Head) -> Bool {
        guard next(1)?.text == head.model.name else { return false }
        guard let category = head.category else { return next(2)?.text != "(" }
        return next(2)?.text == "(" && next(3)?.text == category.first?.text ?? ")"
    }

    /// Adds a model. The alternatives of a condition declare the same type; the first one stands for all.
    private mutating func append(_ model: Model) {
        if seen.insert(model.name).inserted { contents.models.append(model) }
    }

    private mutating func body(of head: inout Head) {
        while !isAtEnd {
            switch current {
            case "@end":
                endStatement()
                return
            case "@interface" where isAlternative(of: head):
                guard let other = self.head() else { return }
                head.model.marks += other.model.marks
                for member in other.members.members { head.members.add(member) }
            case "@interface", "@protocol":
                reportMissingEnd(of: head)
                return
            case "@property": property(into: &head.members)
            case "@optional", "@required": position += 1
            case "NS_ASSUME_NONNULL_BEGIN":
                assumesNonnull = true
                endStatement()
            case "NS_ASSUME_NONNULL_END":
                assumesNonnull = false
                endStatement()
            default:
                // A method, which ends with a semicolon, or something unknown.
                _ = statement()
                if current == ";" { endStatement() }
            }
        }
        reportMissingEnd(of: head)
    }

    private mutating func reportMissingEnd(of head: Head) {
        contents.problems.append(
            SourceContents.Problem(
                location: location(head.start), message: "the @interface of \(head.model.name) has no @end"))
    }

    private mutating func property(into list: inout MemberList) {
        position += 1
        let attributes = group("(", ")").split { $0.text == "," }.map { $0.map(\.text) }
        let declaration = statement()
        let marks = current == ";" ? takeMarks() : []
        if current == ";" { endStatement() }
        guard !attributes.contains(["class"]) else { return }
        let getter = attributes.first { $0.starts(with: ["getter", "="]) }?.dropFirst(2).first
        let given = attributes.compactMap { Nullability(word: $0.first ?? "") }.first
        // A weak reference becomes nil when its object is gone.
        let nullability = given ?? (attributes.contains(["weak"]) ? .nullable : nil)
        let found = HeaderDeclaration(
            declaration, source: source, nullability: nullability, assumesNonnull: assumesNonnull)
        for var member in found.members {
            member.alias = getter
            member.marks = marks
            list.add(member)
        }
    }

    /// Reads the instance variables in braces, except for private ones, which no other module can see.
    private mutating func variables() -> [Member] {
        var members: [Member] = []
        var isPrivate = false
        endStatement()
        while !isAtEnd, current != "}", current != "@end", current != "@interface" {
            if ["@public", "@private", "@protected", "@package"].contains(current) {
                isPrivate = current == "@private"
                position += 1
                continue
            }
            let start = position
            // A struct may have braces of its own.
            while !isAtEnd, !["}", ";", "@end", "@interface"].contains(current) {
                if current == "{" { _ = group("{", "}") } else { position += 1 }
            }
            guard current == ";" else { break }
            let declaration = tokens[start..<position]
            let marks = takeMarks()
            endStatement()
            guard !isPrivate else { continue }
            for var member in HeaderDeclaration(
                declaration, source: source, nullability: nil, assumesNonnull: assumesNonnull
            ).members {
                member.marks = marks
                // By convention, `_name` holds the property `name`.
                if member.name.hasPrefix("_") { member.alias = String(member.name.dropFirst()) }
                members.append(member)
            }
        }
        if current == "}" { endStatement() }
        return members
    }

    // MARK: Other declarations

    private mutating func skipProtocol() {
        position += 1
        while let token = next(0), token.text == "," || token.kind == .word && !token.text.hasPrefix("@") {
            position += 1
        }
        // A forward declaration has no body.
        if current != ";" {
            while !isAtEnd, current != "@end", current != "@interface" { position += 1 }
        }
        if current != "@interface" { endStatement() }
    }

    private mutating func typedef() {
        let typeMarks = takeMarks()
        position += 1
        if let enumeration = HeaderEnumeration(tokens[position...], source: source, marks: marks) {
            var model = enumeration.model
            model.marks = typeMarks + model.marks
            usedMarks.formUnion(enumeration.usedMarks)
            append(model)
            position = enumeration.end
            if current == ";" { endStatement() }
            return
        }
        let declaration = statement()
        if current == ";" { endStatement() }
        guard !declaration.contains(where: { $0.text == "{" }) else { return }
        // Even in a nonnull region, a name for a pointer type has no nullability of its own; its uses have.
        for member in HeaderDeclaration(declaration, source: source, nullability: nil, assumesNonnull: false).members {
            contents.aliases.append(TypeAlias(path: [member.name], shape: member.type.shape, file: source.file))
        }
    }
}
