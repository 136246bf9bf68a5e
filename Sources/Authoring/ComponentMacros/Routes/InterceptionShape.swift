import SwiftSyntax
import SwiftSyntaxBuilder

/// The attribute `@Intercepts(priority: 100, tags: ["signed-in"])`.
struct InterceptionShape {
    private let traits: RouteTraits

    /// Creates the shape; nil if the function does not have the attribute.
    init?(of function: FunctionShape) throws(MacroDiagnostic) {
        guard let attribute = function.declaration.attributes.named("Intercepts") else { return nil }
        traits = try RouteTraits(MacroArguments(attribute))
        if let route = function.declaration.attributes.named("Route") {
            throw MacroDiagnostic(
                "an interceptor can't have a route: move the route to another function", at: route)
        }
        let signature = function.declaration.signature
        let parameter = function.parameters.first
        guard function.parameters.count == 1, let parameter, parameter.syntax.type.isNamed("RouteRequest") else {
            let given = parameter?.type.kind == .value ? parameter?.syntax : nil
            let name = [given?.firstName, given?.secondName].compactMap { $0?.trimmedDescription }
                .joined(separator: " ")
            let clause = "(\(name.isEmpty ? "request" : name): RouteRequest)"
            throw MacroDiagnostic(
                "an interceptor takes one parameter of type RouteRequest", at: signature.parameterClause,
                fixIts: [
                    .replace(
                        "write \(clause)", signature.parameterClause,
                        with: signature.parameterClause.with(
                            \.parameters,
                            [
                                FunctionParameterSyntax(
                                    firstName: .identifier(name.isEmpty ? "request" : name),
                                    colon: .colonToken(trailingTrivia: .space), type: TypeSyntax("RouteRequest"))
                            ]))
                ])
        }
        guard signature.returnClause?.type.isNamed("RouteDecision") == true else {
            var corrected = signature
            if let clause = signature.returnClause {
                corrected.returnClause = clause.with(
                    \.type, TypeSyntax("RouteDecision").with(\.trailingTrivia, clause.type.trailingTrivia))
            } else {
                let space: Trivia = signature.trailingTrivia.isEmpty ? .space : []
                corrected.returnClause = ReturnClauseSyntax(
                    arrow: .arrowToken(leadingTrivia: space, trailingTrivia: .space),
                    type: TypeSyntax("RouteDecision").with(\.trailingTrivia, .space))
            }
            throw MacroDiagnostic(
                "an interceptor returns a RouteDecision", at: function.declaration.name,
                fixIts: [.replace("return a RouteDecision", signature, with: corrected)])
        }
    }

    /// The value of `intercepts` in the manifest.
    var note: NoteValue {
        var members = NoteMembers()
        members.add("priority", number: traits.priority)
        members.add("tags", items: traits.tags.map { .string($0) })
        return members.value
    }
}

extension TypeSyntax {
    fileprivate func isNamed(_ name: String) -> Bool {
        [name, "ComponentKit.\(name)"].contains(trimmedDescription)
    }
}
