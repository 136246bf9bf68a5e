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
        case (let expected, let offered) where expected.streamElement != nil && offered.streamElement != nil:
            return compare(expected.streamElement ?? .void, offered.streamElement ?? .void, flow: flow, in: scopes)
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

    /// Compares the keys of two maps: parameters of a selector, fields of a struct, or values of an enum's case.
    ///
    /// - Parameter isSparse: whether the side that writes the map leaves out what is equal to its default.
    mutating func compare(
        _ expected: [ModelDeclaration.Field], _ offered: [ModelDeclaration.Field], flow: Flow, in scopes: Scopes,
        isSparse: Bool = false, path: String
    ) {
        let names = Names(expected, offered, name: \.name) { $0.type }
        for field in expected {
            let path = "\(path).\(field.name)"
            if let other = names.same(field) {
                compare(
                    written(field.type), written(other.type), flow: flow, in: scopes, isSparse: isSparse,
                    name: field.name, path: path)
            } else if let other = names.renamed(field) {
                add(.incompatible, at: path, change: "renamed?", expected: field.text, offered: other.text)
            } else {
                add(.incompatible, at: path, change: "removed", expected: field.text)
            }
        }
        for field in names.added {
            let mustBeSent = flow == .toProvider && !written(field.type).mayBeMissing
            add(
                mustBeSent ? .incompatible : .compatible, at: "\(path).\(field.name)",
                change: mustBeSent ? "new and required" : "new", offered: field.text)
        }
    }

    private mutating func compare(
        _ expected: WrittenType, _ offered: WrittenType, flow: Flow, in scopes: Scopes, isSparse: Bool,
        name: String, path: String
    ) {
        var verdict = compare(expected.type, offered.type, flow: flow, in: scopes)
        if flow == .toProvider, verdict == .same, expected.mayBeMissing, !offered.mayBeMissing {
            verdict = .incompatible("now required")
        }
        if isSparse, verdict == .same {
            let (writer, reader) = flow == .toConsumer ? (offered, expected) : (expected, offered)
            if writer.mayBeMissing, !reader.mayBeMissing {
                verdict = .incompatible("may be left out now")
            } else if writer.mayBeMissing, writer.standard != reader.standard {
                verdict = .incompatible("different default, which is left out")
            }
        }
        report(verdict, at: path, expected: "\(name): \(expected.text)", offered: "\(name): \(offered.text)")
    }

    mutating func report(_ verdict: Verdict, at path: String, expected: String, offered: String) {
        switch verdict {
        case .same: break
        case .compatible(let change): add(.compatible, at: path, change: change, expected: expected, offered: offered)
        case .incompatible(let change):
            add(.incompatible, at: path, change: change, expected: expected, offered: offered)
        }
    }

    mutating func compare(_ expected: ModelDeclaration, _ offered: ModelDeclaration, flow: Flow) {
        let scopes = Scopes(
            consumer: ModelPool.Scope(module: expected.module, owner: expected.name),
            provider: ModelPool.Scope(module: offered.module, owner: offered.name))
        switch (expected.content, offered.content) {
        case (.fields(let expectedFields), .fields(let offeredFields)):
            let writer = flow == .toConsumer ? offered : expected
            compare(
                expectedFields, offeredFields, flow: flow, in: scopes, isSparse: writer.isSparse, path: expected.name)
        case (.cases(let expectedCases, let expectedRaw), .cases(let offeredCases, let offeredRaw)):
            guard expectedRaw.map(TypeExpression.init) == offeredRaw.map(TypeExpression.init) else {
                let texts = [expectedRaw, offeredRaw].map { $0.map { "raw: \($0)" } ?? "no raw value" }
                return add(
                    .incompatible, at: expected.name, change: "different type of raw value", expected: texts[0],
                    offered: texts[1])
            }
            compare(expectedCases, offeredCases, flow: flow, in: scopes, path: expected.name)
        default:
            add(
                .incompatible, at: expected.name, change: "different kind of type", expected: expected.content.word,
                offered: offered.content.word)
        }
    }

    private mutating func compare(
        _ expected: [ModelDeclaration.Case], _ offered: [ModelDeclaration.Case], flow: Flow, in scopes: Scopes,
        path: String
    ) {
        let names = Names(expected, offered, name: \.name) { $0.values }
        for item in expected {
            let path = "\(path).\(item.name)"
            if let other = names.same(item) {
                if let expected = item.rawValue, let offered = other.rawValue, !expected.isExactly(offered) {
                    add(
                        .incompatible, at: path, change: "different raw value", expected: item.text, offered: other.text
                    )
                }
                compare(item.values, other.values, flow: flow, in: scopes, path: path)
            } else if let other = names.renamed(item) {
                add(.incompatible, at: path, change: "renamed?", expected: item.text, offered: other.text)
            } else {
                add(.incompatible, at: path, change: "removed", expected: item.text)
            }
        }
        for item in names.added {
            add(
                flow == .toConsumer ? .incompatible : .compatible, at: "\(path).\(item.name)",
                change: flow == .toConsumer ? "new case, unknown to the consumer" : "new case", offered: item.text)
        }
    }
}

extension TypeExpression.Element {
    fileprivate var exactLabel: ExactText? { label.map { ExactText($0) } }
}

extension ModelDeclaration.Field {
    /// The field in the form `limit: Int = 10`.
    fileprivate var text: String { "\(name): \(type)" }
}

extension [ModelDeclaration.Field] {
    /// The fields in the form `(name: String, limit: Int = 10)`.
    var text: String { "(\(map(\.text).joined(separator: ", ")))" }
}

extension ModelDeclaration.Case {
    /// The case in the form `case a(_0: Int)` or `case a = 1`.
    fileprivate var text: String {
        "case \(name)\(values.isEmpty ? "" : values.text)\(rawValue.map { " = \($0)" } ?? "")"
    }
}

extension ModelDeclaration.Content {
    fileprivate var word: String {
        switch self {
        case .fields: "a struct"
        case .cases(_, nil): "an enum"
        case .cases(_, let raw?): "an enum of \(raw)"
        }
    }
}
