/// The models of one side, found as their names are written.
struct ModelPool {
    /// Where a type was written: names mean what they mean there.
    struct Scope: Hashable {
        var module: String
        /// The type that it was written in, as in "Outer.Inner"; empty for none.
        var owner: String
    }

    /// What a name leads to.
    enum Found: Hashable {
        case model(Int)
        case nothing
        /// Several models may be meant.
        case several
    }

    let models: [ModelDeclaration]
    /// About how much each has to be compared, in bytes.
    let textSizes: [Int]
    /// By name, and by module and name.
    private var exact: [String: [Int]] = [:]
    /// Types inside others, by the end of their names.
    private var endings: [String: [Int]] = [:]

    init(_ models: [ModelDeclaration]) {
        self.models = models
        textSizes = models.map(\.textSize)
        for (index, model) in models.enumerated() {
            exact[model.name, default: []].append(index)
            exact["\(model.module).\(model.name)", default: []].append(index)
            var rest = model.name[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                endings[String(rest), default: []].append(index)
            }
        }
    }

    /// The model behind a name as somebody wrote it: one inside the same type first, then one of that name or of that
    /// module and name, then one inside any other type. Of several that of the same module is meant.
    func find(_ name: String, in scope: Scope) -> Found {
        var owner = scope.owner[...]
        while !owner.isEmpty {
            if let found = choose(exact["\(owner).\(name)"], scope) { return found }
            owner = owner.lastIndex(of: ".").map { owner[..<$0] } ?? ""
        }
        return choose(exact[name], scope) ?? choose(endings[name], scope) ?? .nothing
    }

    private func choose(_ candidates: [Int]?, _ scope: Scope) -> Found? {
        guard let candidates else { return nil }
        if candidates.count == 1 { return .model(candidates[0]) }
        let own = candidates.filter { models[$0].module == scope.module }
        return own.count == 1 ? .model(own[0]) : .several
    }
}

extension ModelDeclaration {
    fileprivate var textSize: Int {
        switch content {
        case .fields(let fields): fields.textSize
        case .cases(let cases, _):
            cases.reduce(0) { $0 + $1.values.textSize + $1.name.utf8.count + ($1.rawValue?.utf8.count ?? 0) + 64 }
        }
    }
}

extension [ModelDeclaration.Field] {
    fileprivate var textSize: Int { reduce(0) { $0 + $1.name.utf8.count + $1.type.utf8.count + 64 } }
}
