package import ComponentKit
import ManifestRules
import SystemSupport

/// Compares values with types as they are written in a manifest, before any code reads them. What a manifest does not
/// describe counts as right.
package struct ValueCheck {
    private let models: ModelPool
    /// Whether a key that a model does not have is right, since a newer caller may send more, and null for a key with a
    /// default. Components in other languages are promised both.
    private let isLenient: Bool
    private var path: [PayloadError.PathElement] = []
    package private(set) var problems: [PayloadError] = []

    /// The number of problems after which the rest is not looked at.
    private static let limit = 100
    /// The depth at which nothing more is looked at. Models may contain themselves.
    private static let deepest = 64

    package init(_ models: ModelPool, isLenient: Bool = false) {
        self.models = models
        self.isLenient = isLenient
    }

    /// Compares a map with the keys that it has. Null counts as a map without entries.
    ///
    /// - Parameter scope: where the types are written.
    package mutating func check(
        _ value: Payload, _ fields: [ModelDeclaration.Field], in scope: ModelPool.Scope
    ) {
        guard let entries = value.isNull ? [] : try? value.entries() else { return fail("a map", value) }
        let names = fields.map(\.name)
        for entry in entries where !isLenient && !names.containsExactly(entry.key) {
            let similar = SimilarName.nearest(to: entry.key, in: names)
            let hint = similar.map { "; did you mean \($0)?" } ?? ""
            within(.key(entry.key)) { check in
                check.add("one of \(names.joined(separator: ", "))", "another key" + hint)
            }
        }
        for field in fields {
            let written = WrittenType(field.type)
            within(.key(field.name)) { check in
                if let member = value[field.name] {
                    check.check(member, written, in: scope)
                } else if !written.mayBeMissing {
                    check.add(written.text, "nothing")
                }
            }
        }
    }

    /// Compares a value with a type.
    ///
    /// - Parameter scope: where the type is written.
    package mutating func check(_ value: Payload, _ written: WrittenType, in scope: ModelPool.Scope) {
        if isLenient, value.isNull, written.mayBeMissing { return }
        // Code in Swift reads a key that is there even if it is null, also where a missing one has a default.
        check(value, written.type, in: scope)
    }

    private mutating func check(_ value: Payload, _ type: TypeExpression, in scope: ModelPool.Scope) {
        guard problems.count < ValueCheck.limit, path.count < ValueCheck.deepest else { return }
        switch type {
        case .optional(let wrapped): if !value.isNull { check(value, wrapped, in: scope) }
        case .array(.named("UInt8", _)): expect(value, "bytes", kinds: [.bytes, .array])
        case .array(let element):
            guard let items = try? value.items() else { return fail("an array", value) }
            for (index, item) in items.enumerated() { within(.index(index)) { $0.check(item, element, in: scope) } }
        case .dictionary(.named("String", _), let element):
            guard let entries = try? value.entries() else { return fail("a map", value) }
            for entry in entries { within(.key(entry.key)) { $0.check(entry.value, element, in: scope) } }
        case .named(let name, let arguments) where arguments.isEmpty:
            if case .model(let index) = models.find(name, in: scope) {
                check(value, models.models[index])
            } else {
                check(value, scalar: name)
            }
        default: break
        }
    }

    private mutating func check(_ value: Payload, _ model: ModelDeclaration) {
        let scope = ModelPool.Scope(module: model.module, owner: model.name)
        switch model.content {
        case .fields(let fields):
            guard value.kind == .map else { return fail("a map", value) }
            check(value, fields, in: scope)
        case .cases(let cases, nil):
            // A case with values is a map whose only key is its name.
            let name = (try? value.string()) ?? (try? value.entries())?.first?.key
            let names = cases.map(\.name)
            if !(name.map { names.containsExactly($0) } ?? false) {
                fail("one of \(names.joined(separator: ", "))", value)
            }
        case .cases(let cases, let raw?):
            check(value, TypeExpression(raw), in: scope)
            let known = cases.compactMap(\.rawValue)
            guard known.count == cases.count, let text = try? value.string() else { return }
            if !known.containsExactly(text) { add("one of \(known.joined(separator: ", "))", "another string") }
        }
    }

    private mutating func check(_ value: Payload, scalar name: String) {
        switch ScalarRule(name) {
        case .kinds(let kinds, let words)?: expect(value, words, kinds: kinds)
        case .integer(let range, let isUnsigned)?:
            if value.kind == .int, let number = try? value.int() {
                if !range.contains(number) { add(ValueCheck.words(of: range), "\(number)") }
            } else if value.kind == .uint, let number = try? value.uint() {
                // It is beyond `Int.max`.
                if !isUnsigned { add(ValueCheck.words(of: range), "\(number)") }
            } else {
                fail("an integer", value)
            }
        case nil: break
        }
    }

    /// The integers that a type can hold, for types that do not hold all of `Int`.
    package static let ranges: [String: ClosedRange<Int>] = [
        "Int8": -128...127, "Int16": -32_768...32_767, "Int32": Int(Int32.min)...Int(Int32.max), "UInt8": 0...255,
        "UInt16": 0...65_535, "UInt32": 0...Int(UInt32.max), "UInt": 0...Int.max, "UInt64": 0...Int.max,
    ]

    private static func words(of range: ClosedRange<Int>) -> String {
        "an integer from \(range.lowerBound) to \(range.upperBound)"
    }

    private mutating func expect(_ value: Payload, _ expected: String, kinds: [PayloadKind]) {
        if !kinds.contains(value.kind) { fail(expected, value) }
    }

    private mutating func fail(_ expected: String, _ value: Payload) { add(expected, "\(value.kind)") }

    private mutating func add(_ expected: String, _ found: String) {
        guard problems.count < ValueCheck.limit else { return }
        problems.append(PayloadError(path: path, expected: expected, found: found))
    }

    private mutating func within(_ element: PayloadError.PathElement, _ check: (inout ValueCheck) -> Void) {
        path.append(element)
        check(&self)
        path.removeLast()
    }
}

/// The values that a scalar type has, by the type's name in a manifest.
package enum ScalarRule: Sendable {
    /// Values of these kinds, in words to follow "expected".
    case kinds([PayloadKind], String)
    /// The integers in a range and, if it is unsigned, those up to `UInt64.max` too.
    case integer(ClosedRange<Int>, isUnsigned: Bool)

    /// - Returns: Nil for a type that is not checked.
    package init?(_ name: String) {
        switch name {
        case "Bool": self = .kinds([.bool], "true or false")
        case "Int", "Int64": self = .integer(Int.min...Int.max, isUnsigned: false)
        case "UInt", "UInt64": self = .integer(0...Int.max, isUnsigned: true)
        case "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32":
            self = .integer(ValueCheck.ranges[name] ?? 0...0, isUnsigned: false)
        case "Double", "Float": self = .kinds([.double, .int, .uint], "a number")
        case "String", "Substring", "Character", "URL", "UUID", "Secret": self = .kinds([.string], "a string")
        // Swift reads an array of integers as bytes, too.
        case "Data": self = .kinds([.bytes, .array], "bytes")
        case "Date", "Timestamp": self = .kinds([.date], "a time")
        case "array": self = .kinds([.array], "an array")
        case "map": self = .kinds([.map], "a map")
        default: return nil
        }
    }
}
