import SwiftSyntax

/// A stored property of a model, or an associated value of a case.
struct ModelField {
    /// The key of the payload.
    let key: String
    let type: ValueType
    let defaultValue: ExprSyntax?

    init(key: String, type syntax: TypeSyntax, defaultValue: ExprSyntax?) throws(MacroDiagnostic) {
        self.key = key
        type = try ValueType(syntax)
        self.defaultValue = defaultValue
        switch type.kind {
        case .value: break
        case .closure, .optionalClosure:
            throw MacroDiagnostic("a model holds values: pass the closure as a parameter of its own", at: syntax)
        case .service:
            throw MacroDiagnostic("a model holds values: pass the service as a parameter of its own", at: syntax)
        }
    }

    var note: (key: String, value: NoteValue) {
        let suffix = defaultValue.map { " = " + $0.oneLineDescription.cut(to: 80) } ?? ""
        return (key, .string(type.written + suffix))
    }

    /// An expression that reads a property out of the map `payload` by a variable of the type `__ModelReader`: nil for
    /// a missing key where there is a default.
    var readingInOrder: String {
        let function = defaultValue == nil ? "value" : "valueIfPresent"
        return "try modelReader.\(function)(\(key.swiftLiteral), in: payload, as: (\(type.source)).self)"
    }

    /// An expression that reads an associated value out of the map `source`.
    func reading(from source: String) -> String {
        let arguments = "(\(key.swiftLiteral), in: \(source), as: (\(type.source)).self"
        guard let defaultValue else { return "try ComponentKit.__ModelCoding.value\(arguments))" }
        return "try ComponentKit.__ModelCoding.value\(arguments), default: \(defaultValue.trimmedDescription))"
    }
}
