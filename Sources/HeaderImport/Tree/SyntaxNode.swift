/// A declaration, or a part of one, as clang's dump has it.
final class SyntaxNode {
    var id = ""
    /// "FunctionDecl", "FieldDecl", …
    var kind = ""
    /// Empty for what has none.
    var name = ""
    /// What the linker knows it by.
    var mangledName = ""
    /// "struct" or "union".
    var tag = ""
    /// The type as it is written.
    var type = ""
    /// The type without names of `typedef`; the same as `type` when clang gives nothing else.
    var desugaredType = ""
    /// Of an expression.
    var value = ""
    /// The underlying type that was written behind an enum.
    var fixedType = ""
    var storage = ""
    var isInline = false
    var isImplicit = false
    var isBitField = false
    var isComplete = false
    /// Of the declaration that a type brings along: `typedef struct { … } name;`.
    var ownedTag = ""
    /// Where it stands, or where the macro stands that it comes from.
    var file = ""
    var children: [SyntaxNode] = []

    /// The first value in what belongs to it: of `= 1 << 3`, of `aligned(8)`.
    var firstValue: String? {
        if !value.isEmpty { return value }
        for child in children {
            if let value = child.firstValue { return value }
        }
        return nil
    }

    /// The declaration that its type brings along.
    var firstOwnedTag: String? {
        if !ownedTag.isEmpty { return ownedTag }
        for child in children {
            if let tag = child.firstOwnedTag { return tag }
        }
        return nil
    }
}
