public import ComponentKit

/// What has changed on a page that a reader watches.
@Model public enum PageUpdate: Hashable, Sendable {
    /// The page as a whole: first, and whenever sections come, go or move.
    case page(Page)
    /// A section that is on the page already.
    case section(PageSection, revision: Int)
    /// Changes of the view of a section. Nothing else about it has changed.
    case view(section: String, patch: ViewPatch, revision: Int)

    /// Creates the updates that turn one state of a page into the next; none if they are equal.
    ///
    /// - Parameters:
    ///   - old: the page as it is shown.
    ///   - new: the page as it is to be shown. Its revision is that of the update.
    public static func updates(from old: Page, to new: Page) -> [PageUpdate] {
        guard old.id == new.id, old.title == new.title, old.frame?.name == new.frame?.name,
            old.sections.map(\.name) == new.sections.map(\.name)
        else { return [.page(new)] }
        var updates: [PageUpdate] = []
        let pairs = zip([old.frame].compactMap(\.self) + old.sections, [new.frame].compactMap(\.self) + new.sections)
        for (before, after) in pairs {
            if let update = update(from: before, to: after, revision: new.revision) { updates.append(update) }
        }
        return updates
    }

    /// Creates the update that turns one state of a section into the next; nil if they are equal.
    ///
    /// - Parameters:
    ///   - old: the section as it is shown.
    ///   - new: the section with the same name as it is to be shown.
    ///   - revision: the revision of the page with the new one.
    public static func update(from old: PageSection, to new: PageSection, revision: Int) -> PageUpdate? {
        var changed = old
        changed.view = new.view
        guard changed == new else { return .section(new, revision: revision) }
        let patch = ViewPatch(from: old.view, to: new.view)
        return patch.isEmpty ? nil : .view(section: new.name, patch: patch, revision: revision)
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
    /// - Throws: ``PageUpdateError`` if the update was made for another page; this one is not changed then.
    public mutating func apply(_ update: PageUpdate) throws(PageUpdateError) {
        switch update {
        case .page(let page): self = page
        case .section(let section, let revision):
            try change(section.name, revision: revision) { current throws(PageUpdateError) in current = section }
        case .view(let name, let patch, let revision):
            try change(name, revision: revision) { current throws(PageUpdateError) in
                do throws(ViewPatchError) {
                    try current.view.apply(patch)
                } catch {
                    throw PageUpdateError(description: "section \(name): \(error)")
                }
            }
        }
    }

    private mutating func change(
        _ name: String, revision: Int, by change: (inout PageSection) throws(PageUpdateError) -> Void
    ) throws(PageUpdateError) {
        if var section = frame, section.name == name {
            try change(&section)
            frame = section
        } else if let index = sections.firstIndex(where: { $0.name == name }) {
            try change(&sections[index])
        } else {
            throw PageUpdateError(description: "the page has no section \(name)")
        }
        self.revision = revision
    }
}
