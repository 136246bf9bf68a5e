import ComponentKit

/// What operators configure.
@Model
struct PagesOptions: Sendable {
    /// The folder of page files; without it, `pages` in the component's data directory.
    var directory: String?
    /// Whether to read page files that other users may change.
    var trustsAny: Bool = false
    /// How many seconds a module may take to answer, and a component to say which pages it brings along.
    var timeout: Double = 10
    /// How many pages are kept at a time, in all sessions together; a session has each of its pages once.
    var kept: Int = 2000
}
