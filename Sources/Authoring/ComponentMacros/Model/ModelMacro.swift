import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: generates the conversion of a struct or an enum to and from a payload, and a note that describes the type.
enum ModelMacro: MemberMacro, ExtensionMacro {
    /// The expansion is already formatted.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            let model = try ModelShape(node, declaration, in: context)
            let note = try NoteDeclaration.member(.model, model.note, at: node)
            var members = [note.declaration(named: context.makeUniqueName("note"))]
            if model.isError {
                var record = RecordDeclaration(function: "modelError", isMember: true)
                record.add("module", string: model.module)
                record.add("name", string: model.name)
                record.add("type", source: "\(model.typeName).self")
                members.append(record.declaration(named: context.makeUniqueName("record")))
            }
            if let content = model.content as? StructModel { members += content.memberwiseInitializer }
            return members
        }
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // The member expansion reports the errors.
        guard let model = try? ModelShape(node, declaration, in: context) else { return [] }
        let access = declaration.modifiers.accessWord
        let conversions = model.content.conversions(
            access: access, type: type.trimmedDescription, lines: AuthorLines(context))
        var extensions = [
            try ExtensionDeclSyntax(
                """
                extension \(type.trimmed): ComponentKit.PayloadConvertible {
                \(raw: conversions.indented(by: 4))
                }
                """)
        ]
        if model.isError {
            extensions.append(
                try ExtensionDeclSyntax(
                    """
                    extension \(type.trimmed): ComponentKit.ModelError {
                        \(raw: access)static var modelName: String { \(raw: model.qualifiedName.swiftLiteral) }
                    }
                    """))
        }
        return extensions
    }
}
