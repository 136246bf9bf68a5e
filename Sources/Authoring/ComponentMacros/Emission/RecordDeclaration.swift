import SwiftSyntax
import SwiftSyntaxBuilder

/// An accessor function in section `hslink_records`, through which a component's entry point finds a record in its own
/// image.
struct RecordDeclaration {
    /// The function of `ComponentKit.__LinkRecord` that creates the record.
    let function: String
    /// Whether the declaration is a static member of a type instead of a global.
    let isMember: Bool
    /// The arguments of `function` as Swift source, in order.
    private var arguments: [(label: String, source: String)] = []

    init(function: String, isMember: Bool) {
        self.function = function
        self.isMember = isMember
    }

    mutating func add(_ label: String, source: String) { arguments.append((label, source)) }

    mutating func add(_ label: String, string: String) {
        arguments.append((label, string.swiftLiteral))
    }

    /// Returns the declaration. `name` must be unique.
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
