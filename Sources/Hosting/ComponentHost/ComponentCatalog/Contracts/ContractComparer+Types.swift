import SystemSupport

extension ContractComparer {
    /// The result of comparing two types, ordered from best to worst.
    enum Verdict: Hashable {
        case same
        case compatible(String)
        case incompatible(String)

        static let retyped = Verdict.incompatible("different type")

        private var rank: Int {
            switch self {
            case .same: 0
            case .compatible: 1
            case .incompatible: 2
            }
        }

        /// Returns the worse of two verdicts.
        func joined(_ other: Verdict) -> Verdict { other.rank > rank ? other : self }
    }

    mutating func compare(
        _ expected: TypeExpression, _ offered: TypeExpression, flow: Flow, in scopes: Scopes
    ) -> Verdict {
        switch (expected, offered) {
        case (.optional(let expected), .optional(let offered)):
            return compare(expected, offered, flow: flow, in: scopes)
        case (.optional(let expected), _):
            let verdict = compare(expected, offered, flow: flow, in: scopes)
            if case .incompatible = verdict { return verdict }
            return flow == .toProvider ? .incompatible("now required") : .compatible("no longer nil")
        case (_, .optional(let offered)):
            let verdict = compare(expected, offered, flow: flow, in: scopes)
            if case .incompatible = verdict { return verdict }
            return flow == .toProvider ? .compatible("now optional") : .incompatible("may be nil now")
        case (.array(let expected), .array(let offered)): return compare(expected, offered, flow: flow, in: scopes)
        case (.dictionary(let expectedKey, let expected), .dictionary(let offeredKey, let offered)):
            return compare(expectedKey, offeredKey, flow: flow, in: scopes).joined(
                compare(expected, offered, flow: flow, in: scopes))
        case (.tuple(let expected), .tuple(let offered)):
            guard expected.map(\.exactLabel) == offered.map(\.exactLabel) else { return .retyped }
            return compare(expected.map(\.type), offered.map(\.type), flow: flow, in: scopes)
        case (.function(let expected), .function(let offered)):
            return compare(expected, offered, flow: flow, in: scopes)
        case (.named(let expectedName, let expected), .named(let offeredName, let offered)):
            let verdict = compare(expectedName, offeredName, flow: flow, in: scopes)
            return verdict.joined(compare(expected, offered, flow: flow, in: scopes))
        default: return expected == offered ? .same : .retyped
        }
    }

    /// Compares two lists of types pairwise.
    private mutating func compare(
        _ expected: [TypeExpression], _ offered: [TypeExpression], flow: Flow, in scopes: Scopes
    ) -> Verdict {
        guard expected.count == offered.count else { return .retyped }
        var verdict = Verdict.same
        for (expected, offered) in zip(expected, offered) {
            verdict = verdict.joined(compare(expected, offered, flow: flow, in: scopes))
        }
        return verdict
    }

    /// Compares two closure types. The side that receives a closure calls it, so its arguments flow in the opposite
    /// direction and its result in the same direction as the closure.
    private mutating func compare(
        _ expected: TypeExpression.Function, _ offered: TypeExpression.Function, flow: Flow, in scopes: Scopes
    ) -> Verdict {
        guard expected.isAsync == offered.isAsync, (expected.thrown == nil) == (offered.thrown == nil) else {
            return .retyped
        }
        return compare(expected.parameters, offered.parameters, flow: flow.reversed, in: scopes)
            .joined(compare(expected.result, offered.result, flow: flow, in: scopes))
    }

    /// Compares two type names. Models are queued for comparison; well-known types match by name; names that no note
    /// describes are reported as not compared.
    private mutating func compare(
        _ expected: String, _ offered: String, flow: Flow, in scopes: Scopes
    ) -> Verdict {
        let consumerSide = consumerModels.find(expected, in: scopes.consumer)
        let providerSide = providerModels.find(offered, in: scopes.provider)
        if case .model(let consumer) = consumerSide, case .model(let provider) = providerSide {
            guard consumerModels.models[consumer].name.isExactly(providerModels.models[provider].name) else {
                return .retyped
            }
            enqueue(consumer, provider, flow: flow)
            return .same
        }
        guard
            expected.isExactly(offered) || expected.hasExactSuffix(".\(offered)")
                || offered.hasExactSuffix(".\(expected)")
        else { return .retyped }
        if consumerSide == .nothing, providerSide == .nothing, WellKnownTypes.contain(expected) { return .same }
        skip(expected, consumer: consumerSide, provider: providerSide)
        return .same
    }
}

extension TypeExpression.Element {
    fileprivate var exactLabel: ExactText? { label.map { ExactText($0) } }
}
