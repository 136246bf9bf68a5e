import SwiftParser
import SwiftSyntax

/// Reads the models in a Swift file.
///
/// Only declarations are visited, never expressions, so that an expression of any depth cannot overflow the stack.
/// Types inside functions are not models.
struct SwiftReader {
    let source: SourceText
    private var marks: SwiftMarks
    private var contents = SourceContents()
    private var seen: Set<[String]> = []

    /// Files with deeper brackets are not read.
    static let maximumNesting = 256

    static func contents(of source: SourceText) -> SourceContents {
        if let offset = Nesting.offset(in: source, deeperThan: maximumNesting) {
            let message = "not read: nested deeper than \(maximumNesting) levels"
            return SourceContents(problems: [.init(location: source.location(of: offset), message: message)])
        }
        let tree = unsafe source.bytes.withUnsafeBufferPointer {
            unsafe Parser.parse(source: $0, maximumNestingLevel: maximumNesting)
        }
        var reader = SwiftReader(source: source, marks: SwiftMarks(in: tree, of: source))
        if tree.hasError { reader.contents.problems.append(reader.problem(in: Syntax(tree))) }
        reader.read(tree.statements, within: [])
        reader.applyCodingKeys()
        reader.contents.looseMarks = reader.marks.unused
        return reader.contents
    }

    private init(source: SourceText, marks: SwiftMarks) {
        self.source = source
        self.marks = marks
    }

    /// Describes the first syntax error.
    private func problem(in tree: Syntax) -> SourceContents.Problem {
        var node = tree
        // Descends in a loop, as the tree may be deep.
        while let child = node.children(viewMode: .all).first(where: { $0.hasError || $0.isWrong }) {
            node = child
            if node.isWrong { break }
        }
        return SourceContents.Problem(
            location: source.location(of: node.position.utf8Offset),
            message: tree.hasMaximumNestingLevelOverflow
                ? "nested deeper than \(Self.maximumNesting) levels; the rest of the file is not read"
                : "syntax error; models in this file may be read incompletely")
    }

    // MARK: Declarations

    private mutating func read(_ statements: CodeBlockItemListSyntax, within path: [String]) {
        for statement in statements {
            if case .decl(let declaration) = statement.item { read(declaration, within: path) }
        }
    }

    private mutating func read(_ members: MemberBlockItemListSyntax, within path: [String]) {
        for member in members { read(member.decl, within: path) }
    }

    private mutating func read(_ declaration: DeclSyntax, within path: [String]) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .structDecl(let type): readType(type, named: type.name, title: "a struct", kind: .record, within: path)
        case .classDecl(let type): readType(type, named: type.name, title: "a class", kind: .record, within: path)
        case .actorDecl(let type): readType(type, named: type.name, title: "an actor", kind: .record, within: path)
        case .enumDecl(let type): readType(type, named: type.name, title: "an enum", kind: .enumeration, within: path)
        case .extensionDecl(let type):
            let extended = source.tokens(of: type.extendedType).filter { $0 != "." }
            read(type.memberBlock.members, within: path + extended)
        case .typeAliasDecl(let alias) where alias.genericParameterClause == nil:
            let shape = SwiftTypes(source: source).shape(of: alias.initializer.value)
            contents.aliases.append(
                TypeAlias(path: path + [alias.name.identifierText], shape: shape, file: source.file))
        case .ifConfigDecl(let condition):
            for clause in condition.clauses {
                switch clause.elements {
                case .statements(let statements): read(statements, within: path)
                case .decls(let members): read(members, within: path)
                default: break
                }
            }
        default: break
        }
    }

    private mutating func readType(
        _ type: some DeclGroupSyntax & DeclSyntaxProtocol, named token: TokenSyntax, title: String,
        kind: Model.Kind, within outer: [String]
    ) {
        let path = outer + [token.identifierText]
        let start = type.position.utf8Offset
        var model = Model(
            path: path, language: .swift, kind: kind, title: title,
            location: source.location(of: token.positionAfterSkippingLeadingTrivia.utf8Offset))
        model.marks = marks.take(start..<type.memberBlock.leftBrace.endPosition.utf8Offset)
        model.isClass = title == "a class"
        let inherited = type.inheritanceClause?.inheritedTypes.map { source.tokens(of: $0.type).joined() } ?? []
        model.inherited = inherited
        // The alternatives of a condition declare the same type; the first one stands for all.
        let isFirst = seen.insert(path).inserted
        let members = SwiftMembers(source: source, hasCases: kind == .enumeration, rawType: inherited.rawType)
        model.rawType = members.rawType.map { .named($0) }
        model.members = members.read(type.memberBlock.members, marks: &marks)
        if isFirst { contents.models.append(model) }
        read(type.memberBlock.members, within: path)
    }
}

extension SwiftReader {
    /// Gives the properties the keys of the `CodingKeys` of their type, which are not models themselves.
    fileprivate mutating func applyCodingKeys() {
        let indices = Dictionary(contents.models.enumerated().map { ($1.path, $0) }) { first, _ in first }
        for keys in contents.models where keys.path.last == "CodingKeys" && keys.kind == .enumeration {
            guard let index = indices[keys.path.dropLast()] else { continue }
            let names = Dictionary(keys.members.map { ($0.name, $0.encodedName) }) { first, _ in first }
            for member in contents.models[index].members.indices {
                contents.models[index].members[member].key = names[contents.models[index].members[member].name]
            }
        }
        contents.models.removeAll { $0.path.last == "CodingKeys" }
    }
}

extension Member {
    /// The text that a case of `CodingKeys` stands for.
    fileprivate var encodedName: String {
        guard case .tokens(let tokens, _) = value else { return name }
        return String(tokens.joined().drop { $0 == "\"" }.reversed().drop { $0 == "\"" }.reversed())
    }
}

extension [String] {
    private static let integers: Set = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]
    private static let others: Set = ["String", "Double", "Float", "CGFloat", "Character"]

    /// The raw type that the compiler takes: the first inherited type, if it is one that literals can have.
    fileprivate var rawType: String? {
        first.flatMap { Self.integers.contains($0) || Self.others.contains($0) ? $0 : nil }
    }
}

extension Syntax {
    /// Whether the parser expected something else here.
    fileprivate var isWrong: Bool {
        `is`(UnexpectedNodesSyntax.self) || self.as(TokenSyntax.self).map { $0.presence == .missing } == true
            || `is`(MissingSyntax.self)
    }
}

extension TokenSyntax {
    /// The name without backticks.
    var identifierText: String {
        text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text
    }
}

extension SourceText {
    /// The tokens of a longer text are not listed one by one: visiting them takes a stack as deep as the expression.
    static let maximumExpression = 4096

    /// Returns the tokens of a node, without spaces and comments.
    func tokens(of node: some SyntaxProtocol) -> [String] {
        let range = node.position.utf8Offset..<node.endPosition.utf8Offset
        guard range.count <= Self.maximumExpression else { return [text(range)] }
        return node.tokens(viewMode: .sourceAccurate).map(\.text)
    }

    /// Returns the text of a node on one line, as written but without comments.
    func shown(_ node: some SyntaxProtocol) -> String {
        let range = node.position.utf8Offset..<node.endPosition.utf8Offset
        guard range.count <= Self.maximumExpression else { return text(range.lowerBound..<range.lowerBound + 60) + "…" }
        var shown = ""
        var needsSpace = false
        for token in node.tokens(viewMode: .sourceAccurate) {
            if !shown.isEmpty, needsSpace || !token.leadingTrivia.isEmpty { shown += " " }
            shown += token.text
            needsSpace = !token.trailingTrivia.isEmpty
        }
        return shown.count > 60 ? shown.prefix(60) + "…" : shown
    }
}
