import PageKit

/// An action that asks before it is done, for browsers without scripts.
struct ConfirmationState: Hashable, Sendable {
    /// The page.
    var page: Page
    /// The section that the action belongs to.
    var section: String
    /// The action, with its question.
    var action: Action
    /// What a person has filled in, by the names of fields. Passwords are asked for again.
    var values: [String: String] = [:]
}

/// A document that says one thing, such as why a page cannot be shown.
struct MessagePage: Hashable, Sendable {
    /// The title.
    var title: String
    /// What there is to say.
    var text: String
    /// The status of HTTP, which is shown small; nil for none.
    var status: Int?
    /// What leads on.
    var links: [PageLink] = []
    /// Whether a link leads to the first page, whichever that is.
    var leadsToFirst = false
}

/// The document for signing in. It posts `token`, `secret` and `next`.
struct SignInState: Hashable, Sendable {
    /// What is asked for.
    enum Kind: Hashable, Sendable {
        case password, token
    }

    /// What is asked for.
    var kind = Kind.password
    /// The path that the form is posted to.
    var path = "/sign-in"
    /// The path to go to afterwards; the server must check it.
    var next: String?
    /// Why the last attempt was refused.
    var problem: String?
}

extension PageRenderer {
    /// Renders the question of an action on a page of its own.
    func confirmation(_ question: ConfirmationState, _ state: DocumentState = DocumentState()) -> Rendered {
        var out = HTMLWriter()
        let text = question.action.confirmation ?? "Do you want to continue?"
        documentStart(question.page.shownTitle, state.alone, to: &out)
        out.markup(#"<main id="main" class="alone" tabindex="-1"><h1>"#)
        out.text(text)
        out.markup("</h1>")
        if let perform = WebPlaces.perform(question.page.id), let json = question.action.json {
            out.markup(#"<form class="form" method="post""#)
            out.attribute("action", perform)
            out.markup(">")
            out.sectionFields(question.section)
            out.markup(#"<input type="hidden" name="confirmed" value="yes"><input type="hidden" name="action""#)
            out.attribute("value", json: json)
            out.markup(">")
            values(of: question, to: &out)
            // The same words as in the dialog of the script.
            let button = question.page.section(named: question.section)?.view.button(of: question.action)
            let role = button?.role == .destructive ? button?.role : question.action.role
            out.markup(#"<div class="actions"><button class=""#)
            out.markup((role == .destructive ? ButtonRole.destructive : .primary).className)
            out.markup(#"" type="submit">"#)
            let words = button?.title ?? question.action.title ?? ""
            out.text(words.isEmpty ? "Continue" : words)
            out.markup("</button>")
            back(to: question.page, class: "button", "Cancel", to: &out)
            out.markup("</div></form>")
        }
        out.markup("</main>")
        documentEnd(to: &out)
        return out.rendered
    }

    private func values(of question: ConfirmationState, to out: inout HTMLWriter) {
        let view = question.page.section(named: question.section)?.view
        let passwords = Set(view?.passwords(of: question.action) ?? [])
        for (name, value) in question.values.sorted(by: { $0.key < $1.key }) where !passwords.contains(name) {
            out.markup(#"<input type="hidden""#)
            out.attribute("name", exact: FormNames.fieldPrefix + name)
            out.attribute("value", exact: value)
            out.markup(">")
        }
        // What is secret is not sent back.
        guard let form = view?.form(with: question.action) else { return }
        var writer = ViewWriter(
            out, places: places, place: SectionPlace(page: question.page.id, section: question.section))
        writer.passwordFields(of: form)
        out = writer.out
    }

    private func back(to page: Page, class name: StaticString, _ title: StaticString, to out: inout HTMLWriter) {
        guard let url = WebPlaces.page(page.id) else { return }
        out.markup("<a class=\"")
        out.markup(name)
        out.markup("\"")
        out.attribute("href", url)
        out.markup(">")
        out.markup(title)
        out.markup("</a>")
    }

    /// Renders a document that says one thing.
    func message(_ message: MessagePage, _ state: DocumentState = DocumentState()) -> Rendered {
        var out = HTMLWriter()
        documentStart(message.title, state.alone, to: &out)
        out.markup(#"<main id="main" class="alone" tabindex="-1">"#)
        if let status = message.status {
            out.markup(#"<p class="caption">"#)
            out.number(status)
            out.markup("</p>")
        }
        out.markup("<h1>")
        out.text(message.title)
        out.markup(#"</h1><p class="text">"#)
        out.text(message.text)
        out.markup("</p>")
        if !message.links.isEmpty || message.leadsToFirst {
            out.markup(#"<div class="actions">"#)
            if message.leadsToFirst { out.markup(#"<a class="button" href="/">To the first page</a>"#) }
            for link in message.links {
                guard let url = WebPlaces.page(link.id) else { continue }
                out.markup(#"<a class="button""#)
                out.attribute("href", url)
                out.markup(">")
                out.text(link.title)
                out.markup("</a>")
            }
            out.markup("</div>")
        }
        out.markup("</main>")
        documentEnd(to: &out)
        return out.rendered
    }

    /// Renders the form for signing in.
    func signIn(_ question: SignInState, _ state: DocumentState = DocumentState()) -> Rendered {
        var out = HTMLWriter()
        var state = state.alone
        state.navigation = []
        state.signOut = nil
        documentStart("Sign in", state, to: &out)
        out.markup(#"<main id="main" class="alone" tabindex="-1"><h1>Sign in</h1>"#)
        if let url = WebURL(path: question.path.split(separator: "/").map(String.init)) {
            out.markup(#"<form class="form" method="post""#)
            out.attribute("action", url)
            out.markup(">")
            out.tokenField()
            if let next = question.next {
                out.markup(#"<input type="hidden" name="next""#)
                out.attribute("value", exact: next)
                out.markup(">")
            }
            out.markup(#"<div class="fields"><div class="field"><label for="secret">"#)
            out.markup(question.kind == .password ? "Password" : "Token")
            out.markup(#"</label><input type="password" id="secret" name="secret" required maxlength="1024" autofocus"#)
            out.markup(question.kind == .password ? #" autocomplete="current-password""# : #" autocomplete="off""#)
            if question.problem != nil { out.markup(#" aria-invalid="true" aria-describedby="problem""#) }
            out.markup(">")
            if let problem = question.problem {
                out.markup(#"<p class="problem" id="problem" role="alert">"#)
                out.text(problem)
                out.markup("</p>")
            }
            out.markup(#"</div></div><div class="actions">"#)
            out.markup(#"<button class="button primary" type="submit">Sign in</button></div></form>"#)
        }
        out.markup("</main>")
        documentEnd(to: &out)
        return out.rendered
    }
}

extension DocumentState {
    /// The state for a document without a page.
    fileprivate var alone: DocumentState {
        var copy = self
        copy.form = nil
        copy.isLive = false
        return copy
    }
}

extension ViewNode {
    /// Returns the form with an action; nil if there is none.
    fileprivate func form(with action: Action) -> ViewNode? {
        if case .form = content, self.action == action { return self }
        for child in children {
            if let found = child.form(with: action) { return found }
        }
        return nil
    }

    /// The button that performs an action; nil if it is neither a button nor that of a form, and has the action's title.
    fileprivate func button(of action: Action) -> ButtonContent? {
        if self.action == action {
            switch content {
            case .button(let button): return button
            case .form(let form): return ButtonContent(title: form.submit, role: action.role)
            default: break
            }
        }
        for child in children {
            if let found = child.button(of: action) { return found }
        }
        return nil
    }

    /// Returns the fields for passwords.
    fileprivate var passwordFields: [FieldContent] {
        var found: [FieldContent] = []
        if case .field(let field) = content, field.kind == .password { found.append(field) }
        for child in children { found += child.passwordFields }
        return found
    }

    fileprivate func passwords(of action: Action) -> [String] {
        form(with: action)?.passwordFields.map(\.name) ?? []
    }
}

extension ViewWriter {
    /// Writes the fields for passwords of a form, without anything in them.
    fileprivate mutating func passwordFields(of form: ViewNode) {
        let context = outermost.inside(form)
        for field in form.passwordFields { self.field(field, in: context) }
    }
}
