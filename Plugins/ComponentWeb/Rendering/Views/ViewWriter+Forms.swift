import ComponentKit
import PageKit

extension ViewWriter {
    mutating func form(_ content: FormContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        // Browsers know no form in a form, nor does a page accept one.
        let url = context.form == nil ? WebPlaces.perform(place.page) : nil
        if let url {
            out.markup(#"<form class="form" method="post""#)
            out.attribute("action", url)
            if content.isSubmittedOnChange { out.markup(" data-submits") }
            out.markup(">")
        } else {
            out.markup(#"<div class="form">"#)
        }
        if let title = content.title { heading(title, class: "form-title", in: context) }
        if let state = form, state.action == node.action, state.field == nil || !node.hasField(state.field) {
            problem(ofForm: state.reason)
        }
        out.markup(#"<div class="fields""#)
        container(of: node, in: context, isComplete: isComplete)
        if url != nil {
            out.sectionFields(place.section)
            out.markup(#"<div class="actions"><button class=""#)
            // What people do here is to send the form.
            out.markup((node.action?.role == .destructive ? ButtonRole.destructive : .primary).className)
            out.markup("\"")
            if let action = node.action { submit(action) } else { out.markup(" disabled") }
            out.markup(">")
            out.text(content.submit)
            out.markup("</button>")
            for action in node.sideActions {
                control(action, class: action.role.className) { $0.out.text(action.name) }
            }
            out.markup("</div></form>")
        } else {
            out.markup("</div>")
        }
    }

    /// Writes what is wrong with a form as a whole, where it is read out at once.
    private mutating func problem(ofForm reason: String) {
        out.markup(#"<div class="note failure form-problem" role="alert" tabindex="-1" autofocus>"#)
        out.icon(.failure, places)
        out.markup("<p>")
        out.text(reason)
        out.markup("</p></div>")
    }

    mutating func field(_ content: FieldContent, in context: ViewContext) {
        var field = FieldWriter(
            content: content, names: [place.section, context.form ?? "", content.name], value: content.writtenValue,
            problem: content.problem, isWithPassword: context.hasPassword)
        if let form, form.action.fingerprint == context.form {
            // What was not posted is a box that is not checked.
            field.value = form.values[content.name] ?? (content.kind == .toggle ? "off" : nil)
            field.problem = form.field == content.name ? form.reason : nil
            field.isFocused = form.field == content.name
        }
        field.write(to: &out)
    }
}

extension HTMLWriter {
    /// Writes the hidden fields that every form of a section has.
    mutating func sectionFields(_ section: String) {
        tokenField()
        markup(#"<input type="hidden" name="section""#)
        attribute("value", exact: section)
        markup(">")
    }
}

/// Writes a field of a form with its label, help and problem.
private struct FieldWriter {
    let content: FieldContent
    /// What its identifier is made of.
    let names: [String]
    var value: String?
    var problem: String?
    /// Whether its form asks for a password.
    var isWithPassword = false
    var isFocused = false

    func write(to out: inout HTMLWriter) {
        if content.kind == .toggle {
            out.markup(#"<div class="field toggle"><div class="box">"#)
            out.markup(#"<input type="checkbox" value="on""#)
            attributes(&out)
            if value == "on" || value == "true" { out.markup(" checked") }
            out.markup(">")
            label(&out)
            out.markup("</div>")
        } else {
            out.markup(#"<div class="field">"#)
            label(&out)
            input(&out)
        }
        if let help = content.help {
            out.markup(#"<p class="help""#)
            identifier("id", "h-", to: &out)
            out.markup(">")
            out.text(help)
            out.markup("</p>")
        }
        if let problem {
            out.markup(#"<p class="problem""#)
            identifier("id", "p-", to: &out)
            out.markup(">")
            out.text(problem)
            out.markup("</p>")
        }
        out.markup("</div>")
    }

    private func label(_ out: inout HTMLWriter) {
        out.markup("<label")
        identifier("for", "f-", to: &out)
        out.markup(">")
        out.text(content.label)
        // Screen readers say it because of the attribute of the field.
        if content.isRequired {
            out.markup(#" <span class="required" aria-hidden="true">*</span>"#)
        }
        out.markup("</label>")
    }

    private func identifier(_ name: StaticString, _ prefix: StaticString, to out: inout HTMLWriter) {
        out.attribute(name, id: prefix, names)
    }

    /// Writes the attributes that all kinds of fields have.
    private func attributes(_ out: inout HTMLWriter) {
        identifier("id", "f-", to: &out)
        out.attribute("name", exact: FormNames.fieldPrefix + content.name)
        if content.isRequired { out.markup(" required") }
        if content.help != nil || problem != nil {
            out.markup(#" aria-describedby=""#)
            if content.help != nil { out.identifier("h-", names) }
            if content.help != nil, problem != nil { out.markup(" ") }
            if problem != nil { out.identifier("p-", names) }
            out.markup("\"")
        }
        if problem != nil { out.markup(#" aria-invalid="true""#) }
        if isFocused { out.markup(" autofocus") }
    }

    private func input(_ out: inout HTMLWriter) {
        switch content.kind {
        case .lines(let longest):
            out.markup(#"<textarea rows="4" dir="auto""#)
            out.attribute("maxlength", longest)
            attributes(&out)
            // HTML leaves out one line break at the beginning.
            out.markup(">\n")
            out.exactText(value ?? "")
            out.markup("</textarea>")
            return
        case .choice(let choices):
            out.markup("<select")
            attributes(&out)
            out.markup(">")
            options(choices, &out)
            out.markup("</select>")
            return
        case .text(let longest):
            out.markup(#"<input type="text" dir="auto""#)
            out.attribute("maxlength", longest)
            if content.isUserName(withPassword: isWithPassword) {
                out.markup(#" autocomplete="username" spellcheck="false" autocapitalize="none""#)
            }
        case .password:
            out.markup(#"<input type="password""#)
            out.attribute("maxlength", FieldContent.longestPassword)
            out.markup(
                content.isNewPassword ? #" autocomplete="new-password""# : #" autocomplete="current-password""#)
        case .email:
            out.markup(#"<input type="email" autocomplete="email" spellcheck="false""#)
            out.attribute("maxlength", FieldContent.longestAddress)
        case .integer(let least, let most):
            out.markup(#"<input type="number" step="1" inputmode="numeric""#)
            if least != .min { out.attribute("min", least) }
            if most != .max { out.attribute("max", most) }
        case .number(let least, let most):
            out.markup(#"<input type="number" step="any" inputmode="decimal""#)
            out.attribute("min", least.writtenText)
            out.attribute("max", most.writtenText)
        case .date: out.markup(#"<input type="date""#)
        case .toggle: return
        }
        attributes(&out)
        if let value, content.kind != .password { out.attribute("value", exact: value) }
        out.markup(">")
    }

    private func options(_ choices: [FieldChoice], _ out: inout HTMLWriter) {
        // A required field begins with nothing chosen, so that the first choice is not sent by accident.
        if !content.isRequired || !choices.contains(where: { $0.value == value }) {
            out.markup(content.isRequired ? #"<option value="">Choose…</option>"# : #"<option value="">–</option>"#)
        }
        for choice in choices where !choice.value.isEmpty {
            out.markup("<option")
            out.attribute("value", exact: choice.value)
            if choice.value == value { out.markup(" selected") }
            out.markup(">")
            out.text(choice.title)
            out.markup("</option>")
        }
    }
}

extension FieldContent {
    /// Whether the field is for the name used to sign in, which browsers fill in.
    ///
    /// - Parameter withPassword: Whether its form asks for a password.
    fileprivate func isUserName(withPassword: Bool) -> Bool {
        let names = withPassword ? ["login", "user", "username", "name"] : ["login", "user", "username"]
        return names.contains(name.lowercased())
    }

    /// Whether browsers should propose a password rather than fill in one.
    fileprivate var isNewPassword: Bool { name.lowercased().hasPrefix("new") || help != nil }
}

extension ViewNode {
    /// Whether there is a field with this name in the view.
    fileprivate func hasField(_ name: String?) -> Bool {
        if case .field(let field) = content, field.name == name { return true }
        return children.contains { $0.hasField(name) }
    }
}
