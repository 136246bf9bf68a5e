import SwiftSyntax
import SwiftSyntaxMacros

/// A struct or an enum marked `@Model`.
struct ModelShape {
    let module: String
    /// The name of the Swift type, without the names of enclosing types.
    let typeName: String
    /// The name with the names of enclosing types.
    let name: String
    let content: any ModelContent
    /// Whether the declaration itself conforms to `Error`. The macro can't see a conformance in an extension.
    let isError: Bool
    /// The name of the event that the model is; nil if it is not an event.
    private let event: String?

    /// The name that identifies errors of this type in a reply.
    var qualifiedName: String { "\(module).\(name)" }

    init(
        _ node: AttributeSyntax, _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
    ) throws(MacroDiagnostic) {
        guard let named = declaration.asProtocol((any NamedDeclSyntax).self),
            declaration.is(StructDeclSyntax.self) || declaration.is(EnumDeclSyntax.self)
        else {
            throw MacroDiagnostic(
                "@Model can only be attached to a struct or an enum, because models are copied: use @LinkClass for a "
                    + "class, whose instances are passed by reference",
                at: node)
        }
        if let generic = declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause {
            throw MacroDiagnostic(
                "a generic type can't be described in the manifest: write a model for each type that is used",
                at: generic)
        }
        try context.requireStaticScope(of: named.name, macro: "Model")
        try context.requireVisible(declaration, macro: "Model")
        module = try context.moduleName(of: node)
        typeName = named.name.text
        name = context.outerTypeNames() + named.name.text.withoutBackticks
        let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
        isError = inherited.contains {
            ["Error", "any Error", "LocalizedError", "CustomNSError", "RecoverableError"].contains($0.lastName)
        }
        // The macro of the attribute reports an invalid name.
        event = declaration.attributes.named("Event").flatMap { try? EventMacro.name($0) }
        if declaration.is(EnumDeclSyntax.self), try ModelShape.isSparse(node) {
            throw MacroDiagnostic("an enum has no properties to leave out: remove .sparse", at: node)
        }
        content =
            if let declaration = declaration.as(StructDeclSyntax.self) {
                try StructModel(declaration, isSparse: try ModelShape.isSparse(node))
            } else if let raw = inherited.first, RawEnumModel.rawTypes.contains(raw) {
                try RawEnumModel(declaration, rawType: raw)
            } else {
                try EnumModel(declaration)
            }
    }

    /// Whether the attribute has the trait `.sparse`.
    private static func isSparse(_ node: AttributeSyntax) throws(MacroDiagnostic) -> Bool {
        var arguments = MacroArguments(node)
        var isSparse = false
        while let trait = arguments.takeUnlabelled() {
            guard trait.trimmedDescription == ".sparse" else {
                throw MacroDiagnostic("expected .sparse, found \(trait.trimmedDescription)", at: trait)
            }
            isSparse = true
        }
        return isSparse
    }

    var note: NoteValue {
        var members = NoteMembers()
        members.add("module", module)
        members.add("name", name)
        content.describe(in: &members)
        members.add("error", flag: isError)
        members.add("event", event)
        return members.value
    }
}

/// The content of a model, which determines its description and its conversions.
protocol ModelContent {
    /// Adds the description of the content to the model's entry in the manifest.
    func describe(in members: inout NoteMembers)

    /// Returns the members of the conformance to `PayloadConvertible`.
    func conversions(access: String, type: String, lines: AuthorLines) -> String
}
