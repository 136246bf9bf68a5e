import SwiftSyntax
import SwiftSyntaxMacros

/// `@PageModule`: marks a function for `@LinkClass`, which checks it and generates the code. This macro only reports
/// misplaced uses.
enum PageModuleMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            try context.requireLinkFunction(declaration, macro: "PageModule", at: node)
            try context.refuseProtocol(macro: "PageModule", at: node)
            return []
        }
    }
}
