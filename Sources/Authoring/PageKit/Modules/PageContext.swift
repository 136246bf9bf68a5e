public import ComponentKit

/// The place of a page module on a page, as the module sees it.
@Model public struct PageContext: Hashable, Sendable {
    /// The id of the page, with its values if it takes any; see ``PageAddress``.
    public var page: String
    /// The name of the section, unique on the page.
    public var section: String
    /// The title that the page gives to the section; nil if the module chooses it.
    public var title: String?
    /// The name of the module.
    public var module: String = ""
}
