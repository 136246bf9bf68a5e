import PageKit

/// A link to a page.
struct PageLink: Hashable, Sendable {
    /// The id of the page.
    var id: String
    /// What it is called.
    var title: String
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
    /// What to say once.
    var message: PageMessage?
    /// A form that was refused.
    var form: FormState?
    /// The path that a button for signing out posts to, with the token; nil for no button.
    var signOut: String?
    /// Whether the page follows what changes.
    var isLive = true
}

extension PageRenderer {
    /// Writes everything in front of what a page consists of.
    ///
    /// - Parameters:
    ///   - isLive: Whether the page follows what changes.
    ///   - isLoading: Whether sections of the page are still to come. A browser without scripts asks again then.
    func documentStart(
        _ title: String, _ state: DocumentState, current: String? = nil, isLive: Bool = false,
        isLoading: Bool = false, to out: inout HTMLWriter
    ) {
        out.markup("<!DOCTYPE html>\n<html")
        out.attribute("lang", state.language)
        out.markup(
            #"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">"#)
        out.markup(
            #"<meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin"><title>"#)
        out.text(title == state.site ? title : "\(title) – \(state.site)")
        out.markup("</title>")
        if isLoading { out.markup(#"<noscript><meta http-equiv="refresh" content="3"></noscript>"#) }
        link("web/page.css", start: #"<link rel="stylesheet""#, attribute: "href", end: ">", to: &out)
        link("web/icon.svg", start: #"<link rel="icon" type="image/svg+xml""#, attribute: "href", end: ">", to: &out)
        link("web/page.js", start: "<script defer", attribute: "src", end: "></script>", to: &out)
        out.markup("</head><body")
        out.attribute("data-site", state.site)
        if isLive, let page = current, let events = WebPlaces.events(page) { out.attribute("data-events", events) }
        out.markup(##"><a class="skip" href="#main">Skip to content</a><header class="bar"><a class="site" href="/">"##)
        out.text(state.site)
        out.markup("</a>")
        navigation(state.navigation, current: current, to: &out)
        if let path = state.signOut, let url = WebURL(path: path.split(separator: "/").map(String.init)) {
            out.markup(#"<form class="sign-out" method="post""#)
            out.attribute("action", url)
            out.markup(">")
            out.tokenField()
            out.markup(#"<button class="button small" type="submit">Sign out</button></form>"#)
        }
        out.markup(#"</header><p class="connection" id="connection" role="status" hidden></p>"#)
        out.markup(#"<div class="status" id="status" role="status" aria-live="polite">"#)
        if let message = state.message { write(message, to: &out) }
        out.markup("</div>")
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

    private func navigation(_ links: [PageLink], current: String?, to out: inout HTMLWriter) {
        guard !links.isEmpty else { return }
        out.markup(#"<nav class="pages" aria-label="Pages"><ul role="list">"#)
        for link in links {
            guard let url = WebPlaces.page(link.id) else { continue }
            out.markup("<li><a")
            out.attribute("href", url)
            if link.id == current { out.markup(#" aria-current="page""#) }
            out.markup(">")
            out.text(link.title)
            out.markup("</a></li>")
        }
        out.markup("</ul></nav>")
    }

    private func write(_ message: PageMessage, to out: inout HTMLWriter) {
        out.markup(message.isProblem ? #"<p class="note failure">"# : #"<p class="note success">"#)
        out.icon(message.isProblem ? .failure : .check)
        out.markup("<span>")
        out.text(message.text)
        out.markup("</span></p>")
    }
}
