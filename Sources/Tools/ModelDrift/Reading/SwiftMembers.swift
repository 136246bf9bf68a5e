import SwiftSyntax

/// Reads the stored properties of a type, or the cases of an enumeration.
struct SwiftMembers {
    let source: SourceText
    /// Whether the type is an enumeration. Its properties are all computed.
    let hasCases: Bool
    /// The type of the raw values, if there are any.
    let rawType: String?

    private var types: SwiftTypes { SwiftTypes(source: source) }

    init(source: SourceText, hasCases: Bool, rawType: String?) {
        self.source = source
        self.hasCases = hasCases
        self.rawType = hasCases ? rawType : nil
    }

    func read(_ items: MemberBlockItemListSyntax, marks: inout SwiftMarks) -> [Member] {
        var list = MemberList()
        read(items, into: &list, marks: &marks)
        var members = list.members
        if hasCases { RawValues(type: rawType).complete(&members) }
        return members
    }

    private func read(_ items: MemberBlockItemListSyntax, into members: inout MemberList, marks: inout SwiftMarks) {
        for item in items {
            if let condition = item.decl.as(IfConfigDeclSyntax.self) {
                for clause in condition.clauses {
                    if case .decls(let items)? = clause.elements { read(items, into: &members, marks: &marks) }
                }
                continue
            }
            var found: [Member] = []
            if hasCases, let declaration = item.decl.as(EnumCaseDeclSyntax.self) {
                found = declaration.elements.map(member)
            } else if !hasCases, let declaration = item.decl.as(VariableDeclSyntax.self) {
                found = properties(declaration)
            }
            guard !found.isEmpty else { continue }
            let taken = marks.take(item.position.utf8Offset..<item.endPosition.utf8Offset)
            for var member in found {
                member.marks = taken
                members.add(member)
            }
        }
    }

    // MARK: Properties

    private func properties(_ declaration: VariableDeclSyntax) -> [Member] {
        let modifiers = declaration.modifiers.map(\.name.text)
        guard !modifiers.contains("static"), !modifiers.contains("class") else { return [] }
        // The properties of each binding, from the last one to the first.
        var members: [[Member]] = []
        // In `var a, b: Int`, the type belongs to both.
        var type: TypeSyntax?
        for binding in declaration.bindings.reversed() {
            type = binding.typeAnnotation?.type ?? (binding.initializer == nil ? type : nil)
            if binding.isStored { members.append(properties(binding, type)) }
        }
        return members.reversed().flatMap(\.self)
    }

    private func properties(_ binding: PatternBindingSyntax, _ type: TypeSyntax?) -> [Member] {
        if let pattern = binding.pattern.as(IdentifierPatternSyntax.self) {
            return [property(pattern.identifier, type: type, initializer: binding.initializer)]
        }
        // In `let (a, b): (Int, String)`, each name has its own type.
        guard let pattern = binding.pattern.as(TuplePatternSyntax.self) else { return [] }
        let types = type?.as(TupleTypeSyntax.self).map { Array($0.elements) } ?? []
        return pattern.elements.enumerated().compactMap { index, element in
            guard let name = element.pattern.as(IdentifierPatternSyntax.self)?.identifier else { return nil }
            return property(
                name, type: types.count == pattern.elements.count ? types[index].type : nil, initializer: nil)
        }
    }

    private func property(_ name: TokenSyntax, type: TypeSyntax?, initializer: InitializerClauseSyntax?) -> Member {
        var member = Member(name: name.identifierText, location: location(name))
        member.key = member.name
        if let type {
            member.type = Written(shape: types.shape(of: type), text: source.shown(type))
        } else if let value = initializer?.value {
            let shape = types.shape(ofValue: value)
            member.type = Written(shape: shape, text: "\(shape)")
        }
        if let value = initializer?.value {
            member.value = .tokens(source.tokens(of: value), shown: source.shown(value))
        }
        return member
    }

    // MARK: Cases

    private func member(_ element: EnumCaseElementSyntax) -> Member {
        var member = Member(name: element.name.identifierText, location: location(element.name))
        member.key = member.name
        let values = element.parameterClause?.parameters.map { parameter in
            TypeShape.Element(
                label: parameter.firstName?.identifierText, type: types.shape(of: parameter.type))
        }
        let text = element.parameterClause.map { source.shown($0) } ?? ""
        member.type = Written(shape: .tuple(values ?? []), text: text)
        if let value = element.rawValue?.value {
            member.value = .tokens(source.tokens(of: value), shown: source.shown(value))
        }
        return member
    }

    private func location(_ token: TokenSyntax) -> SourceLocation {
        source.location(of: token.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
}

extension PatternBindingSyntax {
    /// Whether the property has memory of its own: it has no accessors, or only observers.
    fileprivate var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors(let list):
            list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }
}

/// The raw values that the compiler gives to cases without one.
private struct RawValues {
    let type: String?

    func complete(_ members: inout [Member]) {
        guard let type, type != "Character" else { return }
        // The value of the case before, while it is known.
        var last: Int? = -1
        for index in members.indices {
            switch members[index].value {
            case .tokens(let tokens, _):
                last = Int(literal: tokens.joined())
                // Two spellings of a number are one value.
                if let last, type != "String" { members[index].value = .tokens(["\(last)"], shown: "\(last)") }
            case .none where type == "String":
                let name = members[index].name
                members[index].value = .tokens(["\"", name, "\""], shown: "\"\(name)\"")
            case .none:
                last = last.flatMap { $0 < Int.max ? $0 + 1 : nil }
                members[index].value = last.map { .tokens(["\($0)"], shown: "\($0)") } ?? .unknown
            case .unknown: last = nil
            }
        }
    }
}

extension Int {
    /// Reads an integer literal of Swift or C, such as `-1`, `0x1F`, `1_000` or `2UL`.
    init?(literal: String) {
        var text = literal.lowercased().filter { $0 != "_" }
        let isNegative = text.hasPrefix("-")
        if isNegative { text.removeFirst() }
        var radix = 10
        for (prefix, base) in [("0x", 16), ("0b", 2), ("0o", 8)] where text.hasPrefix(prefix) {
            text.removeFirst(2)
            radix = base
            // In `0x0B`, another prefix seems to follow.
            break
        }
        while let last = text.last, last == "u" || last == "l" { text.removeLast() }
        guard text.first.map({ $0 != "+" && $0 != "-" }) == true, let value = Int(text, radix: radix) else {
            return nil
        }
        self = isNegative ? -value : value
    }
}
