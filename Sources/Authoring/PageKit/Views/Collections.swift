public import ComponentKit

/// Rows below each other.
///
/// ```swift
/// List(companies, empty: "No companies yet.") { company in
///     Row(company.name, detail: company.city).key(company.id)
/// }
/// ```
public struct List: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the title above the rows.
    ///   - empty: the text to show if there are none.
    ///   - rows: the rows, usually of type ``Row``.
    public init(_ title: String? = nil, empty: String? = nil, @ViewBuilder rows: () throws -> [ViewNode]) rethrows {
        node = ViewNode(.list(ListContent(title: title, empty: empty)), try rows())
    }

    /// - Parameters:
    ///   - items: the items to show, one in each row.
    ///   - title: the title above the rows.
    ///   - empty: the text to show if there are none.
    ///   - row: makes the row of an item.
    public init<Item>(
        _ items: some Sequence<Item>, title: String? = nil, empty: String? = nil, row: (Item) throws -> some View
    ) rethrows {
        node = ViewNode(.list(ListContent(title: title, empty: empty)), try items.map { try row($0).node })
    }
}

/// The contents of a ``List`` apart from its rows.
@Model public struct ListContent: Hashable, Sendable {
    /// The title above the rows.
    public var title: String?
    /// The text to show if there are none.
    public var empty: String?
}

/// A row of a ``List``: a title, and what there is to say about it.
public struct Row: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the name of what the row is about.
    ///   - detail: more about it, after or below the title.
    ///   - badge: a number or word at the end, such as how many are new.
    ///   - tone: what the badge means to the reader.
    ///   - image: a small picture at the beginning.
    public init(
        _ title: String, detail: String? = nil, badge: String? = nil, tone: Tone = .neutral, image: ImageSource? = nil
    ) {
        node = ViewNode(.row(RowContent(title: title, detail: detail, badge: badge, tone: tone, image: image)))
    }

    /// - Parameters:
    ///   - title: the name of what the row is about.
    ///   - detail: more about it, after or below the title.
    ///   - badge: a number or word at the end, such as how many are new.
    ///   - tone: what the badge means to the reader.
    ///   - image: a small picture at the beginning.
    ///   - content: further views in the row, after the title.
    public init(
        _ title: String, detail: String? = nil, badge: String? = nil, tone: Tone = .neutral, image: ImageSource? = nil,
        @ViewBuilder content: () throws -> [ViewNode]
    ) rethrows {
        self.init(title, detail: detail, badge: badge, tone: tone, image: image)
        node.children = try content()
    }
}

extension Row {
    /// Marks the row as the one whose subject is shown now, such as the film that a player beside the list shows.
    ///
    /// - Parameter isCurrent: whether it is that row.
    public func current(_ isCurrent: Bool = true) -> Row {
        changed { node in
            guard case .row(var content) = node.content else { return }
            content.isCurrent = isCurrent
            node.content = .row(content)
        }
    }
}

/// The contents of a ``Row``.
@Model public struct RowContent: Hashable, Sendable {
    /// The name of what the row is about.
    public var title: String
    /// More about it.
    public var detail: String?
    /// A number or word at the end.
    public var badge: String?
    /// What the badge means to the reader.
    public var tone: Tone = .neutral
    /// A small picture at the beginning.
    public var image: ImageSource?
    /// Whether what the row is about is shown now.
    public var isCurrent: Bool = false
}

/// Rows of cells under the titles of columns.
///
/// ```swift
/// Table(["Name", .init("Size", alignment: .trailing)]) {
///     for file in files { TableRow([file.name, file.size.formatted()]).key(file.name) }
/// }
/// ```
public struct Table: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - columns: the columns in order.
    ///   - rows: the rows, of type ``TableRow``.
    public init(_ columns: [TableColumn], @ViewBuilder rows: () throws -> [ViewNode]) rethrows {
        node = ViewNode(.table(TableContent(columns: columns)), try rows())
    }
}

/// A column of a ``Table``.
@Model public struct TableColumn: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The title above the cells.
    public var title: String
    /// Where the texts of the cells are.
    public var alignment: ColumnAlignment = .leading

    /// - Parameters:
    ///   - title: the title above the cells.
    ///   - alignment: where the texts of the cells are.
    public init(_ title: String, alignment: ColumnAlignment = .leading) {
        self.title = title
        self.alignment = alignment
    }

    /// A column with this title, and texts at the beginning.
    public init(stringLiteral title: String) { self.init(title) }
}

/// Where the texts of a column are.
@Model public enum ColumnAlignment: String, Hashable, Sendable {
    /// At the beginning, as texts.
    case leading
    /// At the end, as numbers.
    case trailing
}

/// The contents of a ``Table`` apart from its rows.
@Model public struct TableContent: Hashable, Sendable {
    /// The columns in order, 1 to 64.
    public var columns: [TableColumn]
}

/// A row of a ``Table``.
public struct TableRow: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameter cells: the text of each cell; there must be as many as columns.
    public init(_ cells: [String]) { node = ViewNode(.tableRow(TableRowContent(cells: cells))) }

    /// - Parameter cells: each cell with what kind of text it has; there must be as many as columns.
    public init(_ cells: [TableCell]) {
        let styles = cells.allSatisfy { $0.style == .plain } ? [] : cells.map(\.style)
        node = ViewNode(.tableRow(TableRowContent(cells: cells.map(\.text), styles: styles)))
    }
}

/// The contents of a ``TableRow``.
@Model public struct TableRowContent: Hashable, Sendable {
    /// The text of each cell, as many as the table has columns.
    public var cells: [String]
    /// What kind of text each cell has: as many as cells, or none if all have ordinary text.
    public var styles: [CellStyle] = []
}

/// Views beside each other in columns, then below each other.
public struct Grid: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - columns: how many columns there are if there is room, from 1 to 12.
    ///   - content: the views.
    public init(columns: Int, @ViewBuilder content: () throws -> [ViewNode]) rethrows {
        node = ViewNode(.grid(GridContent(columns: columns)), try content())
    }
}

/// The contents of a ``Grid`` apart from its views.
@Model public struct GridContent: Hashable, Sendable {
    /// How many columns there are if there is room, from 1 to 12.
    public var columns: Int
}

/// Views that belong together, with a title.
public struct Card: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the subject of the card.
    ///   - subtitle: more about it.
    ///   - content: the views on it.
    public init(
        _ title: String? = nil, subtitle: String? = nil, @ViewBuilder content: () throws -> [ViewNode]
    ) rethrows {
        node = ViewNode(.card(CardContent(title: title, subtitle: subtitle)), try content())
    }
}

extension Card {
    /// Lets people fold the card, so that only its title is shown, and unfold it.
    ///
    /// ```swift
    /// Card("Day \(day.number)") { … }.folded(day.isOver)
    /// ```
    ///
    /// The card must have a title. What a person has folded or unfolded stays so while the card is shown.
    ///
    /// - Parameter isFolded: whether it is folded at first.
    public func folded(_ isFolded: Bool = true) -> Card {
        changed { node in
            guard case .card(var content) = node.content else { return }
            content.isFolded = isFolded
            node.content = .card(content)
        }
    }
}

/// The contents of a ``Card`` apart from its views.
@Model public struct CardContent: Hashable, Sendable {
    /// The subject of the card.
    public var title: String?
    /// More about it.
    public var subtitle: String?
    /// Whether only the title is shown at first; nil if the card cannot be folded.
    public var isFolded: Bool?
}

/// Views below or beside each other.
public struct Stack: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - direction: whether the views are below or beside each other.
    ///   - content: the views.
    public init(_ direction: StackDirection = .vertical, @ViewBuilder content: () throws -> [ViewNode]) rethrows {
        node = ViewNode(.stack(StackContent(direction: direction)), try content())
    }
}

/// How the views of a ``Stack`` are arranged.
@Model public enum StackDirection: String, Hashable, Sendable {
    /// Below each other.
    case vertical
    /// Beside each other.
    case horizontal
}

/// The contents of a ``Stack`` apart from its views.
@Model public struct StackContent: Hashable, Sendable {
    /// How the views are arranged.
    public var direction: StackDirection = .vertical
}

/// Views of which one is shown at a time, chosen by their titles.
///
/// ```swift
/// Tabs {
///     Tab("Films") { … }
///     Tab("Pictures") { … }
/// }
/// ```
public struct Tabs: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameter tabs: views of type ``Tab``.
    public init(@ViewBuilder tabs: () throws -> [ViewNode]) rethrows { node = ViewNode(.tabs, try tabs()) }
}

/// One of the views that ``Tabs`` show.
public struct Tab: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - title: the text on the tab.
    ///   - content: the views that it shows.
    public init(_ title: String, @ViewBuilder content: () throws -> [ViewNode]) rethrows {
        node = ViewNode(.tab(TabContent(title: title)), try content())
    }
}

/// The contents of a ``Tab`` apart from its views.
@Model public struct TabContent: Hashable, Sendable {
    /// The text on the tab.
    public var title: String
}

/// Views that stay in their place while the rest of the page is scrolled.
public struct Floating: View {
    /// The view in the form in which it travels.
    public var node: ViewNode

    /// - Parameters:
    ///   - edge: the edge that they stay at.
    ///   - offset: the distance from it, in lines of text, from 0 to 100.
    ///   - content: the views.
    public init(
        _ edge: FloatingEdge = .bottom, offset: Double = 0, @ViewBuilder content: () throws -> [ViewNode]
    ) rethrows {
        node = ViewNode(.floating(FloatingContent(edge: edge, offset: offset)), try content())
    }
}

/// The edge that a ``Floating`` view stays at.
@Model public enum FloatingEdge: String, Hashable, Sendable {
    case top, bottom
}

/// Where a ``Floating`` view stays.
@Model public struct FloatingContent: Hashable, Sendable {
    /// The edge that the views stay at.
    public var edge: FloatingEdge = .bottom
    /// The distance from it, in lines of text, from 0 to 100.
    public var offset: Double = 0
}
