import SwiftSyntax

extension ServiceShape {
    private var making: String { "\(name)Making" }

    /// The source of the method table for any class that provides the service.
    var tableSource: String {
        let rows = functions.map { MethodRow(function: $0, target: "_Provider").source }
        let make = arguments.map { arguments in
            """
            _rows.append(.__makerMethod { _context, _payload in
                try _Provider(_context, with: _payload.value(as: (\(arguments.trimmedDescription)).self))
            })
            """
        }
        let requirement = arguments == nil ? name : making
        let body =
            ["\(rows.isEmpty && make == nil ? "let" : "var") _rows: [ComponentKit.LinkMethod<_Provider>] = []"]
            + rows + [make].compactMap { $0 } + ["return _rows"]
        return """
            /// The rows of ``\(name)`` in the method table of a class that provides it.
            \(access)enum \(name)Table<_Provider: \(requirement) & ComponentKit.LinkClass> {
                /// One row for each function of the protocol.
                \(access)static var methods: [ComponentKit.LinkMethod<_Provider>] {
            \(body.joined(separator: "\n").indented(by: 8))
                }
            }
            """
    }

    /// The source of the protocol for providers that are created with arguments; nil for a service without arguments.
    var makingSource: String? {
        arguments.map { arguments in
            """
            /// A provider of ``\(name)`` that is created with arguments.
            \(access)protocol \(making): \(name) {
                /// Creates an instance for one consumer.
                init(_ context: ComponentKit.ComponentContext, with arguments: \(arguments.trimmedDescription)) throws
            }
            """
        }
    }
}
