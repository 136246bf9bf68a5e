import ManifestRules
import SwiftSyntax

/// The attribute `@PageModule("owner.addresses")`.
struct PageModuleShape {
    private let name: String
    /// Whether it returns a boolean, which hides sections, instead of a view.
    let isCondition: Bool

    /// Creates the shape; nil if the function does not have the attribute.
    init?(of function: FunctionShape) throws(MacroDiagnostic) {
        guard let attribute = function.declaration.attributes.named("PageModule") else { return nil }
        for other in ["Route", "Intercepts", "On"] {
            guard let attribute = function.declaration.attributes.named(other) else { continue }
            throw MacroDiagnostic("a page module can't have @\(other): use a function of its own", at: attribute)
        }
        var arguments = MacroArguments(attribute)
        guard let argument = arguments.takeUnlabelled(), let name = try MacroArguments.text(argument) else {
            throw MacroDiagnostic(
                "a page module needs a name, as in @PageModule(\"owner.addresses\")", at: attribute)
        }
        try TextRule.pageModule.check(name, of: "page module", at: argument)
        self.name = name
        let parameters = function.parameters
        let isValid =
            (1...2).contains(parameters.count) && parameters.allSatisfy { $0.type.kind == .value }
            && ["PageContext", "PageKit.PageContext"].contains(parameters[0].syntax.type.trimmedDescription)
        guard isValid else {
            throw MacroDiagnostic(
                "a page module takes a PageContext, and then the model of its data if it has any",
                at: function.declaration.signature.parameterClause)
        }
        guard let type = function.declaration.signature.returnClause?.type, !type.isVoid else {
            throw MacroDiagnostic(
                "a page module returns some View, or Bool if it is a condition", at: function.declaration.name)
        }
        isCondition = PageModuleShape.isCondition(type)
        guard isCondition || !PageModuleShape.isSurelyNoView(type) else {
            throw MacroDiagnostic(
                "a page module returns some View, or Bool if it is a condition, and not \(type.trimmedDescription)",
                at: type)
        }
    }

    /// Whether no view can have this type. The compiler checks other types.
    private static func isSurelyNoView(_ type: TypeSyntax) -> Bool {
        if let opaque = type.as(SomeOrAnyTypeSyntax.self) {
            // A protocol of the author may inherit from View.
            return ValueShape.standardProtocols.contains(opaque.constraint.trimmedDescription.lastName)
        }
        let isCollection =
            type.is(OptionalTypeSyntax.self) || type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self)
        return isCollection || ValueShape.isPlain(type)
    }

    /// Whether a function with this result is a condition.
    static func isCondition(_ result: TypeSyntax) -> Bool {
        ["Bool", "Swift.Bool"].contains(result.trimmedDescription)
    }

    /// The type of the result in the manifest. That of a view is opaque in Swift.
    var result: String? { isCondition ? nil : "ViewNode" }

    /// The value of `pageModule` in the manifest.
    var note: NoteValue {
        var members = NoteMembers()
        members.add("name", name)
        return members.value
    }
}
