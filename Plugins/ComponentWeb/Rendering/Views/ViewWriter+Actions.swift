import PageKit

extension ViewWriter {
    /// Writes an element with which a person performs an action: a link for another page, else a button that posts the
    /// form of the section.
    ///
    /// - Parameters:
    ///   - action: what it does.
    ///   - name: the classes of the element.
    ///   - label: writes what is in it.
    mutating func control(_ action: Action, class name: StaticString, _ label: (inout ViewWriter) -> Void) {
        if case .show(let page) = action.effect, let url = WebPlaces.page(page) {
            out.markup("<a class=\"")
            out.markup(name)
            out.markup("\"")
            out.attribute("href", url)
            if page == place.page { out.markup(#" aria-current="page""#) }
            out.markup(">")
            label(&self)
            out.markup("</a>")
        } else {
            out.markup("<button class=\"")
            out.markup(name)
            out.markup("\"")
            out.attribute("form", id: "s-", [place.section])
            submit(action)
            out.markup(">")
            label(&self)
            out.markup("</button>")
        }
    }

    /// Writes the attributes of a button that posts an action.
    mutating func submit(_ action: Action) {
        out.markup(#" type="submit" name="action""#)
        if let json = action.json { out.attribute("value", json: json) } else { out.markup(" disabled") }
        if let question = action.confirmation { out.attribute("data-confirm", question) }
    }

    /// Writes the actions of a view as buttons beside each other; nothing if there are none.
    ///
    /// - Parameters:
    ///   - isMainShown: Whether the view itself has shown its main action already.
    ///   - subject: What the view is about, for people who do not see the page: which of many equal buttons this is.
    mutating func actions(of node: ViewNode, isMainShown: Bool = false, about subject: String?) {
        let main = isMainShown ? nil : node.action
        guard main != nil || !node.sideActions.isEmpty else { return }
        out.markup(#"<div class="actions">"#)
        if let main { named(main, about: subject) }
        for action in node.sideActions { named(action, about: subject) }
        out.markup("</div>")
    }

    private mutating func named(_ action: Action, about subject: String?) {
        control(action, class: "button small") { writer in
            writer.out.text(action.name)
            guard let subject, !subject.isEmpty else { return }
            writer.out.markup(#"<span class="unseen"> "#)
            writer.out.text(subject)
            writer.out.markup("</span>")
        }
    }
}

extension Action {
    /// What the action is called where there is no other text for it.
    var name: String {
        if let title, !title.isEmpty { return title }
        return switch effect {
        case .open: "Open"
        case .call(let selector, _): selector
        case .show: "Show"
        case .refresh: "Refresh"
        }
    }
}
