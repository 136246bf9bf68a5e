extension MacroDefinition {
    /// Returns functions under the other names that macros give them, as `#define mpz_add __gmpz_add` does.
    static func aliases(of functions: [SyntaxNode], in macros: [MacroDefinition]) -> [SyntaxNode] {
        let known = Dictionary(functions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        return macros.compactMap { macro in
            guard macro.isNamed, !macro.hasParameters, known[macro.name] == nil, let function = known[macro.body],
                seen.insert(macro.name).inserted
            else { return nil }
            return function.named(macro.name)
        }
    }
}

extension SyntaxNode {
    /// Returns the same function under another name.
    fileprivate func named(_ name: String) -> SyntaxNode {
        let copy = SyntaxNode()
        copy.id = id
        copy.kind = kind
        copy.name = name
        copy.mangledName = mangledName.isEmpty ? self.name : mangledName
        copy.type = type
        copy.desugaredType = desugaredType
        copy.storage = storage
        copy.isInline = isInline
        copy.file = file
        copy.children = children
        return copy
    }
}
