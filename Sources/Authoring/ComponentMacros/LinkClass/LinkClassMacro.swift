import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@LinkClass("VideoLink")`: generates the method table, the note, the record and the conformance of a class.
enum LinkClassMacro: MemberMacro, ExtensionMacro {
    /// The expansion is already formatted.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            let shape = try LinkClassShape(node, declaration, in: context)
            let (functions, rows) = shape.methods(reportingTo: context)
            if let warning = ReachabilityCheck(node, shape).warning { context.diagnose(warning) }
            let lines = AuthorLines(context)
            let note = try NoteDeclaration.member(.linkClass, shape.note(functions, rows), at: node)
            var record = RecordDeclaration(function: "linkClass", isMember: true)
            record.add("module", string: shape.module)
            record.add("name", string: shape.name)
            record.add("type", source: "\(shape.typeName).self")
            if shape.instances != "shared" { record.add("instances", source: ".\(shape.instances)") }
            return [
                note.declaration(named: context.makeUniqueName("note")),
                record.declaration(named: context.makeUniqueName("record")),
                UniqueSymbol(ofClass: shape.name, in: shape.module)
                    .declaration(named: context.makeUniqueName("onlyClassOfItsName")),
                shape.table(functions, hasRows: !rows.isEmpty, lines: lines),
            ] + shape.servicesMember
                + RouteChecks.member(for: functions, named: context.makeUniqueName("routeChecks"), lines: lines)
                + (try shape.initializer())
        }
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        // The member expansion reports the errors. Without its method table the class can't conform.
        guard !protocols.isEmpty, (try? LinkClassShape(node, declaration, in: context)) != nil else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): ComponentKit.LinkClass {}")]
    }
}
