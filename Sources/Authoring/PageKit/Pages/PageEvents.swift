public import ComponentKit

/// Something that has happened on a page: the page's event centre.
///
/// Renderers and modules post it, and components handle it, as any other event:
///
/// ```swift
/// context.events.post(PageEvent(.scrolledTo, page: "home", section: "addresses"))
///
/// @On func pageEvent(_ event: PageEvent) { if event.page == "home", event.kind == .appeared { … } }
/// ```
///
/// Quick handlers run on the thread of the poster, in the order that ``ComponentKit/Events`` describes, before `post`
/// returns, unless they are still called for an earlier event. Readers count in all sessions together: a page appears
/// once, no matter who reads it first.
@Model @Event("org.hslink.pages/event") public struct PageEvent: Hashable, Sendable {
    /// What has happened.
    public var kind: PageEventKind
    /// The id of the page, with its values if it takes any.
    public var page: String
    /// The section that it is about; nil if it is about the page.
    public var section: String?
    /// The title of the tab, or the name of an event of the page's own.
    public var name: String?
    /// The value of an event of the page's own.
    public var value: Payload = .null

    /// - Parameters:
    ///   - kind: what has happened.
    ///   - page: the page.
    ///   - section: the section that it is about.
    ///   - name: the title of the tab, or the name of an event of the page's own.
    ///   - value: the value of an event of the page's own.
    public init(
        _ kind: PageEventKind, page: String, section: String? = nil, name: String? = nil, value: Payload = .null
    ) {
        self.kind = kind
        self.page = page
        self.section = section
        self.name = name
        self.value = value
    }
}

/// The kind of a ``PageEvent``.
@Model public enum PageEventKind: String, Hashable, Sendable, CaseIterable {
    /// The first reader has opened the page.
    case appeared
    /// The last reader has left the page.
    case disappeared
    /// A reader has scrolled to the section, in a browser with scripts. It is posted in the reader's session.
    case scrolledTo
    /// A reader has chosen another tab, in a browser with scripts. It is posted in the reader's session.
    case switched
    /// The reader has asked for the page again.
    case refreshed
    /// An event of the page's own.
    case custom
}

/// The view of a page module has changed: pages that show it ask for it again.
///
/// ```swift
/// @On func changed(_ event: OwnerChange) { context.events.post(PageModuleChanged("owner.addresses")) }
/// ```
@Model @Event("org.hslink.pages/moduleChanged") public struct PageModuleChanged: Hashable, Sendable {
    /// The name of the page module.
    public var module: String
    /// The only page that it concerns; nil for all. A name without values stands for the page with any values.
    public var page: String?
    /// The only section that it concerns; nil for all.
    public var section: String?
    /// Whether it concerns only the session that it is posted in, `Session.current`, as a sign-in does. Otherwise it
    /// concerns all: the same person may look from several.
    public var sessionOnly: Bool = false

    /// - Parameters:
    ///   - module: the name of the page module.
    ///   - page: the only page that it concerns; nil for all.
    ///   - section: the only section that it concerns; nil for all.
    ///   - sessionOnly: whether it concerns only the session that it is posted in.
    public init(_ module: String, page: String? = nil, section: String? = nil, sessionOnly: Bool = false) {
        self.module = module
        self.page = page
        self.section = section
        self.sessionOnly = sessionOnly
    }
}
