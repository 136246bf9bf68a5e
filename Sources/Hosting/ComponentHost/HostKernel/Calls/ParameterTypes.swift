import CHSLink
import ComponentCatalog
import ComponentKit
import SystemSupport

/// The types of a selector's parameters, prepared when the component is loaded: a call compares its payload without
/// copying it, without parsing a type and without allocating.
///
/// ``ValueCheck`` is what decides: it looks at a payload that does not fit here, and says what is wrong with it.
struct ParameterTypes: Sendable {
    private let parameters: [SelectorDeclaration.Parameter]
    private let keys: [ParameterKey]
    private let models: ParameterModels

    init(_ parameters: [SelectorDeclaration.Parameter], _ models: ParameterModels) {
        self.parameters = parameters
        self.models = models
        keys = models.keys(parameters)
    }

    /// Returns whether a payload has every key that it must have, with a value of its type. Other keys do not matter,
    /// and null counts as a map without entries.
    func fit(_ payload: hslink_value) -> Bool {
        if unsafe payload.kind == .null { return keys.allSatisfy(\.mayBeMissing) }
        return unsafe models.fits(payload, keys, depth: 0)
    }

    /// Returns the error message about a payload that does not fit; nil if it fits after all.
    func problem(of payload: borrowing PayloadView) -> String? {
        do throws(PayloadError) {
            var check = ValueCheck(models.pool, isLenient: true)
            check.check(try payload.copy(), parameters, in: models.scope)
            return check.problems.first?.description
        } catch {
            return error.description
        }
    }
}

/// A key of a map, and what its value must be.
struct ParameterKey: Sendable {
    let name: [UInt8]
    let form: ParameterForm
    let mayBeMissing: Bool
}

/// A type of values that payloads have.
indirect enum ParameterForm: Sendable {
    /// Anything, for types that are not checked.
    case any
    case scalar(ScalarRule)
    case optional(ParameterForm)
    case array(ParameterForm)
    /// A map with values of one type.
    case dictionary(ParameterForm)
    /// A model, by its index.
    case model(Int)
}

/// The models of a component, prepared; one for all its classes.
final class ParameterModels: Sendable {
    private enum Content: Sendable {
        case keys([ParameterKey])
        /// An enum without raw values: a case is its name, or a map whose only key that is.
        case names([[UInt8]])
        /// An enum with raw values, and these if they are strings that are all known.
        case raw(ParameterForm, texts: [[UInt8]]?)
    }

    let pool: ModelPool
    /// Where the component's own selectors are declared.
    let scope: ModelPool.Scope
    private let contents: [Content]

    /// The depth at which nothing more is looked at. Models may contain themselves.
    private static let deepest = 64

    init(of manifest: Manifest) {
        let pool = ModelPool(manifest.models)
        self.pool = pool
        scope = ModelPool.Scope(module: manifest.module, owner: "")
        contents = pool.models.map { model in
            let scope = ModelPool.Scope(module: model.module, owner: model.name)
            switch model.content {
            case .fields(let fields): return .keys(ParameterModels.keys(fields, in: scope, of: pool))
            case .cases(let cases, nil): return .names(cases.map { Array($0.name.utf8) })
            case .cases(let cases, let raw?):
                let texts = cases.compactMap(\.rawValue).map { Array($0.utf8) }
                return .raw(
                    ParameterModels.form(TypeExpression(raw), in: scope, of: pool),
                    texts: texts.count == cases.count ? texts : nil)
            }
        }
    }

    /// Returns the prepared types of a selector's parameters.
    func keys(_ parameters: [SelectorDeclaration.Parameter]) -> [ParameterKey] {
        ParameterModels.keys(parameters, in: scope, of: pool)
    }

    private static func keys(
        _ fields: [SelectorDeclaration.Parameter], in scope: ModelPool.Scope, of pool: ModelPool
    ) -> [ParameterKey] {
        fields.map { field in
            let written = WrittenType(field.type)
            return ParameterKey(
                name: Array(field.name.utf8), form: form(written.type, in: scope, of: pool),
                mayBeMissing: written.mayBeMissing)
        }
    }

    private static func form(_ type: TypeExpression, in scope: ModelPool.Scope, of pool: ModelPool) -> ParameterForm {
        switch type {
        case .optional(let wrapped): return .optional(form(wrapped, in: scope, of: pool))
        case .array(.named("UInt8", _)): return .scalar(.kinds([.bytes, .array], ""))
        case .array(let element): return .array(form(element, in: scope, of: pool))
        case .dictionary(.named("String", _), let element): return .dictionary(form(element, in: scope, of: pool))
        case .named(let name, let arguments) where arguments.isEmpty:
            if case .model(let index) = pool.find(name, in: scope) { return .model(index) }
            return ScalarRule(name).map { .scalar($0) } ?? .any
        default: return .any
        }
    }

    /// Returns whether a map has every key that it must have, with a value of its type.
    fileprivate func fits(_ value: hslink_value, _ keys: [ParameterKey], depth: Int) -> Bool {
        guard unsafe value.kind == .map else { return false }
        return keys.allSatisfy { key in
            guard let member = unsafe value.member(key.name) else { return key.mayBeMissing }
            if key.mayBeMissing, unsafe member.kind == .null { return true }
            return unsafe fits(member, key.form, depth: depth)
        }
    }

    private func fits(_ value: hslink_value, _ form: ParameterForm, depth: Int) -> Bool {
        guard depth < ParameterModels.deepest else { return true }
        switch form {
        case .any: return true
        case .scalar(let rule): return unsafe rule.allows(value)
        case .optional(let wrapped): return unsafe value.kind == .null || fits(value, wrapped, depth: depth)
        case .array(let element):
            guard unsafe value.kind == .array else { return false }
            return unsafe value.itemNodes.allSatisfy { unsafe fits($0, element, depth: depth + 1) }
        case .dictionary(let element):
            guard unsafe value.kind == .map else { return false }
            return unsafe value.entryNodes.allSatisfy { unsafe fits($0.value, element, depth: depth + 1) }
        case .model(let index):
            switch contents[index] {
            case .keys(let keys): return unsafe fits(value, keys, depth: depth + 1)
            case .names(let names):
                if unsafe value.kind == .string { return names.contains { unsafe value.textBytes.elementsEqual($0) } }
                guard unsafe value.kind == .map, let first = unsafe value.entryNodes.first else { return false }
                return names.contains { unsafe first.hasName($0) }
            case .raw(let form, let texts):
                guard unsafe fits(value, form, depth: depth + 1) else { return false }
                guard let texts, unsafe value.kind == .string else { return true }
                return texts.contains { unsafe value.textBytes.elementsEqual($0) }
            }
        }
    }
}

extension ScalarRule {
    fileprivate func allows(_ value: hslink_value) -> Bool {
        switch self {
        case .kinds(let kinds, _): unsafe kinds.contains(value.kind)
        case .integer(let range, let isUnsigned):
            switch unsafe value.kind {
            case .int: unsafe range.contains(Int(value.`as`.i64))
            case .uint: isUnsigned
            default: false
            }
        }
    }
}

extension hslink_value {
    /// Returns the value of a key of this map; nil if there is none.
    fileprivate func member(_ name: [UInt8]) -> hslink_value? {
        unsafe entryNodes.first { unsafe $0.hasName(name) }?.value
    }
}

extension hslink_entry {
    fileprivate func hasName(_ name: [UInt8]) -> Bool {
        guard unsafe Int(key_length) == name.count else { return false }
        guard let key = unsafe key else { return name.isEmpty }
        return unsafe name.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return true }
            return unsafe UnsafeRawPointer(key).hasName(base, count: name.count)
        }
    }
}
