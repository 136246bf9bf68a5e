import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A struct: a map of its stored properties.
struct StructModel: ModelContent {
    private(set) var fields: [(name: String, field: ModelField)] = []
    /// Properties that are nil where nobody says anything else.
    private var optionals: Set<String> = []
    /// Whether the author says how one is made.
    private let hasInitializer: Bool
    private let access: String

    init(_ declaration: StructDeclSyntax) throws(MacroDiagnostic) {
        hasInitializer = declaration.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
        access = declaration.modifiers.accessWord
        try declaration.refuseConditional(["var ", "let "], "properties")
        for member in declaration.memberBlock.members {
            guard let variable = member.decl.as(VariableDeclSyntax.self),
                !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) })
            else { continue }
            try add(variable)
        }
    }

    private mutating func add(_ variable: VariableDeclSyntax) throws(MacroDiagnostic) {
        let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
        for (index, binding) in variable.bindings.enumerated() {
            // `var a, b: Int` has the type at the last one only.
            let type = variable.bindings.dropFirst(index).compactMap(\.typeAnnotation).first?.type
            guard binding.isStored, !(isConstant && binding.initializer != nil) else { continue }
            if let attribute = variable.attributes.first, variable.attributes.named("available") == nil {
                throw MacroDiagnostic(
                    "a property with an attribute may be stored elsewhere: a model has plain properties only",
                    at: attribute)
            }
            if variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.lazy) }) {
                throw MacroDiagnostic("a lazy property is no value of a model: make it computed", at: variable)
            }
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                throw MacroDiagnostic("give each property of a model a line of its own", at: binding)
            }
            guard let type else {
                throw MacroDiagnostic(
                    "write the type of \"\(pattern.identifier.text)\": the macro sees the source only, and hosts are "
                        + "told the type",
                    at: binding)
            }
            let name = pattern.identifier.text
            guard name.withoutBackticks != "payload" else {
                throw MacroDiagnostic(
                    "a model has a property \"payload\" by its conformance: give this one another name", at: binding)
            }
            let field = try ModelField(
                key: name.withoutBackticks, type: type, defaultValue: binding.initializer?.value)
            fields.append((name, field))
            if !isConstant, type.is(OptionalTypeSyntax.self) { optionals.insert(name) }
        }
    }

    /// The initialiser that the compiler writes for structs inside of one module, for those outside.
    var memberwiseInitializer: [DeclSyntax] {
        guard !hasInitializer, !access.isEmpty else { return [] }
        // What a default names may be unknown outside: such a property keeps it, and can be changed afterwards.
        let fields = fields.filter { $0.field.defaultValue?.isLiteral != false }
        let parameters = fields.map { name, field in
            let standard = field.defaultValue.map { " = \($0.trimmedDescription)" }
            return "\(name): \(field.type.source)\(standard ?? (optionals.contains(name) ? " = nil" : ""))"
        }
        let assignments = fields.map { name, _ in "    self.\(name) = \(name)" }
        return [
            """
            /// Makes one of its properties.
            \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
            \(raw: assignments.joined(separator: "\n"))
            }
            """
        ]
    }

    func describe(in members: inout NoteMembers) {
        members.add("fields", .object(fields.map(\.field.note)))
    }

    func conversions(access: String, type: String) -> String {
        let sizes = fields.map { "    modelSize.add(self.\($0.name))" }
        let writes = fields.map { "    modelWriter.add(\($0.field.key.swiftLiteral), self.\($0.name))" }
        // A property with a default has it already.
        let reads = fields.map { name, field in
            field.defaultValue == nil
                ? "    self.\(name) = \(field.readingInOrder)"
                : "    if let given = \(field.readingInOrder) { self.\(name) = given }"
        }
        guard !fields.isEmpty else {
            return """
                /// A map without keys.
                \(access)var payload: ComponentKit.Payload { ComponentKit.Payload(entries: []) }

                /// Reads the model from a map, whatever its keys.
                \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
                    try ComponentKit.__ModelCoding.requireMap(payload)
                }
                """
        }
        return """
            /// The model as a map of its properties.
            \(access)var payload: ComponentKit.Payload {
                var modelSize = ComponentKit.__ModelSize()
            \(sizes.joined(separator: "\n"))
                var modelWriter = ComponentKit.__ModelWriter(modelSize)
            \(writes.joined(separator: "\n"))
                return modelWriter.payload()
            }

            /// Reads the model from a map of its properties.
            \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
                try ComponentKit.__ModelCoding.requireMap(payload)
                var modelReader = ComponentKit.__ModelReader()
            \(reads.joined(separator: "\n"))
            }
            """
    }
}

extension ExprSyntax {
    /// Whether it names nothing that has to be visible where it is used.
    fileprivate var isLiteral: Bool {
        if let array = self.as(ArrayExprSyntax.self) { return array.elements.allSatisfy(\.expression.isLiteral) }
        if let dictionary = self.as(DictionaryExprSyntax.self) {
            guard case .elements(let elements) = dictionary.content else { return true }
            return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
        }
        if let negative = self.as(PrefixOperatorExprSyntax.self) { return negative.expression.isLiteral }
        // A case of the property's own type.
        if let member = self.as(MemberAccessExprSyntax.self) { return member.base == nil }
        return `is`(IntegerLiteralExprSyntax.self) || `is`(FloatLiteralExprSyntax.self)
            || `is`(BooleanLiteralExprSyntax.self) || `is`(NilLiteralExprSyntax.self)
            || self.as(StringLiteralExprSyntax.self)?.representedLiteralValue != nil
    }
}

extension PatternBindingSyntax {
    /// Whether the property has memory of its own: no accessors but observers.
    var isStored: Bool {
        guard let accessors = accessorBlock?.accessors else { return true }
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}
