/// The declarations that are one model.
struct ModelGroup {
    /// The name of the model: that of its copies without their prefixes.
    let name: String
    /// The copies and the original, in the order of their locations.
    var copies: [Model] = []
    /// Which of them have the model's own name, so that they are the original.
    var originals: [Int] = []
}

/// Finds the types that are one model.
struct Pairing {
    /// The models with at least two copies, in the order of their names.
    private(set) var groups: [ModelGroup] = []
    /// The marked copies without another copy.
    private(set) var lonely: [(mark: Mark, name: String)] = []
    private let naming: ModelName
    private let models: [Model]
    /// The indices of the models with a path.
    private let indices: [[String]: [Int]]

    /// - Parameter models: All types, in the order of their locations.
    init(_ models: [Model], naming: ModelName) {
        self.models = models
        self.naming = naming
        indices = Dictionary(grouping: models.indices) { models[$0].path }
        var found: [String: ModelGroup] = [:]
        var withCopies: Set<String> = []
        for model in models {
            guard let identity = identity(of: model.path, in: model.location.file) else { continue }
            let count = found[identity.model]?.copies.count ?? 0
            if identity.isCopy { withCopies.insert(identity.model) }
            if !identity.isCopy {
                found[identity.model, default: ModelGroup(name: identity.model)].originals.append(count)
            }
            found[identity.model, default: ModelGroup(name: identity.model)].copies.append(model)
        }
        for name in withCopies.sorted() {
            guard let group = found[name] else { continue }
            if group.copies.count > 1 {
                groups.append(group)
            } else if let mark = group.copies[0].copyMark {
                lonely.append((mark, name))
            }
        }
    }

    /// What a type is a copy of.
    private struct Identity {
        let model: String
        /// Whether a prefix or a mark says so.
        let isCopy: Bool
    }

    /// Returns the model of a type; nil if it or a type around it is marked as no copy.
    private func identity(of path: [String], in file: String) -> Identity? {
        guard let last = path.last else { return Identity(model: "", isCopy: false) }
        let found = indices[path] ?? []
        let own = (found.first { models[$0].location.file == file } ?? found.first).map { models[$0] }
        if own?.marks.contains(where: { $0.meaning == .notACopy }) == true { return nil }
        if case .copy(let name)? = own?.copyMark?.meaning {
            return Identity(model: naming.model(ofPath: name), isCopy: true)
        }
        guard let outer = identity(of: Array(path.dropLast()), in: file) else { return nil }
        let (name, hasPrefix) = naming.model(of: last)
        return Identity(
            model: outer.model.isEmpty ? name : "\(outer.model).\(name)", isCopy: outer.isCopy || hasPrefix)
    }
}

extension Model {
    fileprivate var copyMark: Mark? {
        marks.first { mark in if case .copy = mark.meaning { true } else { false } }
    }
}
