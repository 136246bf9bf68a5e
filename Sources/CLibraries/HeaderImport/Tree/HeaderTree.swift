/// The declarations of headers, indexed by name.
struct HeaderTree {
    /// All declarations, in order. Named records and enums inside a record precede that record.
    let nodes: [SyntaxNode]
    /// The index of the definition of each `struct`, `union` and `enum`, by keyword and tag.
    private(set) var tags: [String: Int] = [:]
    /// The index of each typedef, by name.
    private(set) var typedefs: [String: Int] = [:]
    /// The declarations by clang's identifier.
    private(set) var byId: [String: SyntaxNode] = [:]
    /// The index of the typedef that defines a record or enum in place, by clang's identifier of that record or enum.
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
                // An unnamed record or enum is the type of a field and is written there.
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

    /// Returns the indices of the tag definitions and typedefs that a type names.
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
                // clang writes "struct t" for a struct without a tag whose typedef is t.
                if let index = tags["\(keyword) \(word)"] ?? typedefs[word] { found.append(index) }
                keyword = ""
            }
        }
        return found
    }
}
