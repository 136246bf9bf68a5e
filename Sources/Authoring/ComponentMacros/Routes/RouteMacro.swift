import SwiftSyntax
import SwiftSyntaxMacros

/// `@Route("studio://video/:id")`: marks a function for `@LinkClass` and `@LinkService`, which check the routes and
/// generate the code. This macro only reports misplaced uses.
enum RouteMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            try context.requireLinkFunction(declaration, macro: "Route", at: node)
            return []
        }
    }
}

/// `@Intercepts(tags: ["signed-in"])`: marks a function for `@LinkClass`, which checks it and generates the code. This
/// macro only reports misplaced uses.
enum InterceptsMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            try context.requireLinkFunction(declaration, macro: "Intercepts", at: node)
            try context.refuseProtocol(macro: "Intercepts", at: node)
            return []
        }
    }
}
