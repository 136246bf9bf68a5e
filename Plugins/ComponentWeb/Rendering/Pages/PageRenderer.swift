import PageKit

/// Renders pages as HTML that works without scripts.
///
/// What it renders depends on nothing but the page, so it is the same for all readers, except for the marks in the
/// place of each reader's token and for what a ``DocumentState`` adds.
struct PageRenderer: Sendable {
    let places: WebPlaces

    /// Renders a page as a document.
    func document(_ page: Page, _ state: DocumentState = DocumentState()) -> Rendered {
        var out = HTMLWriter(capacity: 1 << 14)
        documentStart(page.shownTitle, state, page: page, to: &out)
        write(page, form: state.form, to: &out)
        documentEnd(to: &out)
        return out.rendered
    }

    /// Renders a section of a page.
    func section(_ section: PageSection, on page: String) -> Rendered {
        var out = HTMLWriter()
        write(section, on: page, form: nil, to: &out)
        return out.rendered
    }

    /// Renders a view.
    func view(_ node: ViewNode, in place: SectionPlace) -> Rendered {
        var writer = ViewWriter(HTMLWriter(), places: places, place: place)
        writer.view(node, in: writer.outermost)
        return writer.out.rendered
    }

    // MARK: - Parts

    /// Writes what changes when another state of the page is shown.
    func write(_ page: Page, form: FormState?, to out: inout HTMLWriter) {
        out.markup(#"<div id="page"><main id="main" tabindex="-1""#)
        out.attribute("data-page", exact: page.id)
        out.attribute("data-revision", page.revision)
        out.markup(#"><h1 id="title">"#)
        out.text(page.shownTitle)
        out.markup("</h1>")
        if let frame = page.frame { write(.header, of: frame, on: page.id, to: &out) }
        let reader = page.readerIndex
        for (index, section) in page.sections.enumerated() where index != reader {
            write(section, on: page.id, form: form, to: &out)
        }
        out.markup("</main>")
        if let frame = page.frame {
            write(.footer, of: frame, on: page.id, to: &out)
            sectionForm(frame.name, on: page.id, to: &out)
        }
        out.markup("</div>")
    }

    /// Writes what a page has in the header of the document: the navigation of its frame, and who reads it.
    func writeHeader(of page: Page, form: FormState?, to out: inout HTMLWriter) {
        if let frame = page.frame { write(.navigation, of: frame, on: page.id, to: &out) }
        if let index = page.readerIndex { write(page.sections[index], on: page.id, form: form, to: &out) }
    }

    /// Writes a part of the frame around the sections. It is there even if it is empty, for patches to come.
    private func write(_ part: FramePart, of frame: PageSection, on page: String, to out: inout HTMLWriter) {
        let (start, end): (StaticString, StaticString) =
            switch part {
            case .navigation: (#"<nav class="pages" aria-label="Pages""#, "</nav>")
            case .header: (#"<div class="frame-header""#, "</div>")
            case .footer: (#"<footer class="frame-footer""#, "</footer>")
            }
        out.markup(start)
        out.attribute("data-view", exact: frame.target(of: part))
        out.markup(">")
        content(of: part, of: frame, on: page, to: &out)
        out.markup(end)
    }

    /// Writes the view of a part, if there is one.
    func content(of part: FramePart, of frame: PageSection, on page: String, to out: inout HTMLWriter) {
        guard let (view, context) = frame.view(of: part) else { return }
        var writer = ViewWriter(out, places: places, place: SectionPlace(frame, on: page))
        writer.view(view, in: context)
        out = writer.out
    }

    func write(_ section: PageSection, on page: String, form: FormState?, to out: inout HTMLWriter) {
        out.markup(#"<section class="section""#)
        out.attribute("id", id: "section-", [section.name])
        out.attribute("data-section", exact: section.name)
        out.attribute("data-state", section.state.rawValue)
        if section.layout.inset > 0 { out.attribute("data-inset", min(section.layout.inset, 10)) }
        if section.layout.isHeader { out.markup(" data-header") }
        let isFoldable = section.layout.isFolded
        if section.title != nil { out.attribute("aria-labelledby", id: "heading-", [section.name]) }
        out.markup(">")
        if isFoldable {
            // A form that was refused is shown.
            out.markup(form?.section == section.name ? #"<details class="fold" open>"# : #"<details class="fold">"#)
            out.markup("<summary>")
            if section.title == nil { out.text(section.name) }
        }
        if let title = section.title {
            out.markup("<h2")
            out.attribute("id", id: "heading-", [section.name])
            out.markup(">")
            out.text(title)
            out.markup("</h2>")
        }
        if isFoldable { out.markup("</summary>") }
        out.markup(#"<div class="view""#)
        out.attribute("data-view", exact: section.name)
        if section.layout.columns > 1 { out.attribute("data-columns", min(section.layout.columns, 12)) }
        if let space = section.layout.itemSpace { out.attribute("data-item-space", min(max(space, 0), 10)) }
        if let space = section.layout.lineSpace { out.attribute("data-line-space", min(max(space, 0), 10)) }
        out.markup(">")
        var writer = ViewWriter(out, places: places, place: SectionPlace(section, on: page), form: form)
        if let form, form.section == section.name, !section.view.offersForm(form.action) {
            writer.lostForm(form)
        }
        writer.view(section.view, in: writer.outermost)
        out = writer.out
        out.markup("</div>")
        if isFoldable { out.markup("</details>") }
        sectionForm(section.name, on: page, to: &out)
        out.markup("</section>")
    }

    /// Writes the form that the buttons of a section post.
    private func sectionForm(_ section: String, on page: String, to out: inout HTMLWriter) {
        guard let url = WebPlaces.perform(page) else { return }
        out.markup(#"<form class="unseen" method="post""#)
        out.attribute("id", id: "s-", [section])
        out.attribute("action", url)
        out.markup(">")
        out.sectionFields(section)
        out.markup("</form>")
    }

    /// Writes everything in front of what a page consists of.
    ///
    /// - Parameter page: the page; nil for a document without one.
    func documentStart(_ title: String, _ state: DocumentState, page: Page? = nil, to out: inout HTMLWriter) {
        out.markup("<!DOCTYPE html>\n<html")
        out.attribute("lang", state.language)
        out.markup(
            #"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">"#)
        out.markup(
            #"<meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin"><title>"#)
        out.text(title == state.site ? title : "\(title) – \(state.site)")
        out.markup("</title>")
        // A browser without scripts asks again. Nothing that a person types into a refused form is thrown away.
        if let page, page.isLoading, state.form == nil {
            out.markup(#"<noscript><meta http-equiv="refresh" content="3"></noscript>"#)
        }
        link("web/page.css", start: #"<link rel="stylesheet""#, attribute: "href", end: ">", to: &out)
        if let sheet = places.lookSheet {
            out.markup(#"<link rel="stylesheet""#)
            out.attribute("href", sheet)
            out.markup(">")
        }
        link("web/icon.svg", start: #"<link rel="icon" type="image/svg+xml""#, attribute: "href", end: ">", to: &out)
        // They run in this order, and each may use what an earlier one declares.
        for name in ["web/page.js", "web/forms.js", "web/reading.js"] {
            link(name, start: "<script defer", attribute: "src", end: "></script>", to: &out)
        }
        out.markup("</head><body")
        out.attribute("data-site", state.site)
        if state.isLive, let page, let events = WebPlaces.events(page.id) { out.attribute("data-events", events) }
        out.markup(##"><a class="skip" href="#main">Skip to content</a>"##)
        header(state, page, to: &out)
        out.markup(#"<p class="connection" id="connection" role="status" hidden></p>"#)
        out.markup(#"<div class="status" id="status" role="status" aria-live="polite">"#)
        if let message = state.message { write(message, to: &out) }
        out.markup("</div>")
        if let page, var parent = state.parent, !page.isInNavigation {
            // A frame may have another name for it.
            parent.title = page.frame?.view.title(ofLinkedPage: parent.id) ?? parent.title
            trail(to: parent, &out)
        }
    }

    /// Writes the header of the document: the way home, to other pages and to who is signed in.
    private func header(_ state: DocumentState, _ page: Page?, to out: inout HTMLWriter) {
        out.markup(#"<header class="bar">"#)
        let isInConsole = page.map { "\($0.id).".utf8.starts(with: "console.".utf8) } ?? false
        out.markup(isInConsole ? #"<a class="site back" href="/">"# : #"<a class="site" href="/">"#)
        if isInConsole {
            out.icon(.left, places)
        } else {
            link("web/icon.svg", start: #"<img alt="" width="24" height="24""#, attribute: "src", end: ">", to: &out)
        }
        out.markup("<span>")
        out.text(state.site)
        out.markup("</span></a>")
        if let page {
            if !page.hasNavigation { navigation(state.navigation, on: page, below: state.parent, to: &out) }
            out.markup(#"<div class="bar-page" id="bar">"#)
            writeHeader(of: page, form: state.form, to: &out)
            out.markup("</div>")
        }
        if let path = state.signOut, let url = WebURL(path: path.split(separator: "/").map(String.init)) {
            out.markup(#"<form class="sign-out" method="post""#)
            out.attribute("action", url)
            out.markup(">")
            out.tokenField()
            // Who is signed in to an account has a way to sign out beside it.
            out.markup(#"<button class="button small" type="submit" title="Ask for the password again">Lock</button>"#)
            out.markup("</form>")
        }
        out.markup("</header>")
    }

    /// Writes the way back to the page above the one that is shown.
    private func trail(to parent: PageLink, _ out: inout HTMLWriter) {
        guard let url = WebPlaces.page(parent.id) else { return }
        out.markup(#"<nav class="trail" aria-label="Breadcrumb"><a"#)
        out.attribute("href", url)
        out.markup(">")
        out.icon(.left, places)
        out.text(parent.title)
        out.markup("</a></nav>")
    }

    func documentEnd(to out: inout HTMLWriter) { out.markup("</body></html>\n") }

    private func link(
        _ name: String, start: StaticString, attribute: StaticString, end: StaticString, to out: inout HTMLWriter
    ) {
        guard let url = places.resource(name, of: WebPlaces.component) else { return }
        out.markup(start)
        out.attribute(attribute, url)
        out.markup(end)
    }

    private func navigation(
        _ links: [PageLink], on page: Page, below parent: PageLink?, to out: inout HTMLWriter
    ) {
        guard !links.isEmpty else { return }
        out.markup(#"<nav class="pages" aria-label="Pages"><ul role="list">"#)
        for link in links {
            guard let url = WebPlaces.page(link.id) else { continue }
            out.markup("<li><a")
            out.attribute("href", url)
            if link.id == page.id {
                out.markup(#" aria-current="page""#)
            } else if link.id == parent?.id {
                out.markup(#" aria-current="true""#)
            }
            out.markup(">")
            out.text(link.title)
            out.markup("</a></li>")
        }
        out.markup("</ul></nav>")
    }

    private func write(_ message: PageMessage, to out: inout HTMLWriter) {
        out.markup(message.isProblem ? #"<p class="note failure">"# : #"<p class="note success">"#)
        out.icon(message.isProblem ? .failure : .check, places)
        out.markup("<span>")
        out.text(message.text)
        out.markup("</span></p>")
    }
}

extension Page {
    /// The title: that of the frame if it has one.
    var shownTitle: String {
        if case .frame(let content) = frame?.view.content, let title = content.title { return title }
        return title.isEmpty ? id : title
    }

    /// The index of the section that says who reads the page, which has its place in the header of the document; nil if
    /// there is none.
    fileprivate var readerIndex: Int? {
        sections.firstIndex { $0.module == "account.greeting" && $0.title == nil && !$0.layout.isFolded }
    }

    /// Whether the frame leads to other pages.
    var hasNavigation: Bool { frame.map { !$0.view.views(of: .navigation).isEmpty } ?? false }

    /// Whether the frame leads to the page itself, which then stands beside the page above it.
    fileprivate var isInNavigation: Bool { frameLeads(to: id) }

    /// Whether a document leads only where the frame leads, which is asked again when pages come and go.
    func hasOnlyLinksOfFrame(above parent: PageLink?) -> Bool {
        hasNavigation && parent.map { frameLeads(to: $0.id) } ?? true
    }

    private func frameLeads(to page: String) -> Bool {
        frame?.view.linkedPages.contains { $0.utf8.elementsEqual(page.utf8) } ?? false
    }
}

extension ViewNode {
    /// The ids of the pages that the navigation of a frame leads to.
    fileprivate var linkedPages: [String] {
        views(of: .navigation).compactMap { view in
            if case .show(let page) = view.action?.effect { page } else { nil }
        }
    }

    /// What the navigation of a frame calls a page; nil if no button leads there.
    fileprivate func title(ofLinkedPage page: String) -> String? {
        for view in views(of: .navigation) {
            if case .show(let id) = view.action?.effect, id.utf8.elementsEqual(page.utf8),
                case .button(let button) = view.content
            {
                return button.title
            }
        }
        return nil
    }

    /// The page of a frame's navigation that another one is below, by the dots in their names: `console` for
    /// `console.Zoo`, for example.
    ///
    /// - Returns: nil if there is none, or if the navigation leads to the page itself.
    func pageAbove(_ page: String) -> String? {
        let pages = linkedPages
        guard !pages.contains(where: { $0.utf8.elementsEqual(page.utf8) }) else { return nil }
        return pages.filter { page.utf8.starts(with: "\($0).".utf8) }.max { $0.utf8.count < $1.utf8.count }
    }
}

extension PageSection {
    /// The name by which changes of a part of the frame are known in the browser. No section has a slash in its name.
    func target(of part: FramePart) -> String { "\(name)/\(part.rawValue)" }

    /// Returns the view of a part of the frame, with its context; nil if there is none.
    func view(of part: FramePart) -> (ViewNode, ViewContext)? {
        let context = ViewContext(level: 2)
        guard case .frame = view.content else { return part == .header ? (view, context) : nil }
        return view.children.first { $0.key == part.rawValue }.map { ($0, context.inside(view)) }
    }
}

extension ViewNode {
    /// Whether the view, or one in it, is a form with this action.
    func offersForm(_ action: Action) -> Bool {
        if case .form = content, self.action == action { return true }
        return children.contains { $0.offersForm(action) }
    }
}

extension ViewWriter {
    /// Says why an action was refused whose form is not there, or that has none.
    fileprivate mutating func lostForm(_ form: FormState) {
        out.markup(#"<div class="note failure" role="alert" tabindex="-1" autofocus>"#)
        out.icon(.failure, places)
        out.markup("<p>")
        out.text(form.reason)
        out.markup("</p></div>")
    }
}

/// Something to say to the person who reads a page, such as what an action has led to.
struct PageMessage: Hashable, Sendable {
    /// What to say.
    var text: String
    /// Whether something went wrong.
    var isProblem = false
}

/// The contents of a document apart from its page: what belongs to one reader.
struct DocumentState: Hashable, Sendable {
    /// The name of the site, which leads to its first page.
    var site = "HSLink"
    /// The language of the texts, as in `en`.
    var language = "en"
    /// Links to pages. They are left out if the page has a frame with a navigation of its own.
    var navigation: [PageLink] = []
    /// The page above the one that is shown; nil if there is none.
    var parent: PageLink?
    /// What to say once.
    var message: PageMessage?
    /// A form that was refused.
    var form: FormState?
    /// The path that a button for signing out posts to, with the token; nil for no button.
    var signOut: String?
    /// Whether the page follows what changes.
    var isLive = true
}
