import ManifestRules
import SwiftSyntax

/// The attribute `@On(.loads, priority: 5)`, or `@On("com.example.account/signedIn")`.
struct HandlerShape {
    /// The event's name, or the type of the parameter as the author wrote it.
    private let event: String
    /// Whether the type of the parameter says which event it is.
    let isTyped: Bool
    private let loads: Bool
    private let isConcurrent: Bool
    private let priority: Int

    /// Creates the shape; nil if the function does not have the attribute.
    init?(of function: FunctionShape) throws(MacroDiagnostic) {
        guard let attribute = function.declaration.attributes.named("On") else { return nil }
        for other in ["Route", "Intercepts"] {
            guard let attribute = function.declaration.attributes.named(other) else { continue }
            throw MacroDiagnostic("an event handler can't have @\(other): use a function of its own", at: attribute)
        }
        guard function.parameters.count == 1, let parameter = function.parameters.first, parameter.type.kind == .value
        else {
            throw MacroDiagnostic(
                "an event handler takes one parameter, the event", at: function.declaration.signature.parameterClause)
        }
        if function.result != nil, let clause = function.declaration.signature.returnClause {
            throw MacroDiagnostic("an event handler returns nothing: no caller waits for a result", at: clause)
        }
        var arguments = MacroArguments(attribute)
        var name: String?
        var (loads, isConcurrent) = (false, false)
        while let argument = arguments.takeUnlabelled() {
            if name == nil, argument.is(StringLiteralExprSyntax.self) {
                name = try MacroArguments.text(argument)
                try TextRule.event.check(name ?? "", of: "event", at: argument)
            } else if argument.trimmedDescription == ".loads" {
                loads = true
            } else if argument.trimmedDescription == ".concurrent" {
                isConcurrent = true
            } else {
                throw MacroDiagnostic(
                    "expected .loads or .concurrent, found \(argument.trimmedDescription)", at: argument)
            }
        }
        self.loads = loads
        self.isConcurrent = isConcurrent
        isTyped = name == nil
        if isTyped, parameter.type.isPlain {
            throw MacroDiagnostic(
                "\(parameter.type.written) is not an event: write the type of an event, which is marked @Model and "
                    + "@Event, or name the event, as in @On(\"com.example.account/signedIn\")",
                at: parameter.syntax.type)
        }
        event = name ?? parameter.syntax.type.trimmedDescription
        priority = try arguments.priority()
    }

    /// The value of `on` in the manifest.
    var note: NoteValue {
        var members = NoteMembers()
        members.add("event", event)
        members.add("loads", flag: loads)
        members.add("concurrent", flag: isConcurrent)
        members.add("priority", number: priority)
        return members.value
    }
}
