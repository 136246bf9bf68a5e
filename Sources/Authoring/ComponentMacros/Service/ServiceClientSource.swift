import SwiftSyntax

/// The source of a service's client: a struct that conforms to the protocol and calls the provider.
struct ServiceClientSource {
    let service: ServiceShape
    /// The declaration of the service's note.
    let note: String
    let lines: AuthorLines

    var source: String {
        let access = service.access
        let selectors = service.functions.map(\.selector.swiftLiteral).joined(separator: ", ")
        let kind = service.isOfClass ? ", kind: .class" : ""
        let configurable = service.arguments.map { arguments in
            "\n\(access)typealias ServiceArguments = \(arguments.trimmedDescription)\n".indented(by: 4)
        }
        let conformance = service.arguments == nil ? "ServiceClient" : "ConfigurableServiceClient"
        // A synchronous function gets an asynchronous overload so that asynchronous callers do not block a thread.
        let functions = service.functions.enumerated().flatMap { index, function in
            (function.isAsync ? [true] : [false, true]).map { source(of: function, index, isAsync: $0) }
        }
        return """
            /// Calls the provider of ``\(service.name)``. Hosts and components create it with `service(_:)`.
            \(access)struct \(service.name)Client: \(service.name), ComponentKit.\(conformance) {
                /// The description of the service.
                \(access)static var __service: ComponentKit.__ServiceDescription {
                    ComponentKit.__ServiceDescription(
                        name: \(service.identifier.swiftLiteral), protocolName: \(service.name.swiftLiteral), selectors: [\(selectors)]\(kind))
                }
            \(configurable ?? "")
                /// The endpoint that receives the calls.
                \(access)let __endpoint: ComponentKit.__ServiceEndpoint

                /// Creates a client for an endpoint. Called by `service(_:)` of a host or a component.
                \(access)init(__endpoint endpoint: ComponentKit.__ServiceEndpoint) { self.__endpoint = endpoint }

            \(functions.joined(separator: "\n\n").indented(by: 4))

            \(note.indented(by: 4))
            }
            """
    }

    private func source(of function: FunctionShape, _ index: Int, isAsync: Bool) -> String {
        let declaration = function.declaration
        let parameters = declaration.signature.parameterClause.trimmedDescription
        let effects = isAsync ? "async throws" : "throws"
        let result = declaration.signature.returnClause.map { " " + $0.trimmedDescription } ?? ""
        let pairs = function.parameters.map { "(\($0.key.swiftLiteral), \($0.encoding))" }
        let payload =
            pairs.isEmpty
            ? "ComponentKit.Payload.null" : "ComponentKit.Payload(__fields: \(pairs.joined(separator: ", ")))"
        let call = "try \(isAsync ? "await " : "")self.__endpoint.call(\(index), \(payload))"
        let body: String
        if let type = function.result {
            if case .service(let client) = type.kind {
                body = "try ComponentKit.__LinkCoding.service(of: \(call), as: \(client).self, for: self.__endpoint)"
            } else {
                body = "try ComponentKit.__LinkCoding.value(of: \(call), as: (\(type.source)).self)"
            }
        } else {
            body = "_ = \(call)"
        }
        let isolation = function.isMainActor ? "@MainActor " : ""
        return """
            \(isolation)\(service.access)func \(declaration.name.text)\(parameters) \(effects)\(result) {
            \(opening(function, isAsync: isAsync, before: body).indented(by: 4))
            }
            """
    }

    /// Returns the body of a function. That of one with a route opens its URL instead if the client was made so.
    private func opening(_ function: FunctionShape, isAsync: Bool, before body: String) -> String {
        guard !function.routes.isEmpty else { return marked(body, function) }
        let arguments = function.parameters.map { parameter in
            (parameter.label.map { "\($0): " } ?? "") + "`\(parameter.variable.withoutBackticks)`"
        }
        let route = "\(service.name)Routes.\(function.declaration.name.text)(\(arguments.joined(separator: ", ")))"
        return """
            if self.__endpoint.opensRoutes { return try \(isAsync ? "await " : "")self.__endpoint.open(\(route)) }
            \(marked(function.result == nil ? body : "return \(body)", function))
            """
    }

    /// Returns the statement with the line of the first type of the function that may be unable to travel.
    private func marked(_ statement: String, _ function: FunctionShape) -> String {
        let parameter = function.parameters.first { !$0.type.isPlain }
        return parameter?.marked(statement, lines) ?? function.marked(statement, lines)
    }
}
