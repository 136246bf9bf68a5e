import PageKit

/// Turns what has changed on a page into what a browser does with its elements.
///
/// An operation is an array: its name, the name of a section or of a part of the frame, and for changes in a view the
/// path to an element, as in ``ViewChange``:
///
/// | operation | meaning |
/// |-----------|---------|
/// | `["replace", target, path, html]` | another element takes the place of the one at the path |
/// | `["update", target, path, html]` | the same, but the views in the old one are moved to the new one |
/// | `["insert", target, path, index, html]` | an element is added to those in the one at the path |
/// | `["remove", target, path, index]` | the element is removed |
/// | `["move", target, path, from, to]` | the element is taken out and added at its new place |
/// | `["part", target, html]` | a part of the frame has another view, or none |
/// | `["section", name, html]` | a section is replaced |
/// | `["title", text]` | the page has another title |
/// | `["page", title, html, header]` | everything is replaced, also what the page has in the header of the document |
struct PageOperations {
    private let renderer: PageRenderer
    private var out: PageOperationWriter

    init(_ renderer: PageRenderer, revision: Int) {
        self.renderer = renderer
        out = PageOperationWriter()
        out.begin(revision: revision)
    }

    /// The operations as JSON.
    var rendered: Rendered {
        var out = out
        out.end()
        return out.rendered
    }

    mutating func replace(_ page: Page) {
        out.operation("page")
        out.add(page.shownTitle)
        var html = HTMLWriter(capacity: 1 << 14)
        renderer.write(page, form: nil, to: &html)
        out.add(html)
        var header = HTMLWriter()
        renderer.writeHeader(of: page, form: nil, to: &header)
        out.add(header)
        out.endOperation()
    }

    mutating func replace(_ section: PageSection, on page: String) {
        out.operation("section")
        out.add(section.name)
        var html = HTMLWriter()
        renderer.write(section, on: page, form: nil, to: &html)
        out.add(html)
        out.endOperation()
    }

    mutating func replaceParts(of page: Page) {
        guard let frame = page.frame else { return }
        out.operation("title")
        out.add(page.shownTitle)
        out.endOperation()
        for part in FramePart.allCases {
            out.operation("part")
            out.add(frame.target(of: part))
            var html = HTMLWriter()
            renderer.content(of: part, of: frame, on: page.id, to: &html)
            out.add(html)
            out.endOperation()
        }
    }

    /// Makes a change that fits the page, and adds the operations for it.
    ///
    /// - Returns: False if it cannot be made in a browser. The page may have been changed in part then.
    mutating func make(_ change: SectionChange, on page: inout Page) -> Bool {
        switch change {
        case .section(let section):
            if page.frame?.name == section.name {
                page.frame = section
                replaceParts(of: page)
            } else if let index = page.sections.firstIndex(where: { $0.name == section.name }) {
                page.sections[index] = section
                replace(section, on: page.id)
            } else {
                return false
            }
            return true
        case .view(let name, let patch):
            if page.frame?.name == name { return make(patch, onFrameOf: &page) }
            guard let index = page.sections.firstIndex(where: { $0.name == name }) else { return false }
            let place = SectionPlace(page.sections[index], on: page.id)
            return make(
                patch.changes, in: &page.sections[index].view, context: ViewContext(level: place.level), target: name,
                place: place)
        }
    }

    /// The parts of a frame are in different places of the document. A change in one of them is made there; for any
    /// other one, all of them are rendered.
    private mutating func make(_ patch: ViewPatch, onFrameOf page: inout Page) -> Bool {
        guard var frame = page.frame else { return false }
        var next = frame
        guard (try? next.view.apply(patch)) != nil else { return false }
        let place = SectionPlace(frame, on: page.id)
        let context = ViewContext(level: 2).inside(frame.view)
        // A page that comes or goes may change which one is marked as the one above.
        guard SectionPlace(next, on: page.id) == place, patch.changes.allSatisfy({ $0.part(of: frame.view) != nil })
        else {
            page.frame = next
            replaceParts(of: page)
            return true
        }
        for change in patch.changes {
            guard let (part, index) = change.part(of: frame.view),
                make(
                    [change.dropFirst], in: &frame.view.children[index], context: context,
                    target: frame.target(of: part), place: place)
            else { return false }
        }
        page.frame = frame
        return true
    }

    /// Makes the changes of a view and adds the operations for them.
    ///
    /// - Parameters:
    ///   - target: the name of the view in the browser.
    ///   - place: where the view is.
    /// - Returns: False if a change does not fit.
    private mutating func make(
        _ changes: some Sequence<ViewChange>, in view: inout ViewNode, context: ViewContext, target: String,
        place: SectionPlace
    ) -> Bool {
        for change in changes {
            let isMade = view.at(change.path[...], context) { node, context in
                make(change, of: &node, context: context, target: target, place: place)
            }
            guard isMade else { return false }
        }
        return true
    }

    private mutating func make(
        _ change: ViewChange, of node: inout ViewNode, context: ViewContext, target: String, place: SectionPlace
    ) -> Bool {
        let old = node
        // Rather all of the view than a container or a text about an empty list that comes or goes.
        var isReplaced = false
        switch change {
        case .replace(_, let new):
            node = new
            isReplaced = true
        case .update(_, var new):
            guard new.children.isEmpty else { return false }
            new.children = node.children
            node = new
            isReplaced = context.inside(old) != context.inside(new) || old.hasContainer != new.hasContainer
        case .insert(_, let index, let new):
            guard (0...node.children.count).contains(index) else { return false }
            node.children.insert(new, at: index)
            isReplaced = !old.hasContainer || old.saysItIsEmpty
        case .remove(_, let index):
            guard node.children.indices.contains(index) else { return false }
            node.children.remove(at: index)
            isReplaced = !node.hasContainer || node.saysItIsEmpty
        case .move(_, let from, let to):
            guard node.children.indices.contains(from), node.children.indices.contains(to) else { return false }
            node.children.insert(node.children.remove(at: from), at: to)
        }
        if isReplaced {
            operation("replace", target, at: change.path)
            add(node, in: context, place)
        } else {
            switch change {
            case .replace: break
            case .update:
                operation("update", target, at: change.path)
                add(node, in: context, place, isComplete: false)
            case .insert(_, let index, let new):
                operation("insert", target, at: change.path)
                out.add(index)
                add(new, in: context.inside(node), place)
            case .remove(_, let index):
                operation("remove", target, at: change.path)
                out.add(index)
            case .move(_, let from, let to):
                operation("move", target, at: change.path)
                out.add(from)
                out.add(to)
            }
        }
        out.endOperation()
        return true
    }

    private mutating func operation(_ name: StaticString, _ target: String, at path: [Int]) {
        out.operation(name)
        out.add(target)
        out.add(path)
    }

    private mutating func add(
        _ node: ViewNode, in context: ViewContext, _ place: SectionPlace, isComplete: Bool = true
    ) {
        var writer = ViewWriter(HTMLWriter(capacity: 512), places: renderer.places, place: place)
        writer.view(node, in: context, isComplete: isComplete)
        out.add(writer.out)
    }
}

extension PageRenderer {
    /// Makes the changes of an update and renders them for the readers of the page, as JSON.
    ///
    /// - Parameters:
    ///   - update: what has changed.
    ///   - page: the page as readers see it; afterwards, as it is with the update.
    /// - Throws: `PageUpdateError` if the update was made for another state of the page; it is not changed then.
    func operations(_ update: PageUpdate, on page: inout Page) throws(PageUpdateError) -> Rendered {
        switch update {
        case .page(let new):
            page = new
            return operations(for: new)
        case .sections(let changes, _, let revision):
            var next = page
            try next.apply(update)
            var operations = PageOperations(self, revision: revision)
            var isMade = true
            for change in changes where isMade { isMade = operations.make(change, on: &page) }
            page = next
            return isMade ? operations.rendered : self.operations(for: next)
        }
    }

    /// Renders a page as what replaces any other state of it, as JSON.
    func operations(for page: Page) -> Rendered {
        var operations = PageOperations(self, revision: page.revision)
        operations.replace(page)
        return operations.rendered
    }
}

extension ViewChange {
    var path: [Int] {
        switch self {
        case .replace(let path, _), .update(let path, _), .insert(let path, _, _), .remove(let path, _),
            .move(let path, _, _):
            path
        }
    }

    /// Returns the part of a frame that the change is in, and its index; nil if it changes which parts there are.
    fileprivate func part(of frame: ViewNode) -> (FramePart, index: Int)? {
        guard case .frame = frame.content, let index = path.first, frame.children.indices.contains(index) else {
            return nil
        }
        if path.count == 1, case .replace = self { return nil }
        return FramePart(rawValue: frame.children[index].key).map { ($0, index) }
    }

    /// The same change as it is seen from the first view on the path.
    fileprivate var dropFirst: ViewChange {
        let path = Array(path.dropFirst())
        return switch self {
        case .replace(_, let view): .replace(path: path, with: view)
        case .update(_, let view): .update(path: path, to: view)
        case .insert(_, let index, let view): .insert(path: path, index: index, view: view)
        case .remove(_, let index): .remove(path: path, index: index)
        case .move(_, let from, let to): .move(path: path, from: from, to: to)
        }
    }
}

extension ViewNode {
    /// Changes the view that a path leads to.
    ///
    /// - Returns: What `change` returns; false if there is no such view, or none that is rendered.
    fileprivate mutating func at(
        _ path: ArraySlice<Int>, _ context: ViewContext, change: (inout ViewNode, ViewContext) -> Bool
    ) -> Bool {
        guard context.depth < ViewContext.deepest else { return false }
        guard let index = path.first else { return change(&self, context) }
        guard children.indices.contains(index) else { return false }
        let inner = context.inside(self)
        return children[index].at(path.dropFirst(), inner, change: change)
    }
}
