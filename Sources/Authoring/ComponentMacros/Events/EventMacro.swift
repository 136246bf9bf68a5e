import ManifestRules
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Event("com.example.account/signedIn")`: makes a model an event. `@Model` records the name in the model's note.
enum EventMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let name: String
        do throws(MacroDiagnostic) {
            name = try EventMacro.name(node)
            guard declaration.attributes.named("Model") != nil else {
                throw MacroDiagnostic(
                    "an event is a model: add @Model", at: node,
                    fixIts: [.replace("add @Model", node, with: AttributeSyntax("@Model \(node.trimmed)"))])
            }
        } catch {
            context.diagnose(error)
            return []
        }
        let access = declaration.modifiers.accessWord
        return [
            try ExtensionDeclSyntax(
                """
                extension \(type.trimmed): ComponentKit.LinkEvent {
                    \(raw: access)static var eventName: String { \(raw: name.swiftLiteral) }
                }
                """)
        ]
    }

    /// Returns the name of the event that an attribute declares.
    static func name(_ attribute: AttributeSyntax) throws(MacroDiagnostic) -> String {
        var arguments = MacroArguments(attribute)
        guard let argument = arguments.takeUnlabelled(), let name = try MacroArguments.text(argument) else {
            throw MacroDiagnostic(
                "an event needs a name, as in @Event(\"com.example.account/signedIn\")", at: attribute)
        }
        try TextRule.event.check(name, of: "event", at: argument)
        guard !EventRules.isReserved(name) else {
            throw MacroDiagnostic(
                "names that begin with \"\(EventRules.reservedPrefix)\" belong to hosts: choose another one",
                at: argument)
        }
        return name
    }
}

/// `@On`: marks a function for `@LinkClass`, which checks it and generates the code. This macro only reports misplaced
/// uses.
enum OnMacro: FunctionMark {
    static let attribute = "On"
    static let needsClass = true
}
