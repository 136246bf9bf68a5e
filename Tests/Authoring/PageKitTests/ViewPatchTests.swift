import ComponentKit
import PageKit
import TestSupport
import Testing

@Suite("The difference between two views")
struct ViewPatchTests {
    /// Rows with these keys.
    private static func rows(_ keys: some Sequence<Int>, changed: Int? = nil) -> ViewNode {
        List(keys) { key in Row(key == changed ? "new" : "row \(key)").key(key) }.node
    }

    @Test("one row of a thousand that has changed is one change with that row")
    func oneRow() throws {
        let patch = ViewPatch(from: Self.rows(0..<1000), to: Self.rows(0..<1000, changed: 500))
        #expect(patch.changes == [.update(path: [500], to: Row("new").key(500).node)])
        let json = try patch.payload.json()
        let row = try Row("new").key(500).node.payload.json()
        #expect(json.utf8.count < row.utf8.count + 60, "\(json)")
    }

    @Test(
        "rows with keys are added, removed and moved with as few changes as possible",
        arguments: [
            (Array(0..<10), Array(0..<10), 0), (Array(0..<10), Array(0..<11), 1), ([1, 2, 3], [0, 1, 2, 3], 1),
            ([1, 2, 3, 4, 5], [1, 2, 4, 5], 1), ([1, 2, 3, 4, 5], [5, 1, 2, 3, 4], 1),
            ([1, 2, 3, 4, 5], [2, 3, 4, 5, 1], 1), ([1, 2, 3, 4], [4, 3, 2, 1], 3), ([], [1, 2], 2),
            ([1, 2], [], 2), ([1, 2, 3], [4, 5, 6], 6), ([1, 2, 3, 4, 5, 6], [1, 6, 3, 7, 5, 2], 4),
        ])
    func fewest(old: [Int], new: [Int], count: Int) throws {
        var view = Self.rows(old)
        let patch = ViewPatch(from: view, to: Self.rows(new))
        #expect(patch.changes.count == count, "\(patch.changes)")
        try view.apply(patch)
        #expect(view == Self.rows(new))
        #expect(patch.isEmpty == (count == 0))
    }

    @Test("a view of another kind or with another key takes the place of the former one")
    func replaced() {
        let old = Stack { Text("a").key("x") }.node
        #expect(
            ViewPatch(from: old, to: Card { Text("a").key("x") }.node).changes == [
                .replace(path: [], with: Card { Text("a").key("x") }.node)
            ])
        #expect(
            ViewPatch(from: old, to: Stack { Text("a").key("y") }.node).changes == [
                .remove(path: [], index: 0), .insert(path: [], index: 0, view: Text("a").key("y").node),
            ])
    }

    @Test("what a view shows may change while the views in it stay")
    func shallow() throws {
        var view = Card("old") { Self.rows(0..<3) }.node
        let new = Card("new") { Self.rows(0..<3, changed: 1) }.action(.refresh()).node
        let patch = ViewPatch(from: view, to: new)
        #expect(patch.changes.count == 2)
        try view.apply(patch)
        #expect(view == new)
    }

    @Test("for any two views, the patch from the one to the other makes the one the other", arguments: 0..<8)
    func law(seed: UInt64) throws {
        var random = RandomViews(seed: seed)
        for _ in 0..<300 {
            let old = random.view()
            let new = random.isRelated() ? random.changed(old) : random.view()
            let patch = ViewPatch(from: old, to: new)
            var view = old
            try view.apply(patch)
            #expect(view == new)
            #expect(patch.isEmpty == (old == new))
            #expect(ViewPatch(from: new, to: new).isEmpty)
            // It travels.
            #expect(try patch.payload.value() == patch)
        }
    }

    @Test("a patch of another view is refused, and changes nothing")
    func foreign() throws {
        let wrong: [ViewChange] = [
            .replace(path: [3], with: Text("x").node), .update(path: [0, 0], to: Text("x").node),
            .update(path: [], to: Self.rows(0..<1)), .insert(path: [], index: 4, view: Text("x").node),
            .insert(path: [], index: -1, view: Text("x").node), .remove(path: [], index: 3),
            .remove(path: [-1], index: 0), .move(path: [], from: 0, to: 3), .move(path: [], from: Int.max, to: 0),
        ]
        for change in wrong {
            var view = Self.rows(0..<3)
            let patch = ViewPatch(
                changes: [.remove(path: [], index: 0), .insert(path: [], index: 0, view: Text("y").node), change])
            let error = #expect(throws: ViewPatchError.self) { try view.apply(patch) }
            #expect(error?.change == 2)
            #expect(view == Self.rows(0..<3))
        }
    }

    @Test("ten thousand rows in reverse order are sent anew")
    func reversed() {
        let new = Self.rows((0..<10_000).reversed())
        let patch = ViewPatch(from: Self.rows(0..<10_000), to: new)
        #expect(patch.changes == [.replace(path: [], with: new)])
    }
}

/// Makes views at random, always the same for a seed.
private struct RandomViews {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func next(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func isRelated() -> Bool { next(4) > 0 }

    mutating func view(_ depth: Int = 0) -> ViewNode {
        let count = depth > 3 ? 0 : next(7)
        var children: [ViewNode] = []
        for _ in 0..<count { children.append(view(depth + 1)) }
        var node: ViewNode
        switch next(4) {
        case 0: node = Text("\(next(3))").node
        case 1: node = Card("\(next(3))") {}.node
        case 2: node = Row("\(next(3))").node
        default: node = Stack {}.node
        }
        node.children = children
        // Keys may occur twice here, although the check refuses that.
        if next(3) > 0 { node.key = "\(next(6))" }
        if next(6) == 0 { node.action = .refresh() }
        return node
    }

    /// The view with a few changes.
    mutating func changed(_ view: ViewNode) -> ViewNode {
        var view = view
        for _ in 0...next(3) {
            switch next(6) {
            case 0: view.children.insert(self.view(3), at: next(view.children.count + 1))
            case 1 where !view.children.isEmpty: view.children.remove(at: next(view.children.count))
            case 2 where !view.children.isEmpty:
                let moved = view.children.remove(at: next(view.children.count))
                view.children.insert(moved, at: next(view.children.count + 1))
            case 3: view.sideActions = [.show(page: "\(next(2))")]
            default:
                guard !view.children.isEmpty else { continue }
                let index = next(view.children.count)
                view.children[index] = changed(view.children[index])
            }
        }
        return view
    }
}
