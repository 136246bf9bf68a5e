import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Component(version: "1.0.0")`: the note and the record of a component, and its life cycle.
enum ComponentMacro: MemberMacro, ExtensionMacro, PeerMacro {
    /// The expansion is laid out already.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            let component = try ComponentShape(node, declaration, in: context)
            let note = try NoteDeclaration.member(.component, component.note, at: node)
            var record = RecordDeclaration(function: "component", isMember: true)
            record.add("module", string: component.module)
            record.add("name", string: component.name)
            record.add("version", string: component.version)
            record.add("type", source: "\(component.typeName).self")
            return [
                note.declaration(named: context.makeUniqueName("note")),
                record.declaration(named: context.makeUniqueName("record")),
            ] + (try component.initializer())
        }
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // What is wrong is said by the other half of the macro.
        guard !protocols.isEmpty, (try? ComponentShape(node, declaration, in: context)) != nil else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): ComponentKit.Component {}")]
    }

    /// Two components in one module are two declarations of one name.
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        ["/// There is one component in a module.\nenum __OnlyOneComponentPerModule {}"]
    }
}
