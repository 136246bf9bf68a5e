/// Writes the declarations of structs, unions, enums and typedefs.
struct TypeWriter {
    let tree: HeaderTree
    /// The structs that are only named and the types that are left out, by their keys, with the reasons.
    var opaque: [String: String] = [:]

    /// Returns the key of a declaration in `opaque`.
    static func key(of node: SyntaxNode) -> String {
        switch node.kind {
        case "RecordDecl": "\(node.tag) \(node.name)"
        case "EnumDecl": node.name.isEmpty ? node.id : "enum \(node.name)"
        default: node.name
        }
    }

    /// The reason why a struct can't be written.
    private struct Refusal: Error {
        let reason: String
    }

    /// Returns the text of a declaration, or nil if it is opaque or not needed.
    mutating func text(_ node: SyntaxNode) -> String? {
        switch node.kind {
        case "RecordDecl":
            let name = TypeWriter.key(of: node)
            guard node.isComplete, opaque[name] == nil else { return nil }
            do throws(Refusal) {
                return try record(node, name) + ";"
            } catch {
                opaque[name] = error.reason
                return nil
            }
        case "EnumDecl":
            guard opaque[TypeWriter.key(of: node)] == nil else { return nil }
            return enumeration(node, node.name.isEmpty ? "enum" : "enum \(node.name)") + ";"
        case "TypedefDecl": return typedef(node)
        default: return nil
        }
    }

    private mutating func typedef(_ node: SyntaxNode) -> String? {
        let tail = alignment(node).map { " \($0)" } ?? ""
        if let id = node.firstOwnedTag, let owned = tree.byId[id], owned.name.isEmpty {
            if owned.kind == "EnumDecl" {
                return "typedef \(declaration(node, of: enumeration(owned, "enum"), owned));"
            }
            do throws(Refusal) {
                guard opaque[node.name] == nil else { throw Refusal(reason: opaque[node.name] ?? "") }
                return "typedef \(declaration(node, of: try record(owned, owned.tag), owned))\(tail);"
            } catch {
                opaque[node.name] = error.reason
                return "typedef \(owned.tag) \(node.name) \(node.name);"
            }
        }
        guard opaque[node.name] == nil else { return nil }
        return "typedef \(TypeText.declaration(of: node.name, cleaned(node.type)))\(tail);"
    }

    /// Returns the declaration of a typedef that defines an untagged struct or enum.
    private func declaration(_ node: SyntaxNode, of body: String, _ owned: SyntaxNode) -> String {
        // clang writes "struct t" for a struct without a tag whose typedef is t.
        let keyword = owned.kind == "EnumDecl" ? "enum" : owned.tag
        guard node.type != "\(keyword) \(node.name)", node.type != node.name else { return "\(body) \(node.name)" }
        return declaration(of: node.name, node.type, unnamed: body)
    }

    /// Returns the declaration of a name with a type, in which `body` replaces an unnamed type.
    private func declaration(of name: String, _ type: String, unnamed body: String) -> String {
        guard let range = TypeText.unnamed(in: type) else { return TypeText.declaration(of: name, type) }
        // The body may contain parentheses, so insert it last.
        let mark = "struct hslink_unnamed"
        let text = TypeText.declaration(of: name, type[..<range.lowerBound] + mark + type[range.upperBound...])
        return TypeText.replacing(text, mark, with: body)
    }

    private func record(_ node: SyntaxNode, _ name: String) throws(Refusal) -> String {
        var fields: [String] = []
        var attributes = ""
        var unnamed: String?
        for child in node.children {
            switch child.kind {
            case "RecordDecl" where child.name.isEmpty && child.isComplete: unnamed = try record(child, child.tag)
            case "EnumDecl" where child.name.isEmpty: unnamed = enumeration(child, "enum")
            case "FieldDecl": fields.append(try field(child, unnamed))
            case "PackedAttr": attributes += " __attribute__((packed))"
            case "TransparentUnionAttr": attributes += " __attribute__((transparent_union))"
            case "AlignedAttr": attributes += alignment(child).map { " \($0)" } ?? ""
            case "MaxFieldAlignmentAttr": throw Refusal(reason: "'#pragma pack' moves its fields")
            default: break
            }
        }
        return "\(name) { \(fields.joined(separator: " ")) }\(attributes)"
    }

    private func field(_ node: SyntaxNode, _ unnamed: String?) throws(Refusal) -> String {
        var text: String
        if TypeText.unnamed(in: node.type) != nil {
            guard let unnamed else { throw Refusal(reason: "the type of its field '\(node.name)' has no name") }
            text = node.name.isEmpty ? unnamed : declaration(of: node.name, node.type, unnamed: unnamed)
        } else {
            text = node.name.isEmpty ? cleaned(node.type) : TypeText.declaration(of: node.name, cleaned(node.type))
        }
        if node.isBitField {
            let width = node.children.lazy.filter { !$0.kind.hasSuffix("Attr") }.compactMap(\.firstValue).first
            guard let width else { throw Refusal(reason: "the width of its bit-field '\(node.name)' is unknown") }
            text += " : \(width)"
        }
        for child in node.children {
            if child.kind == "PackedAttr" { text += " __attribute__((packed))" }
            if child.kind == "AlignedAttr", let written = alignment(child) { text += " \(written)" }
        }
        return text + ";"
    }

    func enumeration(_ node: SyntaxNode, _ name: String) -> String {
        let constants = node.children.filter { $0.kind == "EnumConstantDecl" }.map { constant in
            constant.firstValue.map { "\(constant.name) = \($0)" } ?? constant.name
        }
        let fixed = node.fixedType.isEmpty ? "" : " : \(node.fixedType)"
        let isPacked = node.children.contains { $0.kind == "PackedAttr" }
        return "\(name)\(fixed) { \(constants.joined(separator: ", ")) }\(isPacked ? " __attribute__((packed))" : "")"
    }

    /// Returns the attribute `aligned` of a node, which may be the attribute itself; nil if it has none.
    private func alignment(_ node: SyntaxNode) -> String? {
        guard
            let attribute = node.kind == "AlignedAttr" ? node : node.children.first(where: { $0.kind == "AlignedAttr" })
        else { return nil }
        guard let value = attribute.firstValue else { return "__attribute__((aligned))" }
        return "__attribute__((aligned(\(value))))"
    }

    /// Returns a type as a valid declaration writes it: `va_list` by its name, and no keyword before a name that is not
    /// a tag.
    func cleaned(_ type: String) -> String {
        var type = type
        for (list, name) in [
            ("struct __va_list_tag *", "va_list "), ("struct __va_list_tag[1]", "va_list"),
            ("struct __va_list", "va_list"),
        ] where type.contains("__va_list") {
            type = TypeText.replacing(type, list, with: name)
        }
        for word in TypeText.words(type) where tree.typedefs[word] != nil {
            for keyword in ["struct", "union", "enum"] where isUnnamed(word, keyword) {
                type = TypeText.replacing(type, "\(keyword) \(word)", with: word)
            }
        }
        return type
    }

    /// Returns whether a typedef is the only name of a struct, union or enum.
    private func isUnnamed(_ name: String, _ keyword: String) -> Bool {
        guard tree.tags["\(keyword) \(name)"] == nil, let index = tree.typedefs[name],
            let id = tree.nodes[index].firstOwnedTag
        else { return false }
        return tree.byId[id]?.name.isEmpty ?? false
    }
}
