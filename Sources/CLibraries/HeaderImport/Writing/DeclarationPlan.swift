import CDeclarations

/// The types that functions need, in an order that is valid in C.
struct DeclarationPlan {
    /// The declarations, each with its semicolon.
    let types: [String]
    /// The key of each type in `TypeWriter.opaque`.
    private let keys: [String]

    /// Collects the types that functions need, directly or through other types.
    ///
    /// - Parameters:
    ///   - tree: The declarations of the headers.
    ///   - functions: The functions that use the types.
    ///   - writer: The writer, which knows the opaque types and adds new ones.
    ///   - extra: The indices of further declarations to include.
    init(tree: HeaderTree, functions: [SyntaxNode], writer: inout TypeWriter, extra: [Int]) {
        var needed: Set<Int> = []
        var texts: [Int: String] = [:]
        var waiting = extra + functions.flatMap { tree.names(in: $0.type) }
        while let index = waiting.popLast() {
            let node = tree.nodes[index]
            guard !DeclarationPlan.isKnown(node), needed.insert(index).inserted else { continue }
            // An enum without a tag that belongs to a typedef is written in the typedef.
            if node.kind == "EnumDecl", node.name.isEmpty, let owner = tree.owners[node.id] {
                waiting.append(owner)
                continue
            }
            guard let text = writer.text(node) else { continue }
            texts[index] = text
            waiting += tree.names(in: text)
        }
        let sorted = texts.sorted { $0.key < $1.key }
        types = sorted.map(\.value)
        keys = sorted.map { TypeWriter.key(of: tree.nodes[$0.key]) }
    }

    /// The declarations as sources for the parser.
    var sources: [CSource] { types.enumerated().map { CSource(name: "type \($0)", text: $1) } }

    /// Returns the first error in each declaration, by its key.
    func errors(in declarations: CDeclarations) -> [String: String] {
        let keys = Dictionary(uniqueKeysWithValues: zip(sources.map(\.name), self.keys))
        return Dictionary(
            declarations.diagnostics.compactMap { error in keys[error.place.source].map { ($0, error.message) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether a declaration is a predeclared typedef with the same meaning as in descriptions.
    private static func isKnown(_ node: SyntaxNode) -> Bool {
        guard node.kind == "TypedefDecl", let known = CDeclarations.wellKnownType(named: node.name) else {
            return false
        }
        guard case .scalar(let scalar) = known.kind else { return true }
        return scalar.rawValue == node.desugaredType
    }
}
