import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// A struct, encoded as a map of its stored properties, except for private ones: what other files can't read or set,
/// other components can't either.
struct StructModel: ModelContent {
    private(set) var fields: [(name: String, field: ModelField)] = []
    /// The names of the optional variables, which default to nil in the initialiser.
    private var optionals: Set<String> = []
    /// Whether the author declares an initialiser in the struct.
    private let hasInitializer: Bool
    private let access: String
    /// Whether properties that are equal to their defaults are not written.
    private let isSparse: Bool

    init(_ declaration: StructDeclSyntax, isSparse: Bool) throws(MacroDiagnostic) {
        self.isSparse = isSparse
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
            // In `var a, b: Int` only the last binding has the type.
            let type = variable.bindings.dropFirst(index).compactMap(\.typeAnnotation).first?.type
            guard binding.isStored, !(isConstant && binding.initializer != nil) else { continue }
            if variable.modifiers.hidesMember {
                guard binding.initializer != nil || (!isConstant && type?.is(OptionalTypeSyntax.self) == true) else {
                    throw MacroDiagnostic(
                        "the private property \"\(binding.pattern.trimmedDescription)\" does not travel, so it needs a "
                            + "default value: add one, or remove private",
                        at: binding)
                }
                continue
            }
            if let attribute = variable.attributes.first, variable.attributes.named("available") == nil {
                throw MacroDiagnostic(
                    "an attribute can move the storage of a property: a model supports only plain properties",
                    at: attribute)
            }
            if variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.lazy) }) {
                throw MacroDiagnostic("a model can't have a lazy property: make it computed", at: variable)
            }
            guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
                throw MacroDiagnostic("a model can't declare properties as a tuple: declare each one", at: binding)
            }
            guard let type else {
                throw MacroDiagnostic(
                    "property \"\(pattern.identifier.text)\" needs an explicit type: the macro writes it into the "
                        + "manifest and can't infer it",
                    at: binding)
            }
            let name = pattern.identifier.text
            guard name.withoutBackticks != "payload" else {
                throw MacroDiagnostic(
                    "a model can't declare a property \"payload\": rename it, because @Model generates \"payload\"",
                    at: binding)
            }
            let field = try ModelField(
                key: name.withoutBackticks, type: type, defaultValue: binding.initializer?.value)
            fields.append((name, field))
            if !isConstant, type.is(OptionalTypeSyntax.self) { optionals.insert(name) }
        }
    }

    /// The memberwise initialiser for other modules, because the compiler's own is visible only inside its module.
    var memberwiseInitializer: [DeclSyntax] {
        guard !hasInitializer, !access.isEmpty else { return [] }
        // A default may refer to declarations that callers can't see. A property with such a default is not a
        // parameter: it keeps the default and can be changed afterwards.
        let fields = fields.filter { $0.field.defaultValue?.isLiteral != false }
        let parameters = fields.map { name, field in
            let standard = field.defaultValue.map { " = \($0.trimmedDescription)" }
            return "\(name): \(field.type.source)\(standard ?? (optionals.contains(name) ? " = nil" : ""))"
        }
        let assignments = fields.map { name, _ in "    self.\(name) = \(name)" }
        return [
            """
            /// Creates an instance from its properties.
            \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
            \(raw: assignments.joined(separator: "\n"))
            }
            """
        ]
    }

    func describe(in members: inout NoteMembers) {
        members.add("fields", .object(fields.map(\.field.note)))
        members.add("sparse", flag: isSparse)
    }

    func conversions(access: String, type: String, lines: AuthorLines) -> String {
        let sizes = fields.map { $0.field.marked("modelSize.add(self.\($0.name))", lines) }
        let writes = fields.map { name, field in
            let condition = isSparse ? field.standard.map { ", unless: \($0)" } : nil
            return field.marked("modelWriter.add(\(field.key.swiftLiteral), self.\(name)\(condition ?? ""))", lines)
        }
        // A property with a default is already initialised.
        let reads = fields.map { name, field in
            let reading =
                field.defaultValue == nil
                ? "self.\(name) = \(field.readingInOrder)"
                : "if let given = \(field.readingInOrder) { self.\(name) = given }"
            return field.marked(reading, lines)
        }
        guard !fields.isEmpty else {
            return """
                /// An empty map.
                \(access)var payload: ComponentKit.Payload { ComponentKit.Payload(entries: []) }

                /// Reads the model from a map and ignores its keys.
                \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
                    try ComponentKit.__ModelCoding.requireMap(payload)
                }
                """
        }
        return """
            /// The model as a map of its properties.
            \(access)var payload: ComponentKit.Payload {
                var modelSize = ComponentKit.__ModelSize()
            \(sizes.joined(separator: "\n").indented(by: 4))
                var modelWriter = ComponentKit.__ModelWriter(modelSize)
            \(writes.joined(separator: "\n").indented(by: 4))
                return modelWriter.payload()
            }

            /// Reads the model from a map of its properties.
            \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
                try ComponentKit.__ModelCoding.requireMap(payload)
                var modelReader = ComponentKit.__ModelReader()
            \(reads.joined(separator: "\n").indented(by: 4))
            }
            """
    }
}

extension ExprSyntax {
    /// Whether the expression consists of literals and implicit members only, so that callers in other modules can
    /// evaluate it.
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
    /// Whether the property is stored: it has no accessors other than observers.
    var isStored: Bool {
        guard let accessors = accessorBlock?.accessors else { return true }
        guard case .accessors(let list) = accessors else { return false }
        return list.allSatisfy {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}
