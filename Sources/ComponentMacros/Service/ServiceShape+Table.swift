import SwiftSyntax

extension ServiceShape {
    private var making: String { "\(name)Making" }

    /// The method table of any class that provides the service.
    var tableSource: String {
        let rows = functions.map { MethodRow(function: $0, target: "Provider").source }
        let make = arguments.map { arguments in
            """
            rows.append(.makerMethod { context, payload in
                try Provider(context, with: payload.value(as: (\(arguments.trimmedDescription)).self))
            })
            """
        }
        let requirement = arguments == nil ? name : making
        let body =
            ["\(rows.isEmpty && make == nil ? "let" : "var") rows: [ComponentKit.LinkMethod<Provider>] = []"]
            + rows + [make].compactMap { $0 } + ["return rows"]
        return """
            /// The rows of ``\(name)`` in the method table of a class that provides it.
            \(access)enum \(name)Table<Provider: \(requirement) & ComponentKit.LinkClass> {
                /// One row for each function of the protocol.
                \(access)static var methods: [ComponentKit.LinkMethod<Provider>] {
            \(body.joined(separator: "\n").indented(by: 8))
                }
            }
            """
    }

    /// What a provider has to have when the service is made with arguments.
    var makingSource: String? {
        arguments.map { arguments in
            """
            /// A provider of ``\(name)`` that is made with arguments.
            \(access)protocol \(making): \(name) {
                /// Makes an instance for one consumer.
                init(_ context: ComponentKit.ComponentContext, with arguments: \(arguments.trimmedDescription)) throws
            }
            """
        }
    }
}
