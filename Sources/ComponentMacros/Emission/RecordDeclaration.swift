import SwiftSyntax
import SwiftSyntaxBuilder

/// One accessor of section `hslink_records`: how a component's entry point finds what belongs to it in its own image.
struct RecordDeclaration {
    /// The function of `ComponentKit.__LinkRecord` that makes the record.
    let function: String
    /// Whether the declaration stands in a type, not at file scope.
    let isMember: Bool
    /// Its arguments as Swift source, in order.
    private var arguments: [(label: String, source: String)] = []

    init(function: String, isMember: Bool) {
        self.function = function
        self.isMember = isMember
    }

    mutating func add(_ label: String, source: String) { arguments.append((label, source)) }

    mutating func add(_ label: String, string: String) {
        arguments.append((label, string.swiftLiteral))
    }

    /// The declaration, under a name that nothing else has.
    func declaration(named name: TokenSyntax) -> DeclSyntax {
        let list = arguments.map { "\($0.label): \($0.source)" }.joined(separator: ", ")
        return """
            @section("hslink_records") @used private nonisolated \(raw: isMember ? "static let" : "let") \(name): \
            @convention(c) (UInt32) -> UnsafeRawPointer? = { _ in
                unsafe ComponentKit.__LinkRecord.\(raw: function)(\(raw: list))
            }
            """
    }
}
