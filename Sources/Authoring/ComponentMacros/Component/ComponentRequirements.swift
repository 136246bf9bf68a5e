import ManifestRules
import SwiftSyntax

/// Reads `requires: [.component("EMAccount", ">=1.0.0"), .class("HostLink"), .service((any P).self)]`.
enum ComponentRequirements {
    static func read(_ list: ExprSyntax?) throws(MacroDiagnostic) -> [NoteValue] {
        guard let list else { return [] }
        guard let array = list.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic("expected an array literal such as [.component(…)]", at: list)
        }
        var requirements: [NoteValue] = []
        for element in array.elements { requirements.append(try requirement(element.expression)) }
        return requirements
    }

    private static func requirement(_ expression: ExprSyntax) throws(MacroDiagnostic) -> NoteValue {
        guard let call = expression.as(FunctionCallExprSyntax.self),
            let name = call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text.withoutBackticks,
            let first = call.arguments.first
        else {
            throw MacroDiagnostic(
                "expected .component(…), .class(…) or .service(…), found \(expression.trimmedDescription)",
                at: expression)
        }
        var members = NoteMembers()
        switch name {
        case "component":
            members.add("component", try text(first.expression, .componentName, of: "component"))
            // No range, or an empty one, accepts every version.
            if let range = call.arguments.dropFirst().first, range.label == nil,
                try MacroArguments.text(range.expression) != ""
            {
                members.add("version", try text(range.expression, .versionRange, of: "version range"))
            }
        case "class":
            members.add("class", try text(first.expression, .name, of: "class"))
            members.add("selectors", items: try selectors(call.argument(labelled: "selectors")))
        case "service":
            if first.expression.is(StringLiteralExprSyntax.self) {
                members.add("service", try text(first.expression, .service, of: "service"))
            } else {
                members.add("protocol", try MacroArguments.type(first.expression).trimmedDescription)
            }
        default:
            throw MacroDiagnostic("expected .component(…), .class(…) or .service(…), found .\(name)", at: expression)
        }
        if let optional = call.argument(labelled: "optional") {
            guard let literal = optional.as(BooleanLiteralExprSyntax.self) else {
                throw MacroDiagnostic("expected true or false: a macro reads source code, not values", at: optional)
            }
            members.add("optional", flag: literal.literal.tokenKind == .keyword(.true))
        }
        return members.value
    }

    /// Returns the text of a string literal and checks it against `rule`.
    private static func text(
        _ expression: ExprSyntax, _ rule: TextRule, of what: String
    ) throws(MacroDiagnostic) -> String? {
        let text = try MacroArguments.text(expression)
        try rule.check(text ?? "", of: what, at: expression)
        return text
    }

    private static func selectors(_ list: ExprSyntax?) throws(MacroDiagnostic) -> [NoteValue] {
        guard let list else { return [] }
        guard let array = list.as(ArrayExprSyntax.self) else {
            throw MacroDiagnostic("expected an array literal such as [\"log\"]", at: list)
        }
        var items: [NoteValue] = []
        var known: Set<String> = []
        for element in array.elements {
            guard let text = try text(element.expression, .name, of: "selector") else { continue }
            guard known.insert(text).inserted else {
                throw MacroDiagnostic("duplicate selector \(text.quoted): remove it", at: element.expression)
            }
            items.append(.string(text))
        }
        return items
    }
}

extension FunctionCallExprSyntax {
    fileprivate func argument(labelled label: String) -> ExprSyntax? {
        arguments.first { $0.label?.text == label }?.expression
    }
}
