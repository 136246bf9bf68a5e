package import ComponentKit
import SystemSupport

/// Describes values as JSON Schema (2020-12) does, from the types that are written in manifests.
///
/// The forms are those of ``ComponentKit/Payload/json(pretty:)``. What a manifest does not describe may be anything, as in
/// ``ValueCheck``.
package struct JSONSchema {
    /// What a reference to a model begins with, as in "#/components/schemas/".
    private let prefix: String
    /// The schemas of the models that were referred to, by unique names. Complete after ``complete()``.
    package private(set) var definitions: [String: Payload] = [:]
    /// The models that have names, by their modules and their own names. Components may have different ones of a name.
    private var named: [ExactText: [(model: ModelDeclaration, name: String)]] = [:]
    /// The models that are still to be described: those of a hostile manifest may refer to each other without end.
    private var pending: [(name: String, model: ModelDeclaration, models: ModelPool)] = []

    /// The depth at which nothing more is described.
    private static let deepest = 32

    package init(referringTo prefix: String) { self.prefix = prefix }

    /// Returns the schema of an object with these members.
    package mutating func object(
        _ members: [SelectorDeclaration.Parameter], in scope: ModelPool.Scope, of models: ModelPool
    ) -> Payload {
        var properties: [(String, Payload)] = []
        var required: [Payload] = []
        for member in members {
            let written = WrittenType(member.type)
            properties.append((member.name, schema(of: written, in: scope, of: models)))
            if !written.mayBeMissing { required.append(.string(member.name)) }
        }
        var entries: [(String, Payload)] = [("type", "object")]
        if !properties.isEmpty { entries.append(("properties", .map(properties))) }
        if !required.isEmpty { entries.append(("required", .array(required))) }
        // Other keys are ignored, since a newer caller may send more.
        return .map(entries)
    }

    /// Returns the schema of a type with an optional default value; of anything if it has no type.
    package mutating func schema(of written: WrittenType, in scope: ModelPool.Scope, of models: ModelPool) -> Payload {
        let schema = schema(of: written.type, in: scope, of: models, depth: 0)
        // A key with a default may be null as well, which counts as missing.
        guard written.hasDefault, written.type.wrapped == nil, schema != .map([]) else { return schema }
        return JSONSchema.orNull(schema)
    }

    private static func orNull(_ schema: Payload) -> Payload {
        schema == .map([]) ? schema : ["anyOf": [schema, ["type": "null"]]]
    }

    private mutating func schema(
        of type: TypeExpression, in scope: ModelPool.Scope, of models: ModelPool, depth: Int
    ) -> Payload {
        guard depth < JSONSchema.deepest else { return .map([]) }
        switch type {
        case .optional(let wrapped):
            return JSONSchema.orNull(schema(of: wrapped, in: scope, of: models, depth: depth + 1))
        case .array(.named("UInt8", _)): return JSONSchema.bytesOrIntegers
        case .array(let element):
            return ["type": "array", "items": schema(of: element, in: scope, of: models, depth: depth + 1)]
        case .named("Set", let arguments) where arguments.count == 1:
            return ["type": "array", "items": schema(of: arguments[0], in: scope, of: models, depth: depth + 1)]
        case .dictionary(.named("String", _), let element):
            return [
                "type": "object", "additionalProperties": schema(of: element, in: scope, of: models, depth: depth + 1),
            ]
        case .tuple(let elements) where elements.isEmpty: return ["type": "null"]
        case .named(let name, let arguments) where arguments.isEmpty:
            guard case .model(let index) = models.find(name, in: scope) else { return JSONSchema.scalar(name) }
            return ["$ref": .string(prefix + definition(of: models.models[index], models))]
        default: return .map([])
        }
    }

    /// Returns the name of a model among the definitions, and notes that it is to be described.
    private mutating func definition(of model: ModelDeclaration, _ models: ModelPool) -> String {
        let own = "\(model.module).\(model.name)"
        if let known = named[ExactText(own)]?.first(where: { $0.model.content == model.content }) { return known.name }
        // OpenAPI allows these characters in names.
        let base = String(own.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
        var name = base
        var number = 1
        while definitions[name] != nil {
            number += 1
            name = "\(base)_\(number)"
        }
        // A model may contain itself.
        definitions[name] = .map([])
        named[ExactText(own), default: []].append((model, name))
        pending.append((name, model, models))
        return name
    }

    /// Describes the models that were referred to, and those that they refer to.
    package mutating func complete() {
        while let (name, model, models) = pending.popLast() {
            let scope = ModelPool.Scope(module: model.module, owner: model.name)
            switch model.content {
            case .fields(let fields): definitions[name] = object(fields, in: scope, of: models)
            case .cases(let cases, nil): definitions[name] = choice(cases, in: scope, of: models)
            case .cases(let cases, let raw?):
                let texts = cases.compactMap(\.rawValue)
                if raw == "String", texts.count == cases.count {
                    definitions[name] = ["enum": .array(texts.map { .string($0) })]
                } else {
                    definitions[name] = schema(of: TypeExpression(raw), in: scope, of: models, depth: 0)
                }
            }
        }
    }

    /// A case without values is its name, one with values a map whose only key that is.
    private mutating func choice(
        _ cases: [ModelDeclaration.Case], in scope: ModelPool.Scope, of models: ModelPool
    ) -> Payload {
        let names = cases.filter { $0.values.isEmpty }.map { Payload.string($0.name) }
        var choices: [Payload] = names.isEmpty ? [] : [["enum": .array(names)]]
        for each in cases {
            choices.append([
                "type": "object", "properties": [each.name: object(each.values, in: scope, of: models)],
                "required": [.string(each.name)], "additionalProperties": false,
            ])
        }
        return ["anyOf": .array(choices)]
    }

    /// Returns the schema of the map that stands for a value that JSON lacks, such as `{"$bytes": "AQ=="}`.
    ///
    /// Its key is written as a pattern: a map whose only key is `$bytes` is itself written with another `$` in JSON, so
    /// `properties` would describe a key that no value has.
    private static func form(_ name: String, _ content: Payload) -> Payload {
        [
            "type": "object", "patternProperties": ["^[$]\(name)$": content], "required": [.string("$\(name)")],
            "additionalProperties": false,
        ]
    }

    private static let bytes = form("bytes", ["type": "string", "contentEncoding": "base64"])

    private static let bytesOrIntegers: Payload = [
        "anyOf": [
            bytes, ["type": "array", "items": ["type": "integer", "minimum": 0, "maximum": 255]],
        ]
    ]

    private static let date = form(
        "date",
        [
            "anyOf": [
                ["type": "string", "format": "date-time"],
                [
                    "type": "object",
                    "properties": [
                        "seconds": ["type": "integer"],
                        "nanoseconds": ["type": "integer", "minimum": 0, "maximum": 999_999_999],
                    ], "required": ["seconds", "nanoseconds"], "additionalProperties": false,
                ],
            ]
        ])

    private static let double: Payload = [
        "anyOf": [["type": "number"], form("double", ["enum": ["nan", "inf", "-inf"]])]
    ]

    private static func scalar(_ name: String) -> Payload {
        switch name {
        case "Bool", "bool": return ["type": "boolean"]
        case "UInt", "UInt64", "uint": return ["type": "integer", "minimum": 0, "maximum": UInt64.max.payload]
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "int":
            guard let range = ValueCheck.ranges[name] else { return ["type": "integer"] }
            return [
                "type": "integer", "minimum": Payload(range.lowerBound), "maximum": Payload(range.upperBound),
            ]
        case "Double", "Float", "double": return double
        case "String", "Substring", "Character", "Secret", "string": return ["type": "string"]
        case "URL": return ["type": "string", "format": "uri"]
        case "UUID": return ["type": "string", "format": "uuid"]
        case "Data": return bytesOrIntegers
        case "bytes": return bytes
        case "Date", "Timestamp", "date": return date
        case "array": return ["type": "array"]
        case "map": return ["type": "object"]
        case "Void": return ["type": "null"]
        default: return .map([])
        }
    }
}
