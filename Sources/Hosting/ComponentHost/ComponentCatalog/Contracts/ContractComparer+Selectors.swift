import ComponentKit

extension ContractComparer {
    /// Compares a service that both sides describe.
    ///
    /// - Parameter prefix: The prefix of every path that is reported.
    mutating func compare(_ expected: ServiceDeclaration, _ offered: ServiceDeclaration, prefix: String) {
        let scopes = Scopes(
            consumer: ModelPool.Scope(module: expected.module, owner: expected.protocolName.owner),
            provider: ModelPool.Scope(module: offered.module, owner: offered.protocolName.owner))
        compare(expected.selectors, offered.selectors, in: scopes, prefix: prefix)
        switch (expected.arguments, offered.arguments) {
        case (nil, nil): break
        case (let text?, nil):
            add(.incompatible, at: "\(prefix)arguments", change: "removed", expected: "arguments: \(text)")
        case (nil, let text?):
            add(.incompatible, at: "\(prefix)arguments", change: "new and required", offered: "arguments: \(text)")
        case (let expected?, let offered?):
            let verdict = compare(TypeExpression(expected), TypeExpression(offered), flow: .toProvider, in: scopes)
            report(
                verdict, at: "\(prefix)arguments", expected: "arguments: \(expected)", offered: "arguments: \(offered)")
        }
    }

    mutating func compare(
        _ expected: [SelectorDeclaration], _ offered: [SelectorDeclaration], in scopes: Scopes, prefix: String
    ) {
        let names = Names(expected, offered, name: \.reference.description) { $0.likeness }
        for selector in expected {
            let path = "\(prefix)\(selector.name)"
            if let other = names.same(selector) {
                compare(selector, other, in: scopes, path: path)
            } else if let other = names.renamed(selector) {
                add(.incompatible, at: path, change: "renamed?", expected: selector.signature, offered: other.signature)
            } else {
                add(.incompatible, at: path, change: "removed", expected: selector.signature)
            }
        }
        for selector in names.added {
            add(.compatible, at: "\(prefix)\(selector.name)", change: "new", offered: selector.signature)
        }
    }

    private mutating func compare(
        _ expected: SelectorDeclaration, _ offered: SelectorDeclaration, in scopes: Scopes, path: String
    ) {
        compare(expected.parameters, offered.parameters, flow: .toProvider, in: scopes, path: "\(path).parameters")
        let types = (expected.resultType, offered.resultType)
        switch types {
        case (.void, .void): break
        case (.void, _): add(.compatible, at: "\(path).result", change: "new", offered: offered.resultText)
        case (_, .void): add(.incompatible, at: "\(path).result", change: "removed", expected: expected.resultText)
        default:
            let verdict = compare(types.0, types.1, flow: .toConsumer, in: scopes)
            report(verdict, at: "\(path).result", expected: expected.resultText, offered: offered.resultText)
        }
    }
}

extension SelectorDeclaration {
    /// The signature in the form `class signIn(name: String) -> Session?`.
    var signature: String {
        "\(kind == .class ? "class " : "")\(name)\(parameters.text)\(result.map { " -> \($0)" } ?? "")"
    }

    fileprivate var resultType: TypeExpression { result.map { TypeExpression($0) } ?? .void }
    fileprivate var resultText: String { "result: \(result ?? "none")" }

    /// A value that is equal for two selectors if one may be the other under a new name.
    fileprivate var likeness: Likeness { Likeness(kind: kind, parameters: parameters, result: resultType) }

    fileprivate struct Likeness: Hashable {
        let kind: SelectorKind
        let parameters: [Parameter]
        let result: TypeExpression
    }
}

extension String {
    /// The name of the enclosing type; empty when there is none.
    var owner: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? "" }
}
