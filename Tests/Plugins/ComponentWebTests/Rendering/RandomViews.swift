import ComponentKit
import PageKit
import TestSupport

/// Makes views of all kinds at random, always the same for a seed. They are in each other in more ways than a page
/// accepts.
struct RandomViews {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func text() -> String { ["", "a", "<b>", "c\nd"][next(4)] }

    private mutating func title() -> String? { next(2) == 0 ? nil : text() }

    mutating func view(_ depth: Int = 0) -> ViewNode {
        let count = depth > 3 ? 0 : next(5)
        var children: [ViewNode] = []
        for _ in 0..<count { children.append(view(depth + 1)) }
        var node = leaf()
        if next(3) > 0 || depth == 0 { node = outer() }
        node.children = children
        // Two of the views may have the same key here.
        node.key = next(3) > 0 ? "\(next(6))" : ""
        let isForm = if case .form = node.content { true } else { false }
        if isForm || next(5) == 0 { node.action = action() }
        if next(8) == 0 { node.sideActions = [action()] }
        return node
    }

    private mutating func action() -> Action {
        [
            Action.refresh(), .show(page: "home"), .call("go", ["n": next(3).payload], title: "t"),
            .open("a://b", role: .destructive),
        ][next(4)]
    }

    private mutating func outer() -> ViewNode {
        let text = text()
        switch next(12) {
        case 0, 1: return List(title(), empty: title()) {}.node
        case 2:
            return Table(Array([TableColumn("a"), TableColumn("b", alignment: .trailing)].prefix(next(2) + 1))) {}.node
        case 3:
            let cells: [TableCell] = [TableCell(text, next(2) == 0 ? .plain : .code), .badge("–", .failure)]
            return TableRow(Array(cells.prefix(next(3)))).node
        case 4: return Row(text, detail: title(), badge: title(), tone: next(2) == 0 ? .neutral : .warning).node
        case 5: return Grid(columns: next(3) + 1) {}.node
        case 6:
            let card = Card(title(), subtitle: title()) {}
            return next(2) == 0 ? card.node : card.folded(next(2) == 0).node
        case 7: return Tabs {}.node
        case 8: return Tab(text) {}.node
        case 9: return Form(text, .refresh(), title: title()) {}.node
        case 10: return next(2) == 0 ? PageFrame(title: title()) {}.node : Floating(.top) {}.node
        default: return Stack(next(2) == 0 ? .vertical : .horizontal) {}.node
        }
    }

    private mutating func leaf() -> ViewNode {
        let text = text()
        switch next(11) {
        case 9: return Badge(text, Tone.allCases[next(Tone.allCases.count)]).node
        case 0: return Image(.resource("\(next(2))"), describing: text).node
        case 1: return Icon("home", label: text).node
        case 2: return Button(text, .refresh()).node
        case 3: return Field("\(next(3))", text, [.text, .toggle, .lines(longest: 3)][next(3)]).node
        case 4: return Stat(text, "\(next(3))").node
        case 5: return ProgressBar(text, fraction: next(2) == 0 ? nil : 0.5).node
        case 6: return Chart(.bar, title: text, labels: ["a"], [ChartSeries(name: "s", values: [Double(next(3))])]).node
        case 7: return Failure(text).node
        default: return Text(text, style: TextStyle.allCases[next(TextStyle.allCases.count)]).node
        }
    }

    /// The view with a few changes.
    mutating func changed(_ view: ViewNode, _ depth: Int = 0) -> ViewNode {
        var view = view
        for _ in 0...next(3) {
            let count = view.children.count
            switch next(9) {
            case 0: view.children.insert(self.view(3), at: next(count + 1))
            case 1 where count > 0: view.children.remove(at: next(count))
            case 2 where count > 0:
                let moved = view.children.remove(at: next(count))
                view.children.insert(moved, at: next(count))
            case 3: view.sideActions = [action()]
            case 4: view.action = action()
            case 5 where count > 1: view.children.reverse()
            case 6:
                // Another title or style, the same kind.
                let other = next(2) == 0 ? outer() : leaf()
                if other.content.kind == view.content.kind { view.content = other.content }
            default:
                guard count > 0, depth < 6 else { continue }
                let index = next(count)
                view.children[index] = changed(view.children[index], depth + 1)
            }
        }
        return view
    }
}
