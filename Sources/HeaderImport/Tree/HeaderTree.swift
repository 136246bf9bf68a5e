/// The declarations of headers, by their names.
struct HeaderTree {
    /// All, in order; records and enums that are named inside of others stand before these.
    let nodes: [SyntaxNode]
    /// The place of the definition of a `struct`, `union` or `enum`, by keyword and tag.
    private(set) var tags: [String: Int] = [:]
    private(set) var typedefs: [String: Int] = [:]
    /// By what clang calls a declaration.
    private(set) var byId: [String: SyntaxNode] = [:]
    /// The place of the typedef that names a struct or enum without a tag, by what clang calls that.
    private(set) var owners: [String: Int] = [:]

    init(_ declarations: [SyntaxNode]) {
        var nodes: [SyntaxNode] = []
        for declaration in declarations { HeaderTree.flatten(declaration, into: &nodes) }
        self.nodes = nodes
        for (index, node) in nodes.enumerated() {
            byId[node.id] = node
            switch node.kind {
            case "TypedefDecl":
                typedefs[node.name] = index
                if let id = node.firstOwnedTag, owners[id] == nil { owners[id] = index }
            case "RecordDecl" where node.isComplete && !node.name.isEmpty: tags["\(node.tag) \(node.name)"] = index
            case "EnumDecl" where !node.name.isEmpty && !node.children.isEmpty: tags["enum \(node.name)"] = index
            default: break
            }
        }
    }

    private static func flatten(_ node: SyntaxNode, into nodes: inout [SyntaxNode]) {
        if node.kind == "RecordDecl" {
            for child in node.children where child.kind == "RecordDecl" || child.kind == "EnumDecl" {
                // Those without a name belong to a field.
                if child.name.isEmpty {
                    for inner in child.children { flattenNested(inner, into: &nodes) }
                } else {
                    flatten(child, into: &nodes)
                }
            }
        }
        nodes.append(node)
    }

    private static func flattenNested(_ node: SyntaxNode, into nodes: inout [SyntaxNode]) {
        if node.kind == "RecordDecl" || node.kind == "EnumDecl" {
            if !node.name.isEmpty { return flatten(node, into: &nodes) }
            for child in node.children { flattenNested(child, into: &nodes) }
        }
    }

    /// The places of what a type names: definitions of tags, and typedefs.
    func names(in type: String) -> [Int] {
        var found: [Int] = []
        var keyword = ""
        for word in TypeText.words(type) {
            if word == "struct" || word == "union" || word == "enum" {
                keyword = word
                continue
            }
            if keyword.isEmpty {
                if let index = typedefs[word] { found.append(index) }
            } else {
                // clang writes "struct t" for a struct without a tag that a typedef calls t.
                if let index = tags["\(keyword) \(word)"] ?? typedefs[word] { found.append(index) }
                keyword = ""
            }
        }
        return found
    }
}
