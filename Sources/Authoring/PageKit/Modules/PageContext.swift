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
    /// How many parts of a long list people have asked for in the section, from 1 on; see ``part(of:size:atMost:)``. The
    /// page forgets it when it has not been shown for a while, and when the data of the section changes.
    public var parts: Int = 1
}

/// The part of a long list that a module shows.
public struct ListPart: Hashable, Sendable {
    /// How many items are shown.
    public let count: Int
    /// How many items there are after these.
    public let left: Int
    /// The action that shows more; nil if there are no more, or no more are shown.
    public let more: Action?
}

extension PageContext {
    /// Returns which part of a long list to show: as many of the first items as people have asked for.
    ///
    /// ```swift
    /// let part = context.part(of: names.count, size: 50)
    /// return List(names.prefix(part.count)) { Row($0).key($0) }.side(part.more)
    /// ```
    ///
    /// - Parameters:
    ///   - count: how many items there are.
    ///   - size: how many items are added each time, at least 1.
    ///   - most: how many are shown at most. A view contains at most 10,000 views and 4 MB; see ``ViewLimits``.
    /// - Returns: The part. Its action has the title "Show more", with the number of items that are left.
    public func part(of count: Int, size: Int = 200, atMost most: Int = 2000) -> ListPart {
        let (wanted, isTooLarge) = max(parts, 1).multipliedReportingOverflow(by: max(size, 1))
        let shown = max(min(isTooLarge ? .max : wanted, count, most), 0)
        let left = count - shown
        let action = left > 0 && shown < most ? more(title: "Show more (\(left) left)") : nil
        return ListPart(count: shown, left: left, more: action)
    }

    /// Makes the action that asks the module again, with one more in ``parts``, for a list whose length is not known.
    ///
    /// Browsers perform it by themselves when the end of the list comes into view.
    ///
    /// - Parameter title: what to call the action; "Show more" if there is none.
    public func more(title: String? = nil) -> Action {
        .more(parts: min(max(parts, 1), Action.mostParts - 1) + 1, title: title ?? "Show more")
    }
}

extension Action {
    /// How many parts of a list a section may have.
    static let mostParts = 10_000
}
