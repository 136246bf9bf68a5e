public import ComponentKit

/// The content of a view, without the views in it. Renderers switch over this type.
@Model public indirect enum ViewContent: Hashable, Sendable {
    case text(TextContent)
    case badge(BadgeContent)
    case image(ImageContent)
    case icon(IconContent)
    case hyperlink(HyperlinkContent)
    case button(ButtonContent)
    case list(ListContent)
    case row(RowContent)
    case table(TableContent)
    case tableRow(TableRowContent)
    case grid(GridContent)
    case card(CardContent)
    case stack(StackContent)
    case tabs
    case tab(TabContent)
    case floating(FloatingContent)
    case form(FormContent)
    case field(FieldContent)
    case progress(ProgressContent)
    case stat(StatContent)
    case chart(ChartContent)
    case player(PlayerContent)
    case placeholder(PlaceholderContent)
    case failure(FailureContent)
    case frame(FrameContent)

    /// The kind of the view, such as "row", which names it in messages.
    public var kind: String {
        switch self {
        case .text: "text"
        case .badge: "badge"
        case .image: "image"
        case .icon: "icon"
        case .hyperlink: "hyperlink"
        case .button: "button"
        case .list: "list"
        case .row: "row"
        case .table: "table"
        case .tableRow: "tableRow"
        case .grid: "grid"
        case .card: "card"
        case .stack: "stack"
        case .tabs: "tabs"
        case .tab: "tab"
        case .floating: "floating"
        case .form: "form"
        case .field: "field"
        case .progress: "progress"
        case .stat: "stat"
        case .chart: "chart"
        case .player: "player"
        case .placeholder: "placeholder"
        case .failure: "failure"
        case .frame: "frame"
        }
    }
}
