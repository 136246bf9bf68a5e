import SwiftSyntax

/// A stored property of a model, or an associated value of a case.
struct ModelField {
    /// The key in the payload.
    let key: String
    let type: ValueShape
    let defaultValue: ExprSyntax?
    private let isOptional: Bool
    /// The type where the author wrote it.
    private let syntax: TypeSyntax

    init(key: String, type syntax: TypeSyntax, defaultValue: ExprSyntax?) throws(MacroDiagnostic) {
        self.key = key
        self.syntax = syntax
        type = try ValueShape(syntax)
        self.defaultValue = defaultValue
        isOptional = syntax.is(OptionalTypeSyntax.self)
        switch type.kind {
        case .value: break
        case .closure, .optionalClosure:
            throw MacroDiagnostic("a model can't contain a closure: pass it as a separate parameter", at: syntax)
        case .service:
            throw MacroDiagnostic("a model can't contain a service: pass it as a separate parameter", at: syntax)
        }
    }

    /// Returns a statement with the line of the field, unless its type can be part of a model for certain.
    func marked(_ statement: String, _ lines: AuthorLines) -> String {
        type.isPlain ? statement : lines.at(syntax, statement)
    }

    /// What a reader takes if the key is missing: the default, or nil; nil if the key must be there.
    var standard: String? { defaultValue?.trimmedDescription ?? (isOptional ? "nil" : nil) }

    /// The field's entry in the manifest, with the whole default: a host compares those that sparse models leave out.
    var note: (key: String, value: NoteValue) {
        let suffix = defaultValue.map { " = " + $0.oneLineDescription } ?? ""
        return (key, .string(type.written + suffix))
    }

    /// An expression that reads the property from the map `payload` through the variable `modelReader`, a
    /// `__ModelReader`. If the property has a default, the expression yields nil for a missing key.
    var readingInOrder: String {
        let function = defaultValue == nil ? "value" : "valueIfPresent"
        return "try modelReader.\(function)(\(key.swiftLiteral), in: payload, as: (\(type.source)).self)"
    }

    /// Returns an expression that reads the associated value from the map `source`.
    func reading(from source: String) -> String {
        let arguments = "(\(key.swiftLiteral), in: \(source), as: (\(type.source)).self"
        guard let defaultValue else { return "try ComponentKit.__ModelCoding.value\(arguments))" }
        return "try ComponentKit.__ModelCoding.value\(arguments), default: \(defaultValue.trimmedDescription))"
    }
}
