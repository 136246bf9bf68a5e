import SystemSupport

extension ContractComparer {
    /// Compares the keys of two maps: parameters of a selector, fields of a struct, or values of an enum's case.
    ///
    /// - Parameter isSparse: whether the side that writes the map leaves out what is equal to its default.
    mutating func compare(
        _ expected: [ModelDeclaration.Field], _ offered: [ModelDeclaration.Field], _ flow: Flow, _ scopes: Scopes,
        isSparse: Bool = false, path: String
    ) {
        let names = Names(expected, offered, name: \.name) { $0.type }
        for field in expected {
            let path = "\(path).\(field.name)"
            if let other = names.same(field) {
                compare(
                    written(field.type), written(other.type), flow, scopes, isSparse: isSparse, field.name, path: path)
            } else if let other = names.renamed(field) {
                add(.incompatible, path, "renamed?", field.text, other.text)
            } else {
                add(.incompatible, path, "removed", field.text)
            }
        }
        for field in names.added {
            let mustBeSent = flow == .toProvider && !written(field.type).mayBeMissing
            add(
                mustBeSent ? .incompatible : .compatible, "\(path).\(field.name)",
                mustBeSent ? "new and required" : "new", nil, field.text)
        }
    }

    private mutating func compare(
        _ expected: WrittenType, _ offered: WrittenType, _ flow: Flow, _ scopes: Scopes, isSparse: Bool,
        _ name: String, path: String
    ) {
        var verdict = compare(expected.type, offered.type, flow, scopes)
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
        report(verdict, path, "\(name): \(expected.text)", "\(name): \(offered.text)")
    }

    mutating func report(_ verdict: Verdict, _ path: String, _ expected: String, _ offered: String) {
        switch verdict {
        case .same: break
        case .compatible(let change): add(.compatible, path, change, expected, offered)
        case .incompatible(let change): add(.incompatible, path, change, expected, offered)
        }
    }

    mutating func compare(_ expected: ModelDeclaration, _ offered: ModelDeclaration, _ flow: Flow) {
        let scopes = Scopes(
            consumer: ModelPool.Scope(module: expected.module, owner: expected.name),
            provider: ModelPool.Scope(module: offered.module, owner: offered.name))
        switch (expected.content, offered.content) {
        case (.fields(let expectedFields), .fields(let offeredFields)):
            let writer = flow == .toConsumer ? offered : expected
            compare(
                expectedFields, offeredFields, flow, scopes, isSparse: writer.isSparse, path: expected.name)
        case (.cases(let expectedCases, let expectedRaw), .cases(let offeredCases, let offeredRaw)):
            guard expectedRaw.map(TypeExpression.init) == offeredRaw.map(TypeExpression.init) else {
                let texts = [expectedRaw, offeredRaw].map { $0.map { "raw: \($0)" } ?? "no raw value" }
                return add(.incompatible, expected.name, "different type of raw value", texts[0], texts[1])
            }
            compare(expectedCases, offeredCases, flow, scopes, path: expected.name)
        default:
            add(.incompatible, expected.name, "different kind of type", expected.content.word, offered.content.word)
        }
    }

    private mutating func compare(
        _ expected: [ModelDeclaration.Case], _ offered: [ModelDeclaration.Case], _ flow: Flow, _ scopes: Scopes,
        path: String
    ) {
        let names = Names(expected, offered, name: \.name) { $0.values }
        for item in expected {
            let path = "\(path).\(item.name)"
            if let other = names.same(item) {
                if let expected = item.rawValue, let offered = other.rawValue, !expected.isExactly(offered) {
                    add(.incompatible, path, "different raw value", item.text, other.text)
                }
                compare(item.values, other.values, flow, scopes, path: path)
            } else if let other = names.renamed(item) {
                add(.incompatible, path, "renamed?", item.text, other.text)
            } else {
                add(.incompatible, path, "removed", item.text)
            }
        }
        for item in names.added {
            add(
                flow == .toConsumer ? .incompatible : .compatible, "\(path).\(item.name)",
                flow == .toConsumer ? "new case, unknown to the consumer" : "new case", nil, item.text)
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
