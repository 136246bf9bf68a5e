import SwiftSyntax
import SwiftSyntaxBuilder

/// One accessor of section `hslink_records`: how a component's entry point finds what belongs to it in its own image.
struct RecordDeclaration {
    /// The function of `ComponentKit.LinkRecord` that makes the record.
    let function: String
    /// Whether the declaration stands in a type, not at file scope.
    var isMember = false
    /// Its arguments as Swift source, in order.
    private var arguments: [(label: String, source: String)] = []

    /// The record of the component itself.
    static func component(_ manifest: Manifest, module: String) -> RecordDeclaration {
        var record = RecordDeclaration(function: "component")
        record.add("module", string: module)
        record.add("name", string: manifest.name)
        record.add("version", string: manifest.version)
        if let type = manifest.type { record.arguments.append(("type", "\(type).self")) }
        return record
    }

    /// The record of one of its link classes.
    static func linkClass(_ linkClass: Manifest.LinkClass, module: String) -> RecordDeclaration {
        var record = RecordDeclaration(function: "linkClass")
        record.add("module", string: module)
        record.add("name", string: linkClass.name)
        record.arguments.append(("type", "\(linkClass.type).self"))
        if linkClass.instances != .shared {
            record.arguments.append(("instances", ".\(linkClass.instances.rawValue)"))
        }
        return record
    }

    init(function: String, isMember: Bool = false) {
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
                unsafe ComponentKit.LinkRecord.\(raw: function)(\(raw: list))
            }
            """
    }
}
