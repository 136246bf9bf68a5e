import SwiftSyntax

/// An enum without raw values. A case is encoded as its name, or as a map from its name to a map of associated values.
struct EnumModel: ModelContent {
    private struct Case {
        /// The name as it appears in Swift source, with its backticks if it has any.
        let name: String
        let values: [(label: String?, field: ModelField)]

        var key: String { name.withoutBackticks }

        /// Returns a statement with the line of the first associated value that may be unable to be part of a model.
        func marked(_ statement: String, _ lines: AuthorLines) -> String {
            values.first { !$0.field.type.isPlain }?.field.marked(statement, lines) ?? statement
        }
    }

    private var cases: [Case] = []

    init(_ declaration: some DeclGroupSyntax) throws(MacroDiagnostic) {
        try declaration.refuseConditional(["case "], "cases")
        for member in declaration.memberBlock.members {
            for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
                guard !cases.contains(where: { $0.name == element.name.text }) else {
                    throw MacroDiagnostic(
                        "a case is identified by its name alone: rename one of the cases \"\(element.name.text)\"",
                        at: element)
                }
                var values: [(label: String?, field: ModelField)] = []
                for (index, parameter) in (element.parameterClause?.parameters ?? []).enumerated() {
                    let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.text }
                    let field = try ModelField(
                        key: label?.withoutBackticks ?? "_\(index)", type: parameter.type,
                        defaultValue: parameter.defaultValue?.value)
                    values.append((label, field))
                }
                cases.append(Case(name: element.name.text, values: values))
            }
        }
    }

    func describe(in members: inout NoteMembers) {
        members.add("cases", .object(cases.map { ($0.key, .object($0.values.map(\.field.note))) }))
    }

    func conversions(access: String, type: String, lines: AuthorLines) -> String {
        """
        /// The name of the case, or a map from it to the associated values.
        \(access)var payload: ComponentKit.Payload {
            switch self {
        \(cases.map { encoding($0, lines) }.joined(separator: "\n").indented(by: 4))
            }
        }

        /// Reads the case by its name.
        \(access)init(payload: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) {
            let name = try ComponentKit.__ModelCoding.caseName(payload)
            switch name {
        \(cases.map { decoding($0, type: type, lines: lines) }.joined(separator: "\n").indented(by: 4))
            default:
                throw ComponentKit.__ModelCoding.unknownCase(name, [\(cases.map(\.key.swiftLiteral).joined(separator: ", "))])
            }
        }
        """
    }

    private func encoding(_ element: Case, _ lines: AuthorLines) -> String {
        let key = element.key.swiftLiteral
        guard !element.values.isEmpty else { return "case .\(element.name): ComponentKit.Payload.string(\(key))" }
        let names = element.values.indices.map { "let value\($0)" }.joined(separator: ", ")
        let pairs = element.values.enumerated().map { index, value in
            "(\(value.field.key.swiftLiteral), ComponentKit.__ModelCoding.payload(value\(index)))"
        }
        let inner = "ComponentKit.Payload(__fields: \(pairs.joined(separator: ", ")))"
        let payload = element.marked("ComponentKit.Payload(__fields: (\(key), \(inner)))", lines)
        return """
            case .\(element.name)(\(names)):
            \(payload.indented(by: 4))
            """
    }

    private func decoding(_ element: Case, type: String, lines: AuthorLines) -> String {
        let key = element.key.swiftLiteral
        guard !element.values.isEmpty else { return "case \(key): self = .\(element.name)" }
        let values = element.values.map { label, field in
            (label.map { "\($0): " } ?? "") + field.reading(from: "values")
        }
        let value = element.marked(".\(element.name)(\(values.joined(separator: ", ")))", lines)
        return """
            case \(key):
                self = try payload.withValue(\(key)) {
                    (values: borrowing ComponentKit.PayloadView) throws(ComponentKit.PayloadError) -> \(type) in
            \(value.indented(by: 8))
                }
            """
    }
}
