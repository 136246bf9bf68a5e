import Routing
import SwiftSyntax
import SwiftSyntaxBuilder

/// The source of the functions that make URLs of a service's routes.
struct ServiceRoutesSource {
    private let service: ServiceShape
    private let functions: [(function: FunctionShape, pattern: RoutePattern)]
    private let lines: AuthorLines

    /// - Throws: `MacroDiagnostic` if a URL can't be made from a pattern, because it has a placeholder without a name.
    init(_ service: ServiceShape, _ lines: AuthorLines) throws(MacroDiagnostic) {
        self.service = service
        self.lines = lines
        var functions: [(FunctionShape, RoutePattern)] = []
        for function in service.functions {
            let patterns = function.routes.flatMap(\.patterns)
            // A scheme makes a URL that can be opened anywhere.
            guard let best = patterns.first(where: { $0.pattern.scheme != nil }) ?? patterns.first else { continue }
            guard !best.pattern.placeholders.contains(where: { $0.name.isEmpty && !$0.isRest }) else {
                throw MacroDiagnostic(
                    "a URL can't be made from \(best.pattern.text.quoted), because a placeholder has no name: name it, "
                        + "as in \":id\"", at: best.literal)
            }
            functions.append((function, best.pattern))
        }
        self.functions = functions
    }

    /// The source of an enum with a function for each function with a route; nil if there are none.
    var source: String? {
        guard !functions.isEmpty else { return nil }
        let checks = RouteChecks.member(for: functions.map(\.function), named: "_requireTexts", lines: lines)
            .map(\.description)
        let members = functions.map { source(of: $0.function, $0.pattern) } + checks
        return """
            /// The URLs of ``\(service.name)``: one function for each function with a route.
            \(service.access)enum \(service.name)Routes {
            \(members.joined(separator: "\n\n").indented(by: 4))
            }
            """
    }

    private func source(of function: FunctionShape, _ pattern: RoutePattern) -> String {
        let declaration = function.declaration
        let parameters = function.parameters.map { parameter in
            let syntax = parameter.syntax
            let names = [syntax.firstName, syntax.secondName].compactMap { $0?.trimmedDescription }
                .joined(separator: " ")
            let isOptional = RouteParameterShape(parameter).isOptional
            return "\(names): \(syntax.type.trimmedDescription)\(isOptional ? " = nil" : "")"
        }
        // The compiler warns about a variable that never changes.
        let word = function.parameters.isEmpty ? "let" : "var"
        let statements =
            ["\(word) _route = ComponentKit.__RouteBuilder(\(pattern.text.swiftLiteral))"]
            + function.parameters.map { $0.marked(adding($0), lines) }
            + [function.marked("return _route.route \(reading(function))", lines)]
        let labels = function.parameters.map { "\($0.label ?? "_"):" }.joined()
        return """
            /// The URL `\(pattern.text)`, which calls ``\(service.name)/\(declaration.name.text)(\(labels))``.
            \(service.access)static func \(declaration.name.text)(\(parameters.joined(separator: ", "))) -> \
            ComponentKit.TypedRoute<\(function.result?.source ?? "Void")> {
            \(statements.joined(separator: "\n").indented(by: 4))
            }
            """
    }

    /// Returns the statement that adds an argument to the URL, or beside it.
    private func adding(_ parameter: ParameterShape) -> String {
        let key = parameter.key.swiftLiteral
        // The name may be a keyword.
        let name = "`\(parameter.variable.withoutBackticks)`"
        switch parameter.type.kind {
        case .closure:
            return "_route.add(\(key), making: { _link in try ComponentKit.__LinkCoding.closure(\(name), for: _link) })"
        case .optionalClosure:
            return """
                if let \(name) {
                    _route.add(\(key), making: { _link in try ComponentKit.__LinkCoding.closure(\(name), for: _link) })
                }
                """
        case .service(let client):
            return
                "_route.add(\(key), making: { _link in try ComponentKit.__LinkCoding.service(\(name), as: \(client).self, for: _link) })"
        case .value where parameter.type.isPlain && RouteParameterShape(parameter).mayBeText:
            return "_route.add(\(key), \(name))"
        case .value:
            return
                "_route.add(\(key), \(name)) { _link in try ComponentKit.__LinkCoding.payload(of: \(name), for: _link) }"
        }
    }

    /// Returns the closure that reads the answer.
    private func reading(_ function: FunctionShape) -> String {
        guard let type = function.result else { return "{ _, _ in }" }
        if case .service(let client) = type.kind {
            return
                "{ _reply, _link in try ComponentKit.__LinkCoding.service(of: _reply, as: \(client).self, for: _link) }"
        }
        return "{ _reply, _ in try ComponentKit.__LinkCoding.value(of: _reply, as: (\(type.source)).self) }"
    }
}
