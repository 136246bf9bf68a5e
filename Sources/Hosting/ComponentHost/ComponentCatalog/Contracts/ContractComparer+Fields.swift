import SystemSupport

extension ContractComparer {
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
