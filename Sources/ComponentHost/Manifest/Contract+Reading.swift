import ComponentKit
import ManifestRules

extension ServiceDeclaration {
    /// - Parameter module: where the note does not say.
    init(_ json: Payload, module standard: String) throws(PayloadError) {
        name = try json.text("name", .service)
        module = try json.stringIfPresent("module") ?? standard
        protocolName = try json.text("protocol", .name)
        selectors = try json.selectors()
        arguments = try json.stringIfPresent("arguments")
    }
}

extension ModelDeclaration {
    /// - Parameter module: where the note does not say.
    init(_ json: Payload, module standard: String) throws(PayloadError) {
        name = try json.text("name", .name)
        module = try json.stringIfPresent("module") ?? standard
        isError = try json.boolIfPresent("error") ?? false
        let raw = try json.stringIfPresent("raw")
        let cases = json["cases"].flatMap { $0.isNull ? nil : $0 }
        let hasFields = json["fields"].map { !$0.isNull } ?? false
        switch (hasFields, cases) {
        case (true, nil):
            guard raw == nil else {
                throw PayloadError(path: ["raw"], expected: "nothing: only enums have raw values", found: "a type")
            }
            content = .fields(try json.fields("fields"))
        case (false, let cases?):
            do throws(PayloadError) {
                content = .cases(try ModelDeclaration.cases(cases, isRaw: raw != nil), raw: raw)
            } catch {
                throw error.within("cases")
            }
        case (true, _?): throw PayloadError(expected: #"one of "fields" and "cases""#, found: "both")
        case (false, nil): throw PayloadError(expected: #"one of "fields" and "cases""#, found: "none")
        }
    }

    /// - Parameter isRaw: whether a text may stand in place of a case's values: its raw value.
    private static func cases(_ json: Payload, isRaw: Bool) throws(PayloadError) -> [Case] {
        var cases: [Case] = []
        for (name, values) in try json.entries() {
            do throws(PayloadError) {
                if isRaw, values.kind == .string {
                    cases.append(Case(name: name, rawValue: try values.string()))
                    continue
                }
                cases.append(Case(name: name, values: values.isNull ? [] : try values.fields()))
            } catch {
                throw error.within(.key(name))
            }
        }
        return cases
    }
}

extension Payload {
    /// The selectors of a class or service, each once.
    func selectors() throws(PayloadError) -> [SelectorDeclaration] {
        let selectors = try list("selectors") { (item) throws(PayloadError) in try SelectorDeclaration(item) }
        try selectors.refuseRepetition(
            of: "selector of this kind", in: "selectors", name: { $0.name }, key: { $0.reference })
        return selectors
    }
}
