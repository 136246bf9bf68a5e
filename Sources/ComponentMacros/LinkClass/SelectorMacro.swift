import ManifestRules
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Selector`: marks a function for `@LinkClass`, which generates the code. This macro only reports misplaced uses.
enum SelectorMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        do throws(MacroDiagnostic) {
            guard declaration.is(FunctionDeclSyntax.self) else {
                throw MacroDiagnostic("@Selector can only be attached to a function", at: node)
            }
            let outer = context.lexicalContext.first
            if outer?.is(ExtensionDeclSyntax.self) == true {
                throw MacroDiagnostic(
                    "@Selector has no effect in an extension, because @LinkClass can't see extensions: move the "
                        + "function into the class",
                    at: node)
            }
            guard let type = outer?.asProtocol((any WithAttributesSyntax).self),
                type.attributes.named("LinkClass") != nil || type.attributes.named("LinkService") != nil
            else {
                throw MacroDiagnostic(
                    "@Selector has no effect outside a class marked @LinkClass or a protocol marked @LinkService",
                    at: node)
            }
        } catch {
            context.diagnose(error)
        }
        return []
    }
}

extension FunctionShape {
    /// Creates the shape of a function marked `@Selector("name", .quick)`.
    init(_ function: FunctionDeclSyntax, selector attribute: AttributeSyntax) throws(MacroDiagnostic) {
        try self.init(function)
        var arguments = MacroArguments(attribute)
        selector = try arguments.name(else: selector, .selector, of: "selector")
        while let trait = arguments.takeUnlabelled() {
            guard trait.trimmedDescription == ".quick" else {
                throw MacroDiagnostic("expected .quick, found \(trait.trimmedDescription)", at: trait)
            }
            isQuick = true
        }
        if function.modifiers.contains(where: { $0.name.tokenKind == .keyword(.class) }) {
            throw MacroDiagnostic("a class selector must be static: replace class with static", at: function.modifiers)
        }
    }
}
