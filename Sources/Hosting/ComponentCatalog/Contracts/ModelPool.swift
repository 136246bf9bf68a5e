import SystemSupport

/// The models of one side, looked up by the names that authors wrote.
package struct ModelPool: Sendable {
    /// The scope in which a type name was written, which determines the type that it refers to.
    package struct Scope: Hashable, Sendable {
        var module: String
        /// The enclosing type, as in "Outer.Inner"; empty when there is none.
        var owner: String

        package init(module: String, owner: String) {
            self.module = module
            self.owner = owner
        }
    }

    /// The result of looking up a name.
    package enum Found: Hashable, Sendable {
        case model(Int)
        case nothing
        /// The name is ambiguous.
        case several
    }

    package let models: [ModelDeclaration]
    /// The approximate size of each model's text, in bytes.
    let textSizes: [Int]
    /// Indices by name, and by module and name.
    private var exact: [ExactText: [Int]] = [:]
    /// Indices of nested types, by each suffix of their names.
    private var endings: [ExactText: [Int]] = [:]

    package init(_ models: [ModelDeclaration]) {
        self.models = models
        textSizes = models.map(\.textSize)
        for (index, model) in models.enumerated() {
            exact[ExactText(model.name), default: []].append(index)
            exact[ExactText("\(model.module).\(model.name)"), default: []].append(index)
            var rest = model.name[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                endings[ExactText(rest), default: []].append(index)
            }
        }
    }

    /// Returns the model that a written name refers to. A model nested in an enclosing type comes first, then one with
    /// exactly that name or module and name, then one nested in any other type. Among several candidates, the one in
    /// the same module is chosen.
    package func find(_ name: String, in scope: Scope) -> Found {
        var owner = scope.owner[...]
        while !owner.isEmpty {
            if let found = choose(exact[ExactText("\(owner).\(name)")], scope) { return found }
            owner = owner.lastIndex(of: ".").map { owner[..<$0] } ?? ""
        }
        return choose(exact[ExactText(name)], scope) ?? choose(endings[ExactText(name)], scope) ?? .nothing
    }

    private func choose(_ candidates: [Int]?, _ scope: Scope) -> Found? {
        guard let candidates else { return nil }
        if candidates.count == 1 { return .model(candidates[0]) }
        let own = candidates.filter { models[$0].module.isExactly(scope.module) }
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
