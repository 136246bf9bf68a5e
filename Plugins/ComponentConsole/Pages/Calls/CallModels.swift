import ComponentKit

/// The models of a manifest, by their names.
struct CallModels: Sendable {
    private var byName: [String: [DeclaredModel]] = [:]

    init(_ models: [DeclaredModel]) {
        for model in models {
            for name in [model.name, "\(model.module).\(model.name)"] { byName[name, default: []].append(model) }
            // A nested type is also written without the types around it.
            var rest = model.name[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                byName[String(rest), default: []].append(model)
            }
        }
    }

    /// Returns the model with a name; nil if there is none, or if the name may mean several.
    func find(_ name: String) -> DeclaredModel? {
        guard let found = byName[name], let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Whether a value of the type may contain a text that must stay hidden, as a password in a model does.
    func hidesText(_ type: ParameterType) -> Bool {
        var seen: Set<String> = []
        var types = [type]
        while let next = types.popLast() {
            // All names in it: "[Login: Secret]?" has two.
            let names = next.name.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
            for name in names where seen.insert(name).inserted {
                if ParameterType(name).isHidden { return true }
                for model in byName[name] ?? [] { types += model.types.map { ParameterType($0) } }
            }
        }
        return false
    }
}

extension DeclaredModel {
    /// The types of its fields, or of the values of its cases.
    fileprivate var types: [String] {
        switch content {
        case .fields(let fields): fields.map(\.type)
        case .cases(let cases, _): cases.flatMap { $0.values.map(\.type) }
        }
    }
}

extension CallModels {
    /// How deep models are written out in each other.
    private static let deepest = 4
    /// How many fields a model may have to be written out.
    private static let mostFields = 60

    /// Returns an example of a value, in which people only change what they need: empty texts, zeros, and the fields of a
    /// model without those that may be missing; nil if the type does not say what a value looks like.
    func skeleton(of type: ParameterType) -> Payload? { skeleton(of: type, depth: 0) }

    private func skeleton(of type: ParameterType, depth: Int) -> Payload? {
        if let model = find(type.name) { return depth < CallModels.deepest ? skeleton(of: model, depth: depth) : nil }
        if CallField.integers[type.name] != nil { return 0 }
        switch type.name {
        case "String", "Substring", "Character", "string", "Secret", "Password", "URL", "UUID": return ""
        case "Bool", "bool": return false
        case "UInt", "UInt64", "uint": return 0
        case "Double", "Float", "double", "float": return 0.0
        case "Date", "Timestamp", "date": return .date(Timestamp(seconds: 0))
        case "Data", "bytes", "[UInt8]": return .bytes([])
        default: break
        }
        guard type.name.hasPrefix("["), type.name.hasSuffix("]") else { return nil }
        let inner = type.name.dropFirst().dropLast()
        guard inner.contains(":") else { return .array([]) }
        return inner.contains { "[(<".contains($0) } ? nil : .map([])
    }

    private func skeleton(of model: DeclaredModel, depth: Int) -> Payload? {
        switch model.content {
        case .fields(let fields): return skeleton(of: fields, depth: depth)
        case .cases(let cases, let raw):
            guard let first = cases.first else { return nil }
            if let raw, let text = first.raw {
                return ParameterType(raw).name == "String" ? .string(text) : Int(text).map { Payload($0) }
            }
            guard !first.values.isEmpty else { return .string(first.name) }
            return skeleton(of: first.values, depth: depth).map { .map([(first.name, $0)]) }
        }
    }

    /// Nil if the form of a field that must be there is not known.
    private func skeleton(of fields: [DeclaredField], depth: Int) -> Payload? {
        guard fields.count <= CallModels.mostFields else { return nil }
        var entries: [(String, Payload)] = []
        for field in fields {
            let type = ParameterType(field.type)
            if type.mayBeMissing { continue }
            guard let value = skeleton(of: type, depth: depth + 1) else { return nil }
            entries.append((field.name, value))
        }
        return .map(entries)
    }
}
