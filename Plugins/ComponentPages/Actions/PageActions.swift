import ComponentKit
import PageKit

/// Performs what a person chooses on a page.
struct PageActions: Sendable {
    let center: PageCenter

    /// Performs an action that the view of a section offers now, in the session of the running call.
    func perform(
        _ action: Action, of name: String, on id: String, values: [String: String]
    ) async throws -> ActionOutcome {
        try await center.withPage(id) { page in
            try await page.bringUpToDate(for: name)
            return try await perform(action, of: name, on: page, values: values)
        }
    }

    private func perform(
        _ action: Action, of name: String, on page: LivePage, values: [String: String]
    ) async throws -> ActionOutcome {
        let id = page.id
        guard let (plan, section) = await page.section(named: name), let module = plan.module else {
            throw PageError.unknownSection(page: id, section: name)
        }
        // What is performed is what the view offers. Swift takes another spelling of its texts as equal, which may be the
        // name of another selector.
        guard section.state == .shown, let (view, action) = section.view.offering(action) else {
            throw PageError.actionNotOffered(page: id, section: name)
        }
        // A form in a card is not part of the card's own actions.
        let filledIn = try PageActions.read(values, in: view.isForm && view.action == action ? view : nil)
        var outcome = ActionOutcome()
        // Where an answer leads to a page, that page is shown next.
        func lead(_ answer: Payload) { outcome = ActionOutcome(answer: answer) ?? ActionOutcome(value: answer) }
        do {
            switch action.effect {
            case .call(let selector, let parameters):
                let payload = parameters.merging(filledIn) { _, new in new }.payload
                let isSelector = center.link.isAvailable(module.className, selector, kind: .object)
                lead(
                    try await center.link.call(
                        module.className, selector, payload, kind: isSelector ? .object : .class,
                        timeout: center.timeout))
            case .open(let url): lead(try await center.link.open(url, filledIn.payload))
            case .show(let next): outcome.page = next
            case .refresh:
                if let parts = action.parts { await page.setParts(parts, of: name) }
            }
        } catch {
            // The module may show what is wrong, as a form does.
            await page.ask(name)
            // A module may say which field of a form is wrong, or what people are told.
            if let problem = error.originalOrSelf as? PageError { throw problem }
            center.link.log(.warning, "\(name) of the page \(id): \(error.message)")
            throw PageError.actionFailed(message: error.message, forPeople: error.sentenceForPeople)
        }
        if outcome.page == nil { await page.renew(name) }
        return outcome
    }

    /// Reads what a person has filled in. Fields without a text count as empty.
    ///
    /// - Parameter form: Nil for an action that takes no values.
    private static func read(_ values: [String: String], in form: ViewNode?) throws(PageError) -> [String: Payload] {
        let fields = form?.fields ?? []
        let names = Set(fields.map(\.name))
        if let other = values.keys.filter({ !names.contains($0) }).min() {
            throw .invalidValue(field: other, reason: "The form has no such field.")
        }
        var read: [String: Payload] = [:]
        for field in fields {
            do throws(FieldContent.Problem) {
                let value = try field.value(of: values[field.name] ?? "")
                if !value.isNull { read[field.name] = value }
            } catch {
                throw .invalidValue(field: field.name, reason: error.description)
            }
        }
        return read
    }
}

extension ViewNode {
    /// Returns the view, or the one in it, that has an equal action, and that action.
    fileprivate func offering(_ action: Action) -> (view: ViewNode, action: Action)? {
        if let own = self.action, own == action { return (self, own) }
        if let side = sideActions.first(where: { $0 == action }) { return (self, side) }
        for child in children {
            if let found = child.offering(action) { return found }
        }
        return nil
    }

    fileprivate var isForm: Bool { if case .form = content { true } else { false } }

    /// The fields of a form.
    fileprivate var fields: [FieldContent] {
        var fields: [FieldContent] = []
        if case .field(let field) = content { fields.append(field) }
        for child in children { fields += child.fields }
        return fields
    }
}

extension LinkError {
    /// What a person is told who has performed an action. The message may name anything, such as the path of a file.
    fileprivate var sentenceForPeople: String {
        switch code {
        case .methodFailed, .routeDeclined:
            "That could not be done. The operator of this site can find the reason in the log."
        case .routeRefused: "You may not do this now. Sign in first, or ask the operator of this site."
        case .deadlineExceeded, .cancelled: "It has taken too long. Check whether it was done before you try again."
        case .classNotFound, .notLoaded, .stopped, .routeNotFound, .stuck:
            "This part of the site is not available now. Try again later."
        default: "Something is wrong with this part of the site. Its operator can find the reason in the log."
        }
    }
}
