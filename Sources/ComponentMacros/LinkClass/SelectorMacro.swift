import ManifestRules
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Selector`: marks a function for `@LinkClass`, which does the work. Alone it says where it has no effect.
enum SelectorMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        do throws(MacroDiagnostic) {
            guard declaration.is(FunctionDeclSyntax.self) else {
                throw MacroDiagnostic("@Selector belongs on a function: only functions are called by name", at: node)
            }
            let outer = context.lexicalContext.first
            if outer?.is(ExtensionDeclSyntax.self) == true {
                throw MacroDiagnostic(
                    "@Selector has no effect in an extension, which the macro on the class doesn't see: move the "
                        + "function into the class",
                    at: node)
            }
            guard let type = outer?.asProtocol((any WithAttributesSyntax).self),
                type.attributes.named("LinkClass") != nil
            else {
                throw MacroDiagnostic("@Selector has an effect only in a class marked @LinkClass", at: node)
            }
        } catch {
            context.diagnose(error)
        }
        return []
    }
}

extension FunctionShape {
    /// A function marked `@Selector("name", .quick)`.
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
            throw MacroDiagnostic("a selector of the class is a static function: write static", at: function.modifiers)
        }
    }
}
