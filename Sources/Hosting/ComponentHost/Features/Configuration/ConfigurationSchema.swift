import ComponentCatalog
import ComponentKit

/// What a component reads from its configuration: the model that its manifest names, as a list of keys.
struct ConfigurationSchema: Sendable {
    /// A field, or a field of a model in a field.
    struct Field: Sendable {
        /// The parts of the key.
        let path: [String]
        /// The type as its author wrote it, with the default value if there is one.
        let text: String
        let type: ConfigurationType
        /// The strings that an enum allows; nil if the type allows any value.
        let allowed: [String]?
        /// The integers that the type can hold; nil if it holds all.
        let range: ClosedRange<Int>?
        /// Whether the type is `Float`, which does not hold all numbers of a `Double`.
        let isFloat: Bool
        /// Whether the model can be read without it.
        let isOptional: Bool
        let isSecret: Bool
        /// How many parts of `path` lead to the innermost optional model that contains it; 0 if there is none. The
        /// field is needed only if that model is there.
        let optionalDepth: Int

        var key: String { path.joined(separator: ".") }
    }

    /// A model in a field that is not optional, so it is there even if all of its fields have default values.
    struct Nested: Sendable {
        /// The parts of the key.
        let path: [String]
        /// As in ``Field``.
        let optionalDepth: Int
    }

    /// What a configuration cannot hold.
    struct Problem: Sendable, Equatable {
        /// The parts of the key; empty if it is about the whole model.
        let path: [String]
        let reason: String

        func text(in component: String) -> String { "\(([component] + path).joined(separator: ".")): \(reason)" }
    }

    private(set) var fields: [Field] = []
    private(set) var nested: [Nested] = []
    private(set) var problems: [Problem] = []

    /// The deepest nesting of models.
    private static let depthLimit = 8
    /// The largest number of fields, with those of nested models.
    private static let fieldLimit = 1000

    /// Returns nil if the component does not declare what it reads.
    init?(of manifest: Manifest) {
        guard let name = manifest.configuration else { return nil }
        let pool = ModelPool(manifest.models)
        let scope = ModelPool.Scope(module: manifest.module, owner: "")
        switch pool.find(name, in: scope) {
        case .model(let index): add(pool.models[index], at: [], optionalDepth: 0, pool)
        case .nothing, .several:
            fail([], "the model \(name) is not among the models of the manifest; in Swift, @Model puts it there")
        }
    }

    private mutating func add(_ model: ModelDeclaration, at path: [String], optionalDepth: Int, _ pool: ModelPool) {
        guard case .fields(let declared) = model.content else {
            fail(path, "\(model.name) is an enum, but a configuration is a struct")
            return
        }
        guard path.count < ConfigurationSchema.depthLimit else {
            fail(path, "models are nested too deep")
            return
        }
        for field in declared {
            guard fields.count + nested.count + problems.count < ConfigurationSchema.fieldLimit else {
                let problem = Problem(path: [], reason: ConfigurationSchema.tooLarge)
                if problems.last != problem { problems.append(problem) }
                return
            }
            let written = WrittenType(field.type)
            add(
                path + [field.name], written, in: ModelPool.Scope(module: model.module, owner: model.name),
                optionalDepth: optionalDepth, pool: pool)
        }
    }

    private mutating func add(
        _ path: [String], _ written: WrittenType, in scope: ModelPool.Scope, optionalDepth: Int, pool: ModelPool
    ) {
        let type = written.type.wrapped ?? written.type
        var (found, allowed): (ConfigurationType?, [String]?) = (ConfigurationType(type), nil)
        if found == nil, case .named(let name, let arguments) = type, arguments.isEmpty,
            case .model(let index) = pool.find(name, in: scope)
        {
            let model = pool.models[index]
            switch model.content {
            case .fields:
                if !written.mayBeMissing { nested.append(Nested(path: path, optionalDepth: optionalDepth)) }
                return add(
                    model, at: path, optionalDepth: written.mayBeMissing ? path.count : optionalDepth, pool)
            case .cases(let cases, let raw):
                (found, allowed) = ConfigurationSchema.choice(of: cases, raw: raw)
            }
        }
        guard let found else {
            fail(
                path,
                "a configuration cannot hold \(written.text); it can hold strings, numbers, booleans, URLs, lists of these, "
                    + "enums without associated values, and models")
            return
        }
        fields.append(
            Field(
                path: path, text: written.text, type: found, allowed: allowed,
                range: ValueCheck.ranges[type.name], isFloat: type.name == "Float", isOptional: written.mayBeMissing,
                isSecret: type.isSecret, optionalDepth: optionalDepth))
    }

    private mutating func fail(_ path: [String], _ reason: String) {
        problems.append(Problem(path: path, reason: reason))
    }

    private static let tooLarge = "the model has more than \(fieldLimit) fields"

    /// Returns how a value of an enum is written; nil if it has associated values.
    private static func choice(
        of cases: [ModelDeclaration.Case], raw: String?
    ) -> (ConfigurationType?, [String]?) {
        guard cases.allSatisfy(\.values.isEmpty) else { return (nil, nil) }
        guard let raw else { return (.scalar(.string), cases.map(\.name)) }
        let values = cases.map(\.rawValue)
        let known = values.contains(nil) ? nil : values.compactMap(\.self)
        return (ConfigurationType(TypeExpression(raw)), known)
    }
}

extension ConfigurationType {
    /// Returns the type of values that a Swift type, or one written in another language, is read from; nil if there is
    /// none.
    fileprivate init?(_ type: TypeExpression) {
        switch type {
        case .named(let name, let arguments) where arguments.isEmpty:
            guard let scalar = ConfigurationType.scalar(of: name) else { return nil }
            self = .scalar(scalar)
        case .array(.named("UInt8", _)): self = .scalar(.bytes)
        case .array(.named(let name, let arguments)) where arguments.isEmpty:
            guard let scalar = ConfigurationType.scalar(of: name) else { return nil }
            self = .list(of: scalar)
        default: return nil
        }
    }

    private static func scalar(of name: String) -> Scalar? {
        switch name {
        case "Bool", "bool": .bool
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "int": .int
        case "Double", "Float", "double": .double
        case "String", "Substring", "Character", "URL", "UUID", "Secret", "string": .string
        case "Data", "bytes": .bytes
        default: nil
        }
    }

    /// The type in words, to follow "expected".
    var words: String {
        switch self {
        case .scalar(.string): "a string"
        case .scalar(.int): "an integer"
        case .scalar(.double): "a number"
        case .scalar(.bool): "true or false"
        case .scalar(.bytes): "bytes in Base64"
        case .list(of: .string): "a list of strings"
        case .list(of: .int): "a list of integers"
        case .list(of: .double): "a list of numbers"
        case .list(of: .bool): "a list of booleans"
        case .list(of: .bytes): "a list of bytes in Base64"
        }
    }
}

extension TypeExpression {
    /// Whether values of the type must not be shown.
    fileprivate var isSecret: Bool {
        switch self {
        case .named("Secret", _): true
        case .array(let element): element.isSecret
        default: false
        }
    }
}
