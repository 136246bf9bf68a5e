import ComponentKit
import ManifestRules
import PageKit
import SystemSupport

/// An action that is to be performed, as a command line names it.
struct ActionRequest: Sendable {
    let address: ActionAddress
    /// The values of fields, in order.
    let values: [(field: String, value: String)]
    /// Whether the action is not asked about.
    let isConfirmed: Bool

    /// - Parameters:
    ///   - address: the address after `--perform`.
    ///   - arguments: the arguments after the page, as `field=value`.
    /// - Throws: a ``UsageError`` if an argument is not `field=value`, or its value cannot be read.
    init(_ address: ActionAddress, _ arguments: [String], isConfirmed: Bool) throws(UsageError) {
        self.address = address
        self.isConfirmed = isConfirmed
        var values: [(field: String, value: String)] = []
        for argument in arguments {
            guard let sign = argument.utf8.firstIndex(of: UInt8(ascii: "=")), sign > argument.startIndex else {
                throw UsageError(message: "expected field=value after the page, found \(argument.excerpt)")
            }
            let field = String(argument[..<sign])
            guard !values.contains(where: { $0.field.isExactly(field) }) else {
                throw UsageError(message: "the field \(field.excerpt) is given twice")
            }
            let text = String(argument[argument.utf8.index(after: sign)...])
            let value = try ValueArgument(text, of: field)
            if case .written(let text) = value {
                values.append((field, text))
            } else {
                let payload = try value.payload(of: field, type: "String")
                values.append((field, (try? payload.string()) ?? ""))
            }
        }
        self.values = values
    }
}

extension PageSession {
    func perform(_ request: ActionRequest, on client: PageClient) async throws -> Int32 {
        let section = request.address.section
        let page = try await loaded(page, on: client) { $0.section(named: section)?.state == .loading }
        let entry = try entry(of: request, on: page)
        let values = try PageSession.values(of: request, for: entry.fields)
        if let question = entry.action.confirmation, !request.isConfirmed {
            switch PageConfirmation.ask(question) {
            case true?: break
            case false?: throw PageFailure("not performed")
            case nil:
                throw UsageError(
                    message: "the page asks: \(question.excerpt); there is no terminal to answer at: add --yes")
            }
        }
        if case .show(let id) = entry.action.effect {
            try print(try await loaded(id, on: client) { $0.isLoading })
            return 0
        }
        let outcome = try await client.perform(
            entry.action, of: section, on: page.id, values: values, timeout: timeout)
        let text: String
        do throws(PayloadError) {
            text = isJSON ? try outcome.payload.json() : try outcome.value.json(pretty: true)
        } catch {
            throw PageFailure("performed, but the result cannot be printed as JSON: \(error)")
        }
        try Output.json(text)
        return 0
    }

    /// Finds the action on the page.
    private func entry(of request: ActionRequest, on page: Page) throws -> SectionActions.Entry {
        guard let section = page.section(named: request.address.section) else {
            let names = ([page.frame].compactMap(\.self) + page.sections).map(\.name)
            let similar = SimilarName.nearest(to: request.address.section, in: names)
            let known = names.isEmpty ? "it is empty" : "it shows \(names.joined(separator: ", "))"
            throw PageFailure(
                "the page \(page.id.quoted()) shows no section \(request.address.section.quoted()); "
                    + (similar.map { "did you mean \($0)?" } ?? known))
        }
        let actions = SectionActions(section)
        switch actions.entry(at: request.address) {
        case .one(let entry): return entry
        case .several:
            throw PageFailure("several forms of the page have the address \(request.address.text); give them keys")
        case .none:
            // No hint at the most similar address: it may be that of the next item.
            throw PageFailure(
                "the page \(page.id.quoted()) does not offer \(request.address.text) now; "
                    + "'hslink page' shows what it offers")
        }
    }

    /// Returns the values of all fields. Those that are not given keep what is in them, as in a browser.
    static func values(
        of request: ActionRequest, for fields: [FieldContent]
    ) throws(UsageError) -> [String: String] {
        let names = fields.map(\.name)
        if let unknown = request.values.first(where: { !names.containsExactly($0.field) }) {
            let known = names.isEmpty ? "the action takes no values" : "the fields are \(names.joined(separator: ", "))"
            throw UsageError(message: "there is no field \(unknown.field.excerpt); \(known)".escaped)
        }
        var values: [String: String] = [:]
        for field in fields {
            guard let given = request.values.first(where: { $0.field.isExactly(field.name) }) else {
                values[field.name] = field.writtenValue ?? ""
                continue
            }
            values[field.name] = given.value
        }
        return values
    }
}
