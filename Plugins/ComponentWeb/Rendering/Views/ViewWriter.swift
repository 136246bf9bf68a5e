import PageKit

/// The place of a view.
struct SectionPlace: Hashable, Sendable {
    /// The id of the page.
    var page: String
    /// The name of the section.
    var section: String
    /// The component whose resources a view means if it names none.
    var component: String?
    /// The level of the headings in the section: 3 below a title, else 2.
    var level = 2
    /// The page of the navigation that the shown one is below; nil if there is none, or if it is itself in it.
    var above: String?

    init(page: String, section: String, component: String? = nil, level: Int = 2) {
        self.page = page
        self.section = section
        self.component = component
        self.level = level
    }

    init(_ section: PageSection, on page: String) {
        self.init(
            page: page, section: section.name, component: section.component, level: section.title == nil ? 2 : 3)
        if case .frame = section.view.content { above = section.view.pageAbove(page) }
    }
}

/// Renders the views of a section.
///
/// Each view is exactly one element. The views in it are, in order, the only children of the first element in it, or of
/// itself, that has the attribute `data-c`. So the path of a ``ViewChange`` leads to an element as it leads to a view.
struct ViewWriter {
    var out: HTMLWriter
    let places: WebPlaces
    let place: SectionPlace
    /// What a person has filled in, if it was refused.
    let form: FormState?

    init(_ out: HTMLWriter, places: WebPlaces, place: SectionPlace, form: FormState? = nil) {
        self.out = out
        self.places = places
        self.place = place
        self.form = form?.section == place.section ? form : nil
    }

    /// The context of the section's view.
    var outermost: ViewContext { ViewContext(level: place.level) }

    /// Renders a view.
    ///
    /// - Parameter isComplete: Whether the views in it are rendered, too; else their container is empty.
    mutating func view(_ node: ViewNode, in context: ViewContext, isComplete: Bool = true) {
        guard context.depth < ViewContext.deepest else { return out.markup(#"<p class="text">…</p>"#) }
        guard context.wraps(node) else { return content(of: node, in: context, isComplete: isComplete) }
        if case .table(let columns) = context.parent {
            out.markup("<tr><td")
            out.attribute("colspan", columns.count)
            out.markup(">")
            content(of: node, in: context, isComplete: isComplete)
            out.markup("</td></tr>")
        } else {
            out.markup(#"<li class="item">"#)
            content(of: node, in: context, isComplete: isComplete)
            out.markup("</li>")
        }
    }

    private mutating func content(of node: ViewNode, in context: ViewContext, isComplete: Bool) {
        switch node.content {
        case .row(let content): row(content, node, in: context, isComplete: isComplete)
        case .tableRow(let content): tableRow(content, node, in: context, isComplete: isComplete)
        case .list(let content): list(content, node, in: context, isComplete: isComplete)
        case .table(let content): table(content, node, in: context, isComplete: isComplete)
        case .grid(let content):
            out.markup(#"<div class="grid""#)
            out.attribute("data-columns", min(max(content.columns, 1), 12))
            group(node, in: context, isComplete: isComplete)
        case .card(let content): card(content, node, in: context, isComplete: isComplete)
        case .stack(let content):
            out.markup(content.direction == .horizontal ? #"<div class="stack across""# : #"<div class="stack""#)
            group(node, in: context, isComplete: isComplete)
        case .tabs:
            out.markup(#"<div class="tabs""#)
            group(node, in: context, isComplete: isComplete)
        case .tab(let content): tab(content, node, in: context, isComplete: isComplete)
        case .floating(let content):
            out.markup(content.edge == .top ? #"<div class="floating top""# : #"<div class="floating bottom""#)
            out.attribute("data-offset", content.shownOffset)
            group(node, in: context, isComplete: isComplete)
        case .form(let content): form(content, node, in: context, isComplete: isComplete)
        case .frame(let content):
            out.markup(#"<div class="frame">"#)
            if let title = content.title { heading(title, class: "frame-title", in: context) }
            out.markup("<div")
            group(node, in: context, isComplete: isComplete)
            out.markup("</div>")
        default: leaf(node, in: context, isComplete: isComplete)
        }
    }

    /// Writes the end of a tag that has been begun, and the views in a view: in this element, or if it has actions, in
    /// another one beside them.
    private mutating func group(_ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        // A list of tabs is beside them.
        let isTabs = if case .tabs = node.content { true } else { false }
        guard isTabs || node.action != nil || !node.sideActions.isEmpty else {
            return container(of: node, in: context, isComplete: isComplete)
        }
        out.markup(#"><div class="group""#)
        container(of: node, in: context, isComplete: isComplete)
        actions(of: node, about: nil)
        out.markup("</div>")
    }

    /// Writes the end of the tag of a `div`, and the views in it.
    mutating func container(of node: ViewNode, in context: ViewContext, isComplete: Bool) {
        out.markup(" data-c>")
        children(of: node, in: context, isComplete: isComplete)
        out.markup("</div>")
    }

    mutating func children(of node: ViewNode, in context: ViewContext, isComplete: Bool) {
        guard isComplete, !node.children.isEmpty else { return }
        let inner = context.inside(node)
        for child in node.children { view(child, in: inner) }
    }

    /// Writes a view that usually has no others in it: with an element around it only if there is something beside it.
    private mutating func leaf(_ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        let isMainOutside = node.action != nil && !node.showsMainAction
        let isBare = node.children.isEmpty && node.sideActions.isEmpty && !isMainOutside
        let needsElement = !isBare && !context.wraps(node)
        if needsElement { out.markup(#"<div class="with">"#) }
        switch node.content {
        case .text(let content): text(content, node, in: context)
        case .badge(let content): badge(content.text, content.tone)
        case .image(let content): image(content, node)
        case .icon(let content): icon(content, node)
        case .hyperlink(let content): hyperlink(content)
        case .button(let content): button(content, node)
        case .field(let content): field(content, in: context)
        case .progress(let content): progress(content)
        case .stat(let content): stat(content, node)
        case .chart(let content): chart(content)
        case .player(let content): player(content)
        case .placeholder(let content): placeholder(content)
        case .failure(let content): failure(content)
        default: break
        }
        guard !isBare else { return }
        actions(of: node, isMainShown: !isMainOutside, about: nil)
        more(node, in: context, isComplete: isComplete)
        if needsElement { out.markup("</div>") }
    }

    /// Writes the container of a view that usually has none.
    mutating func more(_ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        guard !node.children.isEmpty else { return }
        out.markup(#"<div class="more""#)
        container(of: node, in: context, isComplete: isComplete)
    }

    /// Writes a heading of the level of the place.
    mutating func heading(_ title: String, class name: StaticString, in context: ViewContext) {
        heading(class: name, in: context) { $0.out.text(title) }
    }

    /// Writes a heading of the level of the place.
    mutating func heading(class name: StaticString, in context: ViewContext, _ content: (inout ViewWriter) -> Void) {
        let (start, end): (StaticString, StaticString) =
            switch context.level {
            case ...2: ("<h2", "</h2>")
            case 3: ("<h3", "</h3>")
            case 4: ("<h4", "</h4>")
            case 5: ("<h5", "</h5>")
            default: ("<h6", "</h6>")
            }
        out.markup(start)
        out.markup(#" class=""#)
        out.markup(name)
        out.markup("\">")
        content(&self)
        out.markup(end)
    }

    private mutating func text(_ content: TextContent, _ node: ViewNode, in context: ViewContext) {
        func words(_ writer: inout ViewWriter) {
            if let action = node.action {
                writer.control(action, class: "plain") { $0.out.text(content.text) }
            } else {
                writer.out.text(content.text)
            }
        }
        switch content.style {
        case .title: heading(class: "text title", in: context, words)
        case .heading: heading(class: "text heading", in: context, words)
        case .body: paragraph("<p class=\"text\">", words)
        case .caption: paragraph("<p class=\"text caption\">", words)
        case .code:
            out.markup(#"<pre class="code"><code>"#)
            words(&self)
            out.markup("</code></pre>")
        case .success: paragraph("<p class=\"text note success\">", icon: .check, says: "Done:", words)
        case .warning: paragraph("<p class=\"text note warning\">", icon: .warning, says: "Warning:", words)
        case .failure: paragraph("<p class=\"text note failure\">", icon: .failure, says: "Error:", words)
        }
    }

    private mutating func paragraph(_ start: StaticString, _ words: (inout ViewWriter) -> Void) {
        out.markup(start)
        words(&self)
        out.markup("</p>")
    }

    /// Writes a remark. Its meaning is in a sign and in a word for people who see neither that nor its colour.
    private mutating func paragraph(
        _ start: StaticString, icon: IconShape, says word: StaticString, _ words: (inout ViewWriter) -> Void
    ) {
        out.markup(start)
        out.icon(icon, places)
        out.markup(#"<span><span class="unseen">"#)
        out.markup(word)
        out.markup(" </span>")
        words(&self)
        out.markup("</span></p>")
    }

    private mutating func hyperlink(_ content: HyperlinkContent) {
        guard let height = content.height, let url = places.embedded(content.url) else {
            return external(content.url, content.title)
        }
        // It has an origin of its own, so that it reaches neither this host nor what it has stored in the browser, and
        // it cannot lead the page around it elsewhere.
        out.markup(#"<figure class="embedded"><iframe sandbox="allow-forms allow-scripts""#)
        out.markup(#" referrerpolicy="no-referrer" loading="lazy""#)
        out.attribute("src", url)
        out.attribute("title", content.title)
        out.attribute("height", min(max(height, 4), 100) * 24)
        out.markup("></iframe><figcaption>")
        external(content.url, content.title)
        out.markup("</figcaption></figure>")
    }

    /// Writes a link to the web; only its title if the URL is not valid.
    mutating func external(_ address: String, _ title: String) {
        guard let url = WebURL(web: address) else {
            out.markup(#"<span class="text">"#)
            out.text(title)
            out.markup("</span>")
            return
        }
        out.markup(#"<a class="external" rel="external noopener noreferrer""#)
        out.attribute("href", url)
        out.markup(">")
        out.text(title)
        out.markup("</a>")
    }

    private mutating func button(_ content: ButtonContent, _ node: ViewNode) {
        guard let action = node.action else {
            out.markup(#"<button class="button" type="button" disabled>"#)
            out.text(content.title)
            out.markup("</button>")
            return
        }
        let role = content.role == .normal ? action.role : content.role
        control(action, class: role.className, role: role) { $0.out.text(content.title) }
    }

    mutating func placeholder(_ content: PlaceholderContent) {
        out.markup(
            content.isLoading ? #"<p class="placeholder loading" aria-busy="true">"# : #"<p class="placeholder">"#)
        out.text(content.text)
        out.markup("</p>")
    }

    mutating func failure(_ content: FailureContent) {
        out.markup(#"<div class="note failure" role="alert">"#)
        out.icon(.failure, places)
        out.markup("<div><p>")
        out.text(content.message)
        out.markup("</p>")
        if let advice = content.advice {
            out.markup(#"<p class="caption">"#)
            out.text(advice)
            out.markup("</p>")
        }
        out.markup("</div></div>")
    }

    /// Writes an element with which a person performs an action: a link for another page, else a button that posts the
    /// form of the section.
    ///
    /// - Parameters:
    ///   - action: what it does.
    ///   - name: the classes of the element.
    ///   - role: how much attention the element asks for; nil for that of the action.
    ///   - isCurrent: whether what it leads to is shown now; that is known of pages.
    ///   - label: writes what is in it.
    mutating func control(
        _ action: Action, class name: StaticString, role: ButtonRole? = nil, isCurrent: Bool = false,
        _ label: (inout ViewWriter) -> Void
    ) {
        if case .show(let page) = action.effect, let url = WebPlaces.page(page) {
            out.markup("<a class=\"")
            out.markup(name)
            out.markup("\"")
            out.attribute("href", url)
            if page == place.page {
                out.markup(#" aria-current="page""#)
            } else if isCurrent || page == place.above {
                out.markup(#" aria-current="true""#)
            }
            out.markup(">")
            label(&self)
            out.markup("</a>")
        } else {
            out.markup("<button class=\"")
            out.markup(name)
            out.markup("\"")
            out.attribute("form", id: "s-", [place.section])
            submit(action, role: role)
            // The script performs it when the end of the list comes into view.
            if action.parts != nil { out.markup(" data-more") }
            if isCurrent { out.markup(#" aria-current="true""#) }
            out.markup(">")
            label(&self)
            out.markup("</button>")
        }
    }

    /// Writes the attributes of a button that posts an action.
    ///
    /// - Parameter role: How much attention the button asks for; nil for that of the action.
    mutating func submit(_ action: Action, role: ButtonRole? = nil) {
        out.markup(#" type="submit" name="action""#)
        if let json = action.json { out.attribute("value", json: json) } else { out.markup(" disabled") }
        if let question = action.confirmation { out.attribute("data-confirm", question) }
        // The script asks with a button that looks so, too.
        if (role ?? action.role) == .destructive { out.markup(#" data-role="destructive""#) }
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
        control(action, class: action.role.smallClassName) { writer in
            writer.out.text(action.name)
            guard let subject, !subject.isEmpty else { return }
            writer.out.markup(#"<span class="unseen"> "#)
            writer.out.text(subject)
            writer.out.markup("</span>")
        }
    }
}

extension ViewNode {
    /// Whether the main action is what the view itself shows: a text that is a button, for example.
    fileprivate var showsMainAction: Bool {
        switch content {
        case .text, .image, .icon, .button, .stat: true
        default: false
        }
    }
}

extension ButtonRole {
    /// The classes of a button with this role.
    var className: StaticString {
        switch self {
        case .normal: "button"
        case .primary: "button primary"
        case .destructive: "button destructive"
        }
    }

    /// The classes of a button with this role beside something else.
    fileprivate var smallClassName: StaticString {
        switch self {
        case .normal: "button small"
        case .primary: "button small primary"
        case .destructive: "button small destructive"
        }
    }
}

extension FloatingContent {
    /// The distances that the style sheet knows.
    private static let offsets = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100]

    /// The distance that is shown: the largest known one that is not above it.
    fileprivate var shownOffset: Int { FloatingContent.offsets.last { Double($0) <= offset } ?? 0 }
}

extension Action {
    /// What the action is called where there is no other text for it.
    var name: String {
        if let title, !title.isEmpty { return title }
        return switch effect {
        case .open: "Open"
        case .call(let selector, _): selector
        case .show: "Show"
        case .refresh: parts == nil ? "Refresh" : "Show more"
        }
    }
}
