public import ComponentKit

/// A page: sections below each other, each with the view of a page module.
///
/// A page is a value that a renderer shows. It is composed from what an operator has written in a file and from what the
/// modules of components answer; see ``PageService``.
@Model public struct Page: Hashable, Sendable {
    /// The name by which the page is asked for, with its values if it takes any; see ``PageAddress``.
    public var id: String
    /// The title of the page.
    public var title: String
    /// Increases with each change of the page as long as it is shown somewhere, also from one composition to the next.
    public var revision: Int
    /// The frame around the sections: the view of the module that the page names as its delegate, usually a
    /// ``PageFrame``. Nil if the page has none.
    public var frame: PageSection?
    /// The sections in order. What is hidden, or has neither a module nor a fallback, is left out.
    public var sections: [PageSection]

    /// The section with this name, which may be the frame.
    public func section(named name: String) -> PageSection? {
        frame?.name == name ? frame : sections.first { $0.name == name }
    }

    /// Whether the view of any section is still to come.
    public var isLoading: Bool { sections.contains { $0.state == .loading } || frame?.state == .loading }
}

/// A section of a page.
@Model public struct PageSection: Hashable, Sendable {
    /// The name of the section, unique on the page.
    public var name: String
    /// The page module that it shows.
    public var module: String
    /// The component that offers the module; nil if none does. Resources without a component are its own.
    public var component: String?
    /// The title above the view; nil for none.
    public var title: String?
    /// Whether the view is that of the module.
    public var state: SectionState
    /// Hints for the renderer.
    public var layout: SectionLayout
    /// The view of the module, or the one in its place.
    public var view: ViewNode
}

/// Whether a section shows the view of its module.
@Model public enum SectionState: String, Hashable, Sendable, CaseIterable {
    /// The view is that of the module.
    case shown
    /// The module has not answered yet; a ``Placeholder`` takes its place.
    case loading
    /// The module failed; a ``Failure`` takes its place.
    case failed
    /// The module is missing or failed; the page's fallback takes its place.
    case fallback
}

/// How a section is to be shown, as hints that a renderer may follow.
@Model public struct SectionLayout: Hashable, Sendable {
    /// How many columns the views of the section may have, from 1 to 12.
    public var columns: Int = 1
    /// The space around the section, in lines of text, from 0 to 10.
    public var inset: Int = 0
    /// Whether only the title is shown at first.
    public var isFolded: Bool = false
    /// The space between views beside each other, in lines of text, from 0 to 10; nil to leave it to the renderer. Only the
    /// outermost views of the section are meant: the rows of a list, or what is in a grid or stack.
    public var itemSpace: Int?
    /// The space between these views below each other, in lines of text, from 0 to 10; nil to leave it to the renderer.
    public var lineSpace: Int?
    /// Whether the section is the header of the next one, to which it stands close.
    public var isHeader: Bool = false

    /// - Parameters:
    ///   - columns: how many columns the views may have, from 1 to 12.
    ///   - inset: the space around the section, in lines of text, from 0 to 10.
    ///   - isFolded: whether only the title is shown at first.
    ///   - itemSpace: the space between views beside each other, in lines of text, from 0 to 10.
    ///   - lineSpace: the space between views below each other, in lines of text, from 0 to 10.
    ///   - isHeader: whether the section is the header of the next one.
    public init(
        columns: Int = 1, inset: Int = 0, isFolded: Bool = false, itemSpace: Int? = nil, lineSpace: Int? = nil,
        isHeader: Bool = false
    ) {
        self.columns = columns
        self.inset = inset
        self.isFolded = isFolded
        self.itemSpace = itemSpace
        self.lineSpace = lineSpace
        self.isHeader = isHeader
    }
}
