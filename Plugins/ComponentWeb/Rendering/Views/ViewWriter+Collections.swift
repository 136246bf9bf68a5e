import ComponentKit
import PageKit

extension ViewWriter {
    mutating func list(_ content: ListContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        out.markup(#"<div class="list">"#)
        let isMainShown = title(content.title, node, class: "list-title", in: context)
        // The role is said because WebKit takes a list without bullets for none.
        out.markup(#"<ul role="list" data-c>"#)
        children(of: node, in: context, isComplete: isComplete)
        out.markup("</ul>")
        // Not left to the style sheet, which text browsers do not read.
        if node.children.isEmpty, let empty = content.empty {
            out.markup(#"<p class="empty">"#)
            out.text(empty)
            out.markup("</p>")
        }
        actions(of: node, isMainShown: isMainShown, about: nil)
        out.markup("</div>")
    }

    /// Writes the title of a view, which is a button if the view has an action.
    ///
    /// - Returns: Whether the main action has been written.
    private mutating func title(
        _ title: String?, _ node: ViewNode, class name: StaticString, in context: ViewContext
    ) -> Bool {
        guard let title else { return false }
        heading(class: name, in: context) { writer in
            if let action = node.action {
                writer.control(action, class: "plain") { $0.out.text(title) }
            } else {
                writer.out.text(title)
            }
        }
        return true
    }

    mutating func row(_ content: RowContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        let isItem = context.parent == .list
        out.markup(isItem ? #"<li class="row">"# : #"<div class="row">"#)
        if let source = content.image { thumbnail(source) }
        out.markup(#"<div class="row-text">"#)
        if let action = node.action {
            control(action, class: "row-title plain whole", isCurrent: content.isCurrent) { $0.out.text(content.title) }
        } else {
            out.markup(#"<span class="row-title""#)
            out.markup(content.isCurrent ? #" aria-current="true">"# : ">")
            out.text(content.title)
            out.markup("</span>")
        }
        if let detail = content.detail {
            out.markup(#" <span class="row-detail">"#)
            out.text(detail)
            out.markup("</span>")
        }
        out.markup("</div>")
        if let badge = content.badge {
            out.markup(" ")
            self.badge(badge, content.tone)
        }
        actions(of: node, isMainShown: true, about: content.title)
        more(node, in: context, isComplete: isComplete)
        out.markup(isItem ? "</li>" : "</div>")
    }

    /// How many columns find room in a large window. A table with more of them scrolls.
    private static let mostColumnsBesideEachOther = 8

    mutating func table(_ content: TableContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        // The element around it scrolls where the table is too wide, also by keys.
        out.markup(#"<div class="table"><div class="scroll"#)
        if content.columns.count > ViewWriter.mostColumnsBesideEachOther { out.markup(" wide") }
        out.markup(#"" role="group""#)
        if place.level > 2 {
            out.attribute("aria-labelledby", id: "heading-", [place.section])
        } else {
            out.markup(#" aria-label="Table""#)
        }
        out.markup(#" tabindex="0">"#)
        // On a phone, the style sheet makes a card of each row of a table with many columns.
        out.markup(content.columns.count > 2 ? #"<table class="cards"><thead><tr>"# : "<table><thead><tr>")
        for column in content.columns {
            out.markup(column.alignment == .trailing ? #"<th scope="col" class="end">"# : #"<th scope="col">"#)
            out.text(column.title)
            out.markup("</th>")
        }
        out.markup("</tr></thead><tbody data-c>")
        children(of: node, in: context, isComplete: isComplete)
        out.markup("</tbody></table></div>")
        actions(of: node, about: nil)
        out.markup("</div>")
    }

    mutating func tableRow(
        _ content: TableRowContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool
    ) {
        guard case .table(let columns) = context.parent else {
            out.markup(#"<div class="cells">"#)
            for index in content.cells.indices {
                out.markup("<span>")
                cell(content.cell(at: index))
                out.markup("</span> ")
            }
            actions(of: node, about: content.cells.first)
            more(node, in: context, isComplete: isComplete)
            out.markup("</div>")
            return
        }
        out.markup("<tr>")
        // At least one cell, so that there is a place for what else the row has.
        let last = max(content.cells.count, 1) - 1
        for index in 0...last {
            let column = columns.indices.contains(index) ? columns[index] : nil
            let cell = content.cell(at: index)
            let holdsMore =
                index == 0 && node.action != nil
                || index == last && !(node.sideActions.isEmpty && node.children.isEmpty)
            out.cellStart(isTrailing: column?.alignment == .trailing, isBlank: cell.isBlank && !holdsMore)
            if let title = column?.title, !title.isEmpty { out.attribute("data-label", title) }
            out.markup(">")
            if index == 0, let action = node.action {
                control(action, class: "plain") { $0.cell(cell.text.isEmpty ? TableCell(action.name) : cell) }
            } else {
                self.cell(cell)
            }
            if index == last {
                actions(of: node, isMainShown: true, about: content.cells.first)
                more(node, in: context, isComplete: isComplete)
            }
            out.markup("</td>")
        }
        out.markup("</tr>")
    }

    private mutating func cell(_ cell: TableCell) {
        switch cell.style {
        case .plain: out.text(cell.text)
        case .code:
            out.markup("<code>")
            out.text(cell.text)
            out.markup("</code>")
        case .time: time(cell.text)
        case .badge(let tone): if !cell.text.isEmpty { badge(cell.text, tone) }
        }
    }

    /// Writes a time in UTC. The script shows it in the reader's time zone.
    private mutating func time(_ text: String) {
        guard let utc = Timestamp(rfc3339: text)?.rfc3339 else { return out.text(text) }
        out.markup("<time")
        out.attribute("datetime", text)
        out.markup(">")
        out.text("\(utc.prefix(10)) \(utc.dropFirst(11).prefix(12)) UTC")
        out.markup("</time>")
    }

    mutating func card(_ content: CardContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        out.markup(#"<div class="card">"#)
        let isFoldable = content.isFolded != nil && content.title != nil
        var isMainShown = false
        if isFoldable, let name = content.title {
            // The script tells from `data-open` what a person has folded or unfolded.
            out.markup(#"<details class="fold""#)
            // A form that was refused is shown.
            let isRefused = form.map { node.offersForm($0.action) } ?? false
            out.markup(content.isFolded == false ? " open data-open" : isRefused ? " open" : "")
            out.markup("><summary>")
            heading(name, class: "card-title", in: context)
            out.markup("</summary>")
        } else {
            isMainShown = title(content.title, node, class: "card-title", in: context)
        }
        if let subtitle = content.subtitle {
            out.markup(#"<p class="text caption">"#)
            out.text(subtitle)
            out.markup("</p>")
        }
        out.markup(#"<div class="stack""#)
        container(of: node, in: context, isComplete: isComplete)
        actions(of: node, isMainShown: isMainShown, about: content.title)
        out.markup(isFoldable ? "</details></div>" : "</div>")
    }

    /// Without scripts, tabs are below each other with their titles. The script makes a list of tabs of the titles.
    mutating func tab(_ content: TabContent, _ node: ViewNode, in context: ViewContext, isComplete: Bool) {
        out.markup(#"<div class="tab">"#)
        heading(content.title, class: "tab-title", in: context)
        out.markup(#"<div class="stack""#)
        container(of: node, in: context, isComplete: isComplete)
        actions(of: node, about: nil)
        out.markup("</div>")
    }
}

extension HTMLWriter {
    /// Writes the start of the tag of a cell. The style sheet leaves out a column in which all cells are blank, and blank
    /// cells on a phone.
    fileprivate mutating func cellStart(isTrailing: Bool, isBlank: Bool) {
        switch (isTrailing, isBlank) {
        case (false, false): markup("<td")
        case (true, false): markup(#"<td class="end""#)
        case (false, true): markup(#"<td class="blank""#)
        case (true, true): markup(#"<td class="end blank""#)
        }
    }
}
