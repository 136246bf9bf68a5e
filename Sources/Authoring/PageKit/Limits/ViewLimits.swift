/// The limits of a view, so that a component that makes a wrong one loses only its own place on a page.
public struct ViewLimits: Hashable, Sendable {
    /// How many views there may be, with those in other views.
    public var views = 10_000
    /// How deeply views may be in each other.
    public var depth = 24
    /// The size of all texts, pictures and values, in bytes; each counts 16 bytes more.
    public var bytes = 4 << 20
    /// How many values all charts may have; labels and series count as well.
    public var values = 100_000
    /// How many values the views may be as payload: about 20 for a view, 9 for an action, one for each cell, value or
    /// label in it, and three for each style of a cell. A payload has at most a million.
    public var nodes = 300_000

    /// The limits for a section of a page.
    public init() {}

    /// The limits for a section of a page.
    public static var standard: ViewLimits { ViewLimits() }
}

/// Why a view cannot be shown.
public struct ViewError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the view is: the kinds and keys from the outermost view on, such as `list › row "42"`.
    public let place: String
    /// What is wrong with it.
    public let reason: String

    /// The place and the reason.
    public var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}

extension ViewNode {
    /// Checks a view that a component has sent.
    ///
    /// Beyond the limits, this checks what a renderer relies on: keys are unique among siblings, texts have no control
    /// characters except line breaks and tabs, links lead to the web, numbers are finite and in their range, rows have
    /// as many cells as their table has columns, times are times, tabs and fields are where they belong.
    ///
    /// - Returns: About how many values it is as payload.
    /// - Throws: ``ViewError`` with the first view that is wrong, and why.
    @discardableResult
    public func check(_ limits: ViewLimits = .standard) throws(ViewError) -> Int {
        var check = ViewCheck(limits)
        try check.visit(self, in: nil)
        try check.end(self)
        return check.nodes
    }
}
