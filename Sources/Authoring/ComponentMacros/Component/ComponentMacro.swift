import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Component(version: "1.0.0")`: generates the note, the record and the `Component` conformance of a component.
enum ComponentMacro: MemberMacro, ExtensionMacro, PeerMacro {
    /// The expansion is already formatted.
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
            ] + component.checks(named: context.makeUniqueName("typeChecks"), AuthorLines(context))
                + (try component.initializer())
                + (try ComponentHandlers(of: component, reportingTo: context).member(at: node, in: context))
        }
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // The member expansion reports the errors.
        guard !protocols.isEmpty, (try? ComponentShape(node, declaration, in: context)) != nil else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): ComponentKit.Component {}")]
    }

    /// What the compiler's error about a second declaration says.
    private static let onlyOne = "a module can have only one @Component; move the other into a target of its own"

    /// Declares the same name for each component, so a second one in a module fails to compile.
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        ["/// A module can have only one component.\nenum `\(raw: onlyOne)` {}"]
    }
}
