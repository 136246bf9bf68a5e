import ComponentHost
import ComponentKit

/// Values of the types that a contract names, for calls and answers that `hslink new` writes.
struct SampleValues {
    let models: ModelPool

    /// The depth at which it gives up. Models may contain themselves.
    private static let deepest = 16

    /// Returns a value; nil for a type that has none which can be written down, such as a closure.
    func value(_ text: String, in scope: ModelPool.Scope) -> Payload? {
        value(WrittenType(text).type, in: scope, depth: 0)
    }

    private func value(_ type: TypeExpression, in scope: ModelPool.Scope, depth: Int) -> Payload? {
        guard depth < SampleValues.deepest else { return nil }
        switch type {
        case .optional: return .null
        case .array(.named("UInt8", _)): return .bytes([])
        case .array, .named("Set", _): return .array([])
        case .dictionary: return .map([])
        case .tuple(let elements) where elements.isEmpty: return .null
        case .named(let name, let arguments) where arguments.isEmpty:
            guard case .model(let index) = models.find(name, in: scope) else { return SampleValues.scalar(name) }
            return value(models.models[index], depth: depth + 1)
        default: return nil
        }
    }

    private func value(_ model: ModelDeclaration, depth: Int) -> Payload? {
        let scope = ModelPool.Scope(module: model.module, owner: model.name)
        switch model.content {
        case .fields(let fields): return map(fields, in: scope, depth: depth)
        case .cases(let cases, nil):
            guard let first = cases.first(where: \.values.isEmpty) ?? cases.first else { return nil }
            if first.values.isEmpty { return .string(first.name) }
            return map(first.values, in: scope, depth: depth).map { .map([(first.name, $0)]) }
        case .cases(let cases, let raw?):
            guard let text = cases.first?.rawValue else { return nil }
            return raw == "String" ? .string(text) : Int64(text).map { .int($0) } ?? Double(text).map { .double($0) }
        }
    }

    /// Returns a map with the keys that must be there.
    private func map(_ fields: [ModelDeclaration.Field], in scope: ModelPool.Scope, depth: Int) -> Payload? {
        var entries: [(String, Payload)] = []
        for field in fields {
            let written = WrittenType(field.type)
            guard !written.mayBeMissing else { continue }
            guard let value = value(written.type, in: scope, depth: depth + 1) else { return nil }
            entries.append((field.name, value))
        }
        return .map(entries)
    }

    private static func scalar(_ name: String) -> Payload? {
        switch name {
        case "URL": return "https://example.com/"
        case "UUID": return "00000000-0000-0000-0000-000000000000"
        case "Character": return "x"
        case "Data": return .bytes([])
        case "Any", "Payload", "any": return .null
        default: break
        }
        switch ScalarRule(name) {
        case .integer?: return 0
        case .kinds(let kinds, _)?:
            return switch kinds.first {
            case .bool: false
            case .double: .double(0)
            case .string: "text"
            case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
            case .array: .array([])
            case .map: .map([])
            default: nil
            }
        case nil: return nil
        }
    }
}
