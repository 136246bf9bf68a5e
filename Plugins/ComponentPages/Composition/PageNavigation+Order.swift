import PageKit

extension PageNavigation {
    /// Creates what leads from a page to others.
    ///
    /// - Parameters:
    ///   - pages: all pages; of several with an id, the first counts.
    ///   - name: the name of the page that it leads from.
    init(among pages: [PageDeclaration], from name: String) {
        var declared: [[UInt8]: PageDeclaration] = [:]
        for page in pages where declared[Array(page.id.utf8)] == nil { declared[Array(page.id.utf8)] = page }
        // A link to a page that takes values needs them.
        func parent(of page: PageDeclaration) -> PageDeclaration? {
            page.parent.flatMap { declared[Array($0.utf8)] }.flatMap { $0.values == nil ? $0 : nil }
        }
        func isAboveItself(_ page: PageDeclaration) -> Bool {
            var above = parent(of: page)
            for _ in declared {
                guard let one = above else { return false }
                if one.id == page.id { return true }
                above = parent(of: one)
            }
            return false
        }
        // Pages whose parent is missing, or that are above each other, would otherwise be reached from nowhere.
        let first = declared.values.filter { $0.values == nil && (parent(of: $0) == nil || isAboveItself($0)) }
        self.init(
            pages: first.sorted { ($0.place, $0.title, $0.id) < ($1.place, $1.title, $1.id) }.map(\.link),
            parent: declared[Array(name.utf8)].flatMap(parent)?.link)
    }
}

extension PageDeclaration {
    /// The position, with those that have none last.
    fileprivate var place: Int { position ?? Int.max }

    fileprivate var link: PageLink { PageLink(id: id, title: title) }
}
