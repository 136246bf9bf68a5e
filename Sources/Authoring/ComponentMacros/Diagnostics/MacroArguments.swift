import ManifestRules
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// The arguments of an attached macro, read from their syntax because a macro has no access to values.
struct MacroArguments {
    private var unlabelled: [ExprSyntax] = []
    private var labelled: [String: ExprSyntax] = [:]
    /// For each label, its argument and the unlabelled ones after it, as in `provides: A.self, B.self`.
    private var following: [String: [ExprSyntax]] = [:]

    init(_ node: AttributeSyntax) {
        guard case .argumentList(let list) = node.arguments else { return }
        var label: String?
        for argument in list {
            if let name = argument.label?.text {
                label = name
                labelled[name] = argument.expression
                following[name] = [argument.expression]
            } else if let label {
                following[label, default: []].append(argument.expression)
            } else {
                unlabelled.append(argument.expression)
            }
        }
    }

    subscript(label: String) -> ExprSyntax? { labelled[label] }

    /// Removes and returns the first remaining argument without a label.
    mutating func takeUnlabelled() -> ExprSyntax? { unlabelled.isEmpty ? nil : unlabelled.removeFirst() }

    /// Returns the text of the string literal with this label; nil if the argument is missing or `nil`.
    func text(labelled label: String) throws(MacroDiagnostic) -> String? {
        try labelled[label].flatMap { (value) throws(MacroDiagnostic) in try MacroArguments.text(value) }
    }

    /// Returns a name that callers use: the first argument if it is a string literal, otherwise `fallback`.
    mutating func name(
        else fallback: String, _ rule: TextRule, of what: String
    ) throws(MacroDiagnostic) -> String {
        guard let value = unlabelled.first, value.is(StringLiteralExprSyntax.self) else { return fallback }
        unlabelled.removeFirst()
        let name = try MacroArguments.text(value) ?? fallback
        try rule.check(name, of: what, at: value)
        return name
    }

    /// Returns the name of an enum case, as in `instances: .perCall`.
    func member(labelled label: String, of names: [String]) throws(MacroDiagnostic) -> String? {
        guard let value = labelled[label] else { return nil }
        guard let member = value.as(MemberAccessExprSyntax.self), names.contains(member.declName.baseName.text) else {
            let choices = names.map { ".\($0)" }.joined(separator: ", ")
            throw MacroDiagnostic("expected one of \(choices), found \(value.trimmedDescription)", at: value)
        }
        return member.declName.baseName.text
    }

    /// Returns the types in a list of different metatypes, as in `provides: (any AccountService).self, B.self`.
    func types(labelled label: String) throws(MacroDiagnostic) -> [TypeSyntax] {
        var types: [TypeSyntax] = []
        for value in following[label] ?? [] {
            let type = try MacroArguments.type(value)
            guard !types.contains(where: { $0.trimmedDescription == type.trimmedDescription }) else {
                throw MacroDiagnostic("duplicate type \(type.trimmedDescription): remove it", at: value)
            }
            types.append(type)
        }
        return types
    }

    /// Returns the type of `(any P).self`, `P.self` or `Module.P.self`, without `any`.
    static func type(_ value: ExprSyntax) throws(MacroDiagnostic) -> TypeSyntax {
        guard let member = value.as(MemberAccessExprSyntax.self), member.declName.baseName.tokenKind == .keyword(.self),
            var base = member.base
        else {
            throw MacroDiagnostic(
                "expected a type such as (any AccountService).self, found \(value.trimmedDescription)", at: value)
        }
        while let tuple = base.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            base = only.expression
        }
        if let type = base.as(TypeExprSyntax.self)?.type {
            return type.as(SomeOrAnyTypeSyntax.self)?.constraint.trimmed ?? type.trimmed
        }
        return "\(raw: base.trimmedDescription)"
    }

    /// Returns the text of a string literal, or nil for `nil`.
    static func text(_ value: ExprSyntax) throws(MacroDiagnostic) -> String? {
        if value.is(NilLiteralExprSyntax.self) { return nil }
        guard let literal = value.as(StringLiteralExprSyntax.self), let text = literal.representedLiteralValue else {
            throw MacroDiagnostic(
                "expected a plain string literal: a macro reads source code, not values", at: value)
        }
        return text
    }
}

extension TextRule {
    /// Rejects a text that hosts would reject, and suggests the likely correction.
    ///
    /// - Parameters:
    ///   - what: The kind of text, such as "selector" or "version".
    ///   - syntax: The syntax that the diagnostic points to.
    func check(_ text: String, of what: String, at syntax: some SyntaxProtocol) throws(MacroDiagnostic) {
        guard !allows(text) else { return }
        let correction = correction(of: text).map { correction in
            FixIt.replace(
                "write \(correction.quoted)", syntax, with: ExprSyntax("\(literal: correction)"))
        }
        throw MacroDiagnostic(
            "the \(what) \(text.quoted) is invalid: expected \(expected)", at: syntax,
            fixIts: correction.map { [$0] } ?? [])
    }
}
