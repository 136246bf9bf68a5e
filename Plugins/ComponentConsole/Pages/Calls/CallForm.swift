import ComponentKit
import PageKit

/// The form that calls a method, from the parameters that its manifest declares.
struct CallForm: Hashable, Sendable {
    /// What there is to fill in.
    enum Shape: Hashable, Sendable {
        /// A field for each parameter.
        case fields([CallField])
        /// The whole payload, as JSON: the manifest declares no parameters, or some that cannot be fields.
        case payload(initial: String)
        /// Nothing: a parameter takes what cannot be written.
        case unwritable(parameter: String)
    }

    let selector: DeclaredSelector
    let shape: Shape

    /// The key that says which method a form calls. No parameter in Swift has such a name.
    static let targetKey = "console.target"
    /// The name of the field for a whole payload.
    static let payloadKey = "payload"
    /// The most parameters that become fields.
    private static let mostFields = 60

    /// - Parameter written: what the fields begin with, by their names.
    init(_ selector: DeclaredSelector, _ manifest: ManifestState, written: Payload = .null) {
        self.selector = selector
        shape = CallForm.shape(of: selector.parameters, CallModels(manifest.models)).filled(written)
    }

    /// The values of fields that may be kept for the next form: not those that must stay hidden.
    func kept(of written: Payload) -> Payload {
        let entries = (try? written.entries().map { ($0.key, $0.value) }) ?? []
        switch shape {
        case .fields(let fields):
            let names = Set(fields.filter { !$0.isHidden }.map(\.name))
            return .map(entries.filter { names.contains($0.0) })
        case .payload: return .map(entries.filter { $0.0 == CallForm.payloadKey })
        case .unwritable: return .null
        }
    }

    private static func shape(of parameters: [DeclaredField], _ models: CallModels) -> Shape {
        guard !parameters.isEmpty, parameters.count <= mostFields, parameters.allSatisfy({ $0.name.isFieldName }) else {
            return .payload(initial: "")
        }
        // What may be missing and cannot be written is left out.
        let types = parameters.map { ParameterType($0.type) }
        if let index = types.firstIndex(where: { $0.isUnwritable && !$0.mayBeMissing }) {
            return .unwritable(parameter: parameters[index].text)
        }
        let writable = zip(parameters, types).filter { !$1.isUnwritable }.map { CallField($0.0, models) }
        return .fields(writable)
    }

    /// Makes the payload of the call from what has been filled in.
    ///
    /// - Parameter written: what the page passes: a value for each field that is not empty, and ``targetKey``.
    /// - Throws: `PageError.invalidValue` with the name of the field.
    func arguments(_ written: Payload) throws(PageError) -> Payload {
        switch shape {
        case .fields(let fields):
            var entries: [(String, Payload)] = []
            for field in fields {
                if let value = try field.value(written[field.name]) { entries.append((field.name, value)) }
            }
            return .map(entries)
        case .payload:
            guard let text = try? written[CallForm.payloadKey]?.string() else { return .null }
            return try CallField.json(text, of: CallForm.payloadKey)
        case .unwritable(let parameter):
            throw .invalidValue(field: parameter.oneLine(), reason: "Its parameters cannot be entered here.")
        }
    }
}

extension CallForm.Shape {
    /// The form with what has been filled in before, as far as its fields take that: the method may have changed since.
    fileprivate func filled(_ written: Payload) -> CallForm.Shape {
        switch self {
        case .fields(let fields):
            return .fields(
                fields.map { field in
                    guard let value = written[field.name], field.kind.takes(value) else { return field }
                    var field = field
                    field.initial = value
                    return field
                })
        case .payload(let initial):
            guard let value = written[CallForm.payloadKey], FieldKind.lines(longest: CallField.longestJSON).takes(value)
            else { return self }
            return .payload(initial: (try? value.string()) ?? initial)
        case .unwritable: return self
        }
    }
}

extension FieldKind {
    /// Whether a field of this kind can have been filled in with the value, and may show it again.
    fileprivate func takes(_ value: Payload) -> Bool {
        guard self != .password else { return false }
        let field = FieldContent(name: "", label: "", kind: self, value: value)
        return (try? field.value(of: field.writtenValue ?? "")) == value
    }
}

extension String {
    /// Whether a field of a form can have the name.
    fileprivate var isFieldName: Bool { !isEmpty && self == oneLine(400) && self != CallForm.targetKey }
}
