import ManifestRules
import Routing
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Checks a pattern against the function that has the route.
struct RouteChecks {
    private let pattern: RoutePattern
    private let literal: ExprSyntax
    private let function: FunctionShape

    init(_ pattern: RoutePattern, _ literal: ExprSyntax, of function: FunctionShape) {
        self.pattern = pattern
        self.literal = literal
        self.function = function
    }

    /// Checks the placeholders.
    func check() throws(MacroDiagnostic) {
        for placeholder in pattern.placeholders where !placeholder.name.isEmpty {
            guard let parameter = function.parameters.first(where: { $0.key == placeholder.name }) else {
                throw noParameter(placeholder)
            }
            try check(placeholder, parameter)
        }
    }

    /// Checks the parameters that no pattern needs to have as a placeholder.
    func checkRest() throws(MacroDiagnostic) {
        for parameter in function.parameters {
            let type = RouteParameterShape(parameter)
            guard type.kind == .other, !type.mayBeMissing else { continue }
            throw MacroDiagnostic(
                "a URL can't carry \(parameter.type.written.quoted): make the parameter \"\(parameter.key)\" optional, "
                    + "or give it a default value",
                at: parameter.syntax.type, fixIts: [makeOptional(parameter)])
        }
    }

    private func check(
        _ placeholder: RoutePattern.Placeholder, _ parameter: ParameterShape
    ) throws(MacroDiagnostic) {
        let type = RouteParameterShape(parameter)
        let name = placeholder.name
        guard type.mayBeText else {
            throw MacroDiagnostic(
                "the placeholder \"\(name)\" is text in the URL, which can't carry \(parameter.type.written.quoted)",
                at: parameter.syntax.type)
        }
        if placeholder.type == .path {
            guard type.name == "String", !type.isArray else {
                throw contradiction(placeholder, parameter)
            }
        } else if placeholder.isRest {
            guard type.isArray else {
                throw MacroDiagnostic(
                    "the placeholder \"*\(name)\" takes any number of components: make the parameter an array, such as "
                        + "[String]",
                    at: parameter.syntax.type,
                    fixIts: [
                        .replace("make it an array", parameter.syntax.type, with: TypeSyntax("[\(raw: type.name)]"))
                    ]
                )
            }
        } else {
            guard !type.isArray else {
                throw MacroDiagnostic(
                    "the placeholder \":\(name)\" takes one component, but the parameter is an array: write \"*\(name)\" "
                        + "at the end of the pattern, or leave it to the query",
                    at: literal)
            }
            guard placeholder.type.map({ RouteChecks.fits($0, type) }) ?? true else {
                throw contradiction(placeholder, parameter)
            }
        }
        guard !placeholder.isOptional || type.mayBeMissing else {
            throw MacroDiagnostic(
                "the placeholder \"\(name)\" is in an optional group of \(pattern.text.quoted), so a URL may lack it: "
                    + "make the parameter optional, or give it a default value",
                at: parameter.syntax.type, fixIts: [makeOptional(parameter)])
        }
    }

    /// Whether a placeholder of this type accepts texts of the parameter's type.
    private static func fits(_ type: ValueType, _ parameter: RouteParameterShape) -> Bool {
        guard parameter.kind == .text else { return true }
        if case .custom = type { return true }
        return RouteParameterType(parameter.name).accepts(placeholder: type.description)
    }

    private func contradiction(
        _ placeholder: RoutePattern.Placeholder, _ parameter: ParameterShape
    ) -> MacroDiagnostic {
        let type = placeholder.type?.description ?? ""
        var fixIts: [FixIt] = []
        if placeholder.type != .path {
            for written in [":\(placeholder.name)<\(type)>", "<\(type):\(placeholder.name)>"]
            where pattern.text.contains(written) {
                fixIts.append(
                    correction("remove the type", pattern.text.replacing(written, with: ":\(placeholder.name)")))
            }
        }
        return MacroDiagnostic(
            "the placeholder \"\(placeholder.name)\" has the type \(type), but the parameter is \(parameter.type.written): "
                + "change one of them",
            at: literal, fixIts: fixIts)
    }

    private func noParameter(_ placeholder: RoutePattern.Placeholder) -> MacroDiagnostic {
        let name = placeholder.name
        let free = function.parameters.map(\.key).filter { key in
            !pattern.placeholders.contains { $0.name == key }
        }
        if let similar = SimilarName.nearest(to: name, in: free) {
            return MacroDiagnostic(
                "the placeholder \"\(name)\" is not a parameter of \(function.declaration.name.text): did you mean "
                    + "\"\(similar)\"?",
                at: literal, fixIts: [correction("write \"\(similar)\"", renaming(name, to: similar))])
        }
        let type =
            switch placeholder.type {
            case .int: "Int"
            case .uint: "UInt"
            case .float: "Double"
            case .bool: "Bool"
            case .uuid: "UUID"
            default: placeholder.isRest && placeholder.type != .path ? "[String]" : "String"
            }
        let new = "\(name): \(type)\(placeholder.isOptional ? "?" : "")"
        let clause = function.declaration.signature.parameterClause
        let list = clause.parameters.trimmedDescription
        return MacroDiagnostic(
            "the placeholder \"\(name)\" is not a parameter of \(function.declaration.name.text): add the parameter "
                + "\(new)",
            at: literal,
            fixIts: [
                .replace(
                    "add the parameter", clause.parameters,
                    with: DeclSyntax("func f(\(raw: list.isEmpty ? new : "\(list), \(new)"))").parameters)
            ])
    }

    private func correction(_ message: String, _ text: String) -> FixIt {
        .replace(message, literal, with: ExprSyntax("\(literal: text)"))
    }

    /// Returns the pattern's text with another name for a placeholder.
    private func renaming(_ name: String, to other: String) -> String {
        var text = ""
        var rest = pattern.text[...]
        while let found = rest.firstRange(of: name) {
            text += rest[..<found.lowerBound]
            let before = text.last
            let after = rest[found.upperBound...].first
            let isName = before.map { ":<*".contains($0) } == true && after?.isIdentifier != true
            text += isName ? other : name
            rest = rest[found.upperBound...]
        }
        return text + rest
    }

    private func makeOptional(_ parameter: ParameterShape) -> FixIt {
        let type = parameter.syntax.type
        return .replace(
            "make it optional", type,
            with: TypeSyntax("\(raw: type.trimmedDescription)?").with(\.trailingTrivia, type.trailingTrivia))
    }
}

extension RouteChecks {
    /// Returns a function that makes the compiler check the types of parameters whose names say too little; nothing if
    /// there are none.
    ///
    /// - Parameter name: A unique name.
    static func member(
        for functions: [FunctionShape], named name: TokenSyntax, lines: AuthorLines
    ) -> [DeclSyntax] {
        var known: [String] = []
        var calls: [String] = []
        for function in functions where !function.routes.isEmpty {
            let placeholders = Set(function.routes.flatMap(\.patterns).flatMap(\.pattern.placeholders).map(\.name))
            for parameter in function.parameters {
                let type = RouteParameterShape(parameter)
                let isPlaceholder = placeholders.contains(parameter.key)
                guard type.kind == .named, isPlaceholder || !type.mayBeMissing else { continue }
                let check = isPlaceholder ? "requireText" : "requireTextOrInstance"
                let call = "ComponentKit.__RouteBuilder.\(check)((\(type.name)).self)"
                guard !known.contains(call) else { continue }
                known.append(call)
                calls.append(lines.at(parameter.syntax, call))
            }
        }
        guard !calls.isEmpty else { return [] }
        return [
            """
            nonisolated private static func \(name)() {
            \(raw: calls.joined(separator: "\n").indented(by: 4))
            }
            """
        ]
    }
}

extension DeclSyntax {
    /// The parameters of a function.
    fileprivate var parameters: FunctionParameterListSyntax {
        self.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters ?? []
    }
}

extension Character {
    fileprivate var isIdentifier: Bool { isLetter || isNumber || self == "_" }
}
