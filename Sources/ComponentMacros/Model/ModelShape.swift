import SwiftSyntax
import SwiftSyntaxMacros

/// A struct or an enum marked `@Model`.
struct ModelShape {
    let module: String
    /// Its name in Swift, without those of the types around it.
    let typeName: String
    /// With the names of the types around it.
    let name: String
    let content: any ModelContent
    /// Whether it is declared as an error here; a conformance in an extension is not seen.
    let isError: Bool

    /// The name that errors travel under.
    var qualifiedName: String { "\(module).\(name)" }

    init(
        _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        guard let named = declaration.asProtocol((any NamedDeclSyntax).self),
            declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self)
        else {
            throw MacroDiagnostic(
                "@Model belongs on a struct or an enum: a model is copied; instances of classes travel by reference, "
                    + "as @LinkClass",
                at: node)
        }
        if let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
            throw MacroDiagnostic(
                "a generic type can't be described to hosts: write one model for each type that is used", at: generic)
        }
        try context.requireStaticScope(of: named.name, macro: "Model")
        try context.requireVisible(declaration, macro: "Model")
        module = try context.moduleName(of: node)
        typeName = named.name.text
        name = context.outerTypeNames() + named.name.text.withoutBackticks
        let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        isError = inherited.contains { ["Error", "Swift.Error", "any Error", "LocalizedError"].contains($0) }
        content =
            if let declaration = declaration.as(StructDeclSyntax.self) {
                try StructModel(declaration)
            } else if let raw = inherited.first, RawEnumModel.rawTypes.contains(raw) {
                try RawEnumModel(declaration, rawType: raw)
            } else {
                try EnumModel(declaration)
            }
    }

    var note: NoteValue {
        var members = NoteMembers()
        members.add("module", module)
        members.add("name", name)
        content.describe(in: &members)
        members.add("error", flag: isError)
        return members.value
    }
}

/// What a model consists of.
protocol ModelContent {
    /// Adds what hosts are told about it.
    func describe(in members: inout NoteMembers)

    /// The members of the conformance to `PayloadConvertible`.
    func conversions(access: String, type: String) -> String
}
