import SwiftSyntax

/// A parameter of a function that is called by name. It is passed under a key in the payload.
struct ParameterShape {
    let syntax: FunctionParameterSyntax
    /// The key in the payload: the argument label, or the parameter's name if it has no label.
    let key: String
    /// The argument label; nil for `_`.
    let label: String?
    /// The parameter's name inside the function.
    let variable: String
    let type: ValueShape
    let defaultValue: ExprSyntax?

    init(_ syntax: FunctionParameterSyntax) throws(MacroDiagnostic) {
        self.syntax = syntax
        let first = syntax.firstName
        let name = syntax.secondName ?? first
        guard name.tokenKind != .wildcard else {
            throw MacroDiagnostic("a parameter needs a name: callers pass the argument under this name", at: syntax)
        }
        guard syntax.ellipsis == nil else {
            throw MacroDiagnostic("a variadic parameter can't be passed by name: use an array instead", at: syntax)
        }
        label = first.tokenKind == .wildcard ? nil : first.text.withoutBackticks
        variable = name.text
        key = label ?? name.text.withoutBackticks
        type = try ValueShape(syntax.type)
        defaultValue = syntax.defaultValue?.value
        if type.kind != .value, let value = syntax.defaultValue, value.value.trimmedDescription != "nil" {
            throw MacroDiagnostic("the default value of a closure or service parameter can only be nil", at: value)
        }
    }

    /// Whether the parameter is a closure marked `@escaping`.
    var isEscaping: Bool {
        syntax.type.as(AttributedTypeSyntax.self)?.attributes.named("escaping") != nil
    }

    /// The parameter's entry in the manifest: its type, and its default value if it has one.
    var note: (key: String, value: NoteValue) {
        let suffix = defaultValue.map { " = " + $0.oneLineDescription.cut(to: 80) } ?? ""
        return (key, .string(type.written + suffix))
    }

    /// Returns a statement that decodes the argument from `_payload` into the constant `name`.
    func decoding(into name: String, _ lines: AuthorLines) -> String {
        let key = key.swiftLiteral
        let declaration = "let \(name): \(type.source)"
        switch type.kind {
        case .closure, .optionalClosure:
            return marked("\(declaration) = try ComponentKit.__LinkCoding.closure(\(key), in: _payload)", lines)
        case .service(let client):
            let arguments = "(\(key), in: _payload, as: \(client).self, for: _call)"
            return marked("\(declaration) = try ComponentKit.__LinkCoding.service\(arguments)", lines)
        case .value:
            let arguments = "(\(key), in: _payload, as: (\(type.source)).self)"
            guard let defaultValue else {
                let coding = type.isPlain ? "__ModelCoding" : "__LinkCoding"
                return marked("\(declaration) = try ComponentKit.\(coding).value\(arguments)", lines)
            }
            let decoding = """
                if let _given = try ComponentKit.__LinkCoding.valueIfPresent\(arguments) {
                    \(name) = _given
                } else {
                    \(name) = \(defaultValue.trimmedDescription)
                }
                """
            return "\(declaration)\n" + marked(decoding, lines)
        }
    }

    /// Returns a statement with the line of the parameter, unless its type can travel for certain.
    func marked(_ statement: String, _ lines: AuthorLines) -> String {
        type.isPlain ? statement : lines.at(syntax, statement)
    }

    /// The expression with which a client encodes the argument.
    var encoding: String {
        // The name may be a keyword.
        let name = "`\(variable.withoutBackticks)`"
        return switch type.kind {
        case .closure, .optionalClosure:
            "try ComponentKit.__LinkCoding.closure(\(name), for: self.__endpoint)"
        case .service(let client):
            "try ComponentKit.__LinkCoding.service(\(name), as: \(client).self, for: self.__endpoint)"
        case .value where type.isPlain: "ComponentKit.__ModelCoding.payload(\(name))"
        case .value: "try ComponentKit.__LinkCoding.payload(of: \(name), for: self.__endpoint)"
        }
    }
}

extension String {
    var withoutBackticks: String {
        hasPrefix("`") && hasSuffix("`") && count > 2 ? String(dropFirst().dropLast()) : self
    }

    func cut(to limit: Int) -> String { count <= limit ? self : prefix(limit) + "…" }
}
