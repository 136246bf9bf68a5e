import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@LinkService("com.example.account/1")`: generates a protocol's client, its providers' method table, its
/// note, and the functions that make URLs of its routes.
enum LinkServiceMacro: PeerMacro {
    /// The expansion is already formatted.
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            let service = try ServiceShape(node, declaration, in: context)
            let note = try NoteDeclaration.member(.service, service.note, at: node)
            let lines = AuthorLines(context)
            let client = ServiceClientSource(
                service: service, note: note.declaration(named: context.makeUniqueName("note")).description,
                lines: lines)
            var peers: [DeclSyntax] = ["\(raw: client.source)", "\(raw: service.tableSource(lines))"]
            if let making = service.makingSource { peers.append("\(raw: making)") }
            if let routes = try ServiceRoutesSource(service, lines).source { peers.append("\(raw: routes)") }
            return peers
        }
    }
}
