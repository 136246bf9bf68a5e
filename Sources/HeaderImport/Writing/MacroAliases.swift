/// The macros that give functions other names, as `#define mpz_add __gmpz_add` does.
struct MacroAliases {
    /// Nodes for the functions under their other names, in the order of the macros.
    let functions: [SyntaxNode]
    /// The names of the macros.
    let names: Set<String>

    /// Reads the macros.
    ///
    /// - Parameters:
    ///   - output: The output of `clang -E -dD`.
    ///   - functions: The functions of the headers.
    ///   - isNamed: Returns whether a file belongs to the requested headers.
    init(_ output: [UInt8], of functions: [SyntaxNode], isNamed: (String) -> Bool) {
        let known = Dictionary(functions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var found: [SyntaxNode] = []
        var names: Set<String> = []
        var isInside = false
        for line in output.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "#") {
            if let marker = LineMarker(line) {
                isInside = isNamed(marker.file)
            } else if isInside, line.starts(with: "#define ".utf8) {
                let words = String(decoding: line, as: UTF8.self).split(separator: " ")
                guard words.count == 3, let function = known[String(words[2])] else { continue }
                let name = String(words[1])
                guard known[name] == nil, !name.contains("("), names.insert(name).inserted else { continue }
                found.append(function.named(name))
            }
        }
        self.functions = found
        self.names = names
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
