public import ComponentKit

/// What has changed on a page that a reader watches: everything that leads from one revision to the next.
@Model public enum PageUpdate: Hashable, Sendable {
    /// The page as a whole: first, and whenever sections come, go or move.
    case page(Page)
    /// Changes of sections that are on the page already, made one after the other, of the page with the revision
    /// `after`. `revision` is the one with all of them.
    case sections([SectionChange], after: Int, revision: Int)

    /// Creates the update that turns one state of a page into the next; nil if nothing but the revision differs.
    ///
    /// - Parameters:
    ///   - old: the page as it is shown.
    ///   - new: the page as it is to be shown, with another revision.
    public init?(from old: Page, to new: Page) {
        guard old.id == new.id, old.title == new.title, old.frame?.name == new.frame?.name,
            old.sections.map(\.name) == new.sections.map(\.name)
        else {
            self = .page(new)
            return
        }
        let pairs = zip([old.frame].compactMap(\.self) + old.sections, [new.frame].compactMap(\.self) + new.sections)
        let changes = pairs.compactMap { SectionChange(from: $0, to: $1) }
        if changes.isEmpty { return nil }
        self = .sections(changes, after: old.revision, revision: new.revision)
    }
}

/// What has changed about one section of a page.
@Model public enum SectionChange: Hashable, Sendable {
    /// The section with this name is another one.
    case section(PageSection)
    /// The view of the section with this name has changed, and nothing else about it.
    case view(section: String, patch: ViewPatch)

    /// Creates the change that turns one state of a section into the next; nil if they are equal.
    ///
    /// - Parameters:
    ///   - old: the section as it is shown.
    ///   - new: the section with the same name as it is to be shown.
    public init?(from old: PageSection, to new: PageSection) {
        // Views that are the same in memory are equal at once.
        if old == new { return nil }
        var changed = old
        changed.view = new.view
        self = changed == new ? .view(section: new.name, patch: ViewPatch(from: old.view, to: new.view)) : .section(new)
    }
}

/// Why an update does not fit a page: it was made for another state of it. Ask for the page again.
public struct PageUpdateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What does not fit, in words.
    public let description: String
}

extension Page {
    /// Makes the changes of an update.
    ///
    /// - Throws: ``PageUpdateError`` if the update was made for another page or another revision; this one is not
    ///   changed then.
    public mutating func apply(_ update: PageUpdate) throws(PageUpdateError) {
        switch update {
        case .page(let page): self = page
        case .sections(let changes, let after, let revision):
            guard after == self.revision else {
                throw PageUpdateError(description: "expected the revision \(after) of the page, found \(self.revision)")
            }
            var next = self
            for change in changes { try next.make(change) }
            next.revision = revision
            self = next
        }
    }

    private mutating func make(_ change: SectionChange) throws(PageUpdateError) {
        switch change {
        case .section(let section):
            try changeSection(section.name) { current throws(PageUpdateError) in current = section }
        case .view(let name, let patch):
            try changeSection(name) { current throws(PageUpdateError) in
                do throws(ViewPatchError) {
                    try current.view.apply(patch)
                } catch {
                    throw PageUpdateError(description: "section \(name): \(error)")
                }
            }
        }
    }

    private mutating func changeSection(
        _ name: String, by change: (inout PageSection) throws(PageUpdateError) -> Void
    ) throws(PageUpdateError) {
        if var section = frame, section.name == name {
            try change(&section)
            frame = section
        } else if let index = sections.firstIndex(where: { $0.name == name }) {
            try change(&sections[index])
        } else {
            throw PageUpdateError(description: "the page has no section \(name)")
        }
    }
}
