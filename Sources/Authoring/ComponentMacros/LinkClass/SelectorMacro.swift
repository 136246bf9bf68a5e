import ManifestRules
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Selector`: marks a function for `@LinkClass`, which generates the code. This macro only reports misplaced uses.
enum SelectorMacro: FunctionMark {
    static let attribute = "Selector"
    static let needsClass = false
}

/// A macro that marks a function for `@LinkClass`, which generates the code. It only reports misplaced uses.
protocol FunctionMark: PeerMacro {
    /// The name of the attribute.
    static var attribute: String { get }
    /// Whether only a class can do what it says, and not a protocol.
    static var needsClass: Bool { get }
}

extension FunctionMark {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        context.reporting { () throws(MacroDiagnostic) in
            try context.requireLinkFunction(declaration, macro: attribute, at: node)
            if needsClass { try context.refuseProtocol(macro: attribute, at: node) }
            return []
        }
    }
}

extension MacroExpansionContext {
    /// Rejects anything but a function of a class marked `@LinkClass`, of a protocol marked `@LinkService`, or, for
    /// event handlers, of a type marked `@Component`.
    func requireLinkFunction(
        _ declaration: some DeclSyntaxProtocol, macro: String, at node: AttributeSyntax
    ) throws(MacroDiagnostic) {
        guard declaration.is(FunctionDeclSyntax.self) else {
            throw MacroDiagnostic("@\(macro) can only be attached to a function", at: node)
        }
        let outer = lexicalContext.first
        if outer?.is(ExtensionDeclSyntax.self) == true {
            throw MacroDiagnostic(
                "@\(macro) has no effect in an extension, because @LinkClass can't see extensions: move the function "
                    + "into the class",
                at: node)
        }
        let attributes = outer?.asProtocol((any WithAttributesSyntax).self)?.attributes
        let (other, words) = macro == "On" ? ("Component", "type") : ("LinkService", "protocol")
        // A handler in a protocol has a message of its own.
        let isInProtocol = outer?.is(ProtocolDeclSyntax.self) == true && attributes?.named("LinkService") != nil
        guard attributes?.named("LinkClass") != nil || attributes?.named(other) != nil || isInProtocol else {
            throw MacroDiagnostic(
                "@\(macro) has no effect outside a class marked @LinkClass or a \(words) marked @\(other)", at: node)
        }
    }
}

extension MacroExpansionContext {
    /// Rejects a function of a protocol, where only a class can do what the attribute says.
    func refuseProtocol(macro: String, at node: AttributeSyntax) throws(MacroDiagnostic) {
        guard let type = lexicalContext.first?.as(ProtocolDeclSyntax.self) else { return }
        throw MacroDiagnostic(
            "@\(macro) has no effect in the protocol \(type.name.text): attach it to a function of a class marked "
                + "@LinkClass", at: node)
    }
}

extension FunctionShape {
    /// The attributes that make a function a selector of its class.
    static let marks = ["Selector", "Route", "Intercepts", "On", "PageModule"]

    /// Creates the shape of a function with its attributes, such as `@Selector("name", .quick)` and `@Route("/a")`.
    init(marked function: FunctionDeclSyntax) throws(MacroDiagnostic) {
        try self.init(function)
        if let attribute = function.attributes.named("Selector") {
            var arguments = MacroArguments(attribute)
            selector = try arguments.name(else: selector, .selector, of: "selector")
            while let trait = arguments.takeUnlabelled() {
                switch trait.trimmedDescription {
                case ".quick": (isQuick, quickSyntax) = (true, Syntax(trait))
                case ".strict": isStrict = true
                default:
                    throw MacroDiagnostic("expected .quick or .strict, found \(trait.trimmedDescription)", at: trait)
                }
            }
        }
        routes = try RouteShape.routes(of: self)
        interception = try InterceptionShape(of: self)
        handler = try HandlerShape(of: self)
        pageModule = try PageModuleShape(of: self)
        if function.modifiers.contains(where: { $0.name.tokenKind == .keyword(.class) }) {
            throw MacroDiagnostic("a class selector must be static: replace class with static", at: function.modifiers)
        }
    }
}
