import ManifestRules
import SwiftSyntax

/// A row that the author writes in `static let rows: [LinkMethod<Video>] = [.method("probe") { … }, …]`.
struct RowShape {
    let name: String
    let isStatic: Bool
    /// The syntax of the row's name.
    let syntax: Syntax
    private let isAsync: Bool
    private let isMainActor: Bool
    private let isQuick: Bool

    /// The functions of `LinkMethod` that create rows.
    private static let forms = [
        "method", "classMethod", "asyncMethod", "asyncClassMethod", "mainActorMethod", "mainActorClassMethod",
        "deferredMethod",
    ]

    /// Returns the rows of a class, or an empty list if it has no property `rows`.
    static func rows(of declaration: some DeclGroupSyntax) throws(MacroDiagnostic) -> [RowShape] {
        guard let value = initialValue(in: declaration) else { return [] }
        guard let array = value.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic(
                "expected an array literal such as [.method(\"…\") { … }]: a macro reads source code, not values",
                at: value)
        }
        var rows: [RowShape] = []
        for element in array.elements { rows.append(try RowShape(element.expression)) }
        return rows
    }

    /// Whether a class has the property `rows`, be it empty.
    static func areWritten(in declaration: some DeclGroupSyntax) -> Bool { initialValue(in: declaration) != nil }

    private static func initialValue(in declaration: some DeclGroupSyntax) -> ExprSyntax? {
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
                variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }),
                binding.pattern.trimmedDescription == "rows",
                binding.typeAnnotation?.type.trimmedDescription.contains("LinkMethod<") == true
            else { continue }
            return binding.initializer?.value
        }
        return nil
    }

    private init(_ expression: ExprSyntax) throws(MacroDiagnostic) {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            let form = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text,
            RowShape.forms.contains(form), let first = call.arguments.first, first.label == nil,
            let name = try MacroArguments.text(first.expression)
        else {
            throw MacroDiagnostic(
                "expected a row such as .method(\"name\") { … }, made by one of "
                    + RowShape.forms.joined(separator: ", "),
                at: expression)
        }
        try TextRule.selector.check(name, of: "selector", at: first.expression)
        self.name = name
        syntax = Syntax(first.expression)
        isStatic = form.contains("lass")
        isMainActor = form.hasPrefix("mainActor")
        isAsync = isMainActor || form.hasPrefix("async")
        let quick = call.arguments.first { $0.label?.text == "quick" }?.expression
        if let quick, !quick.is(BooleanLiteralExprSyntax.self) {
            throw MacroDiagnostic("expected true or false: a macro reads source code, not values", at: quick)
        }
        isQuick = quick?.trimmedDescription == "true"
    }

    /// The row's entry in the manifest. It has no parameters, because a row reads its payload itself.
    var note: NoteValue {
        var members = NoteMembers()
        members.add("name", name)
        if isStatic { members.add("kind", "class") }
        members.add("async", flag: isAsync)
        members.add("quick", flag: isQuick)
        members.add("mainActor", flag: isMainActor)
        return members.value
    }
}
