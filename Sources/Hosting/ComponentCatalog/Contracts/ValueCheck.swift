package import ComponentKit
import ManifestRules
import SystemSupport

/// Compares values with types as they are written in a manifest, before any code reads them. What a manifest does not
/// describe counts as right.
package struct ValueCheck {
    private let models: ModelPool
    private var path: [PayloadError.PathElement] = []
    package private(set) var problems: [PayloadError] = []

    /// The number of problems after which the rest is not looked at.
    private static let limit = 100
    /// The depth at which nothing more is looked at. Models may contain themselves.
    private static let deepest = 64

    package init(_ models: ModelPool) { self.models = models }

    /// Compares a value with a type.
    ///
    /// - Parameter scope: where the type is written.
    package mutating func check(_ value: Payload, _ written: WrittenType, in scope: ModelPool.Scope) {
        if value.isNull, written.mayBeMissing { return }
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
            guard let entries = try? value.entries() else { return fail("a map", value) }
            let names = fields.map(\.name)
            for entry in entries where !names.containsExactly(entry.key) {
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
        switch name {
        case "Bool", "bool": expect(value, "true or false", kinds: [.bool])
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "int", "uint":
            guard [.int, .uint].contains(value.kind) else { return fail("an integer", value) }
            if let range = ValueCheck.ranges[name], let number = try? value.int(), !range.contains(number) {
                add("an integer from \(range.lowerBound) to \(range.upperBound)", "\(number)")
            }
        case "Double", "Float", "double": expect(value, "a number", kinds: [.double, .int, .uint])
        case "String", "Substring", "Character", "URL", "UUID", "Secret", "string":
            expect(value, "a string", kinds: [.string])
        case "Data", "bytes": expect(value, "bytes", kinds: [.bytes])
        case "Date", "Timestamp", "date": expect(value, "a time", kinds: [.date])
        case "array": expect(value, "an array", kinds: [.array])
        case "map": expect(value, "a map", kinds: [.map])
        default: break
        }
    }

    /// The integers that a type can hold, for types that do not hold all of `Int`.
    package static let ranges: [String: ClosedRange<Int>] = [
        "Int8": -128...127, "Int16": -32_768...32_767, "Int32": Int(Int32.min)...Int(Int32.max), "UInt8": 0...255,
        "UInt16": 0...65_535, "UInt32": 0...Int(UInt32.max), "UInt": 0...Int.max, "UInt64": 0...Int.max,
    ]

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
