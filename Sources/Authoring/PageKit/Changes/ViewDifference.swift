extension ViewPatch {
    /// Finds what has changed.
    ///
    /// - Parameters:
    ///   - old: the view that is shown.
    ///   - new: the view that is to be shown.
    public init(from old: ViewNode, to new: ViewNode) {
        var difference = ViewDifference()
        difference.compare(old, new)
        self.init(changes: difference.changes)
    }
}

/// Compares two views from the outermost one on.
private struct ViewDifference {
    var changes: [ViewChange] = []
    private var path: [Int] = []

    mutating func compare(_ old: ViewNode, _ new: ViewNode) {
        if !compareIfSame(ViewPair(old: [old], at: 0, new: [new], at: 0)) {
            changes.append(.replace(path: path, with: new))
        }
    }

    /// Compares two views if the new one is a later state of the old one.
    ///
    /// - Returns: False, without any change, if it is not.
    private mutating func compareIfSame(_ views: ViewPair) -> Bool {
        guard views.haveSameKey else { return false }
        let areEqual = views.haveEqualContent
        guard areEqual || views.haveSameKind else { return false }
        let count = changes.count
        if !areEqual || !views.haveEqualActions { changes.append(.update(path: path, to: views.new.withoutChildren)) }
        let (old, new) = (views.oldChildren, views.newChildren)
        // Most views have none.
        if !old.isEmpty || !new.isEmpty, !compareChildren(old, new) {
            changes.removeSubrange(count...)
            changes.append(.replace(path: path, with: views.new))
        }
        return true
    }

    /// Compares two views in others, of which the new one has an index.
    private mutating func compareIfSame(_ views: ViewPair, at index: Int) -> Bool {
        path.append(index)
        defer { path.removeLast() }
        return compareIfSame(views)
    }

    /// - Returns: False if so many views are to be moved that it is less work to send all of them; the changes that have
    ///   been added count for nothing then.
    private mutating func compareChildren(_ old: [ViewNode], _ new: [ViewNode]) -> Bool {
        // Most views are where they were.
        let fewest = min(old.count, new.count)
        var start = 0
        while start < fewest, compareIfSame(ViewPair(old: old, at: start, new: new, at: start), at: start) {
            start += 1
        }
        var end = 0
        while end < fewest - start,
            ViewPair(old: old, at: old.count - 1 - end, new: new, at: new.count - 1 - end).haveSameIdentity
        { end += 1 }
        let oldMiddle = old[start..<old.count - end]
        let newMiddle = new[start..<new.count - end]
        // The views that stay, by their places in the new list.
        var former: [Int?] = []
        if !oldMiddle.isEmpty || !newMiddle.isEmpty {
            guard let arranged = arrange(oldMiddle, newMiddle) else { return false }
            former = arranged
        }
        for index in start..<new.count {
            let match = index < new.count - end ? former[index - start] : index - new.count + old.count
            // What was inserted is complete.
            if let match, !compareIfSame(ViewPair(old: old, at: match, new: new, at: index), at: index) {
                changes.append(.replace(path: path + [index], with: new[index]))
            }
        }
        return true
    }

    /// How many views in another one are moved at most. Each move shifts those behind it.
    private static let moveLimit = 64

    /// Removes, inserts and moves views until those that have an identity in common are in their new places.
    ///
    /// - Returns: For each place in the middle of the new list, the index of the old view that is there now; nil if the
    ///   new one was inserted. Nil, without any change, if too many would have to be moved.
    private mutating func arrange(_ old: ArraySlice<ViewNode>, _ new: ArraySlice<ViewNode>) -> [Int?]? {
        let places = Dictionary(zip(identities(old), old.indices)) { first, _ in first }
        let former = identities(new).map { places[$0] }
        let kept = Set(former.compactMap(\.self))
        // The others are moved around the longest row of views that are in the right order already.
        let steady = Set(longestIncreasing(former.compactMap(\.self)))
        guard kept.count - steady.count <= ViewDifference.moveLimit else { return nil }
        for index in old.indices.reversed() where !kept.contains(index) {
            changes.append(.remove(path: path, index: index))
        }
        // What is there now, by the indices of the old views, from `start` on.
        let start = new.startIndex
        var current = old.indices.filter(kept.contains)
        // From the end, so that each goes in front of one that is in its place.
        var next: Int?
        for index in former.reversed().compactMap(\.self) {
            defer { next = index }
            guard !steady.contains(index), let from = current.firstIndex(of: index) else { continue }
            let place = next.flatMap { current.firstIndex(of: $0) } ?? current.count
            let to = from < place ? place - 1 : place
            guard from != to else { continue }
            current.insert(current.remove(at: from), at: to)
            changes.append(.move(path: path, from: start + from, to: start + to))
        }
        // From the beginning, so that each index counts when all before are there.
        for (offset, index) in former.enumerated() where index == nil {
            changes.append(.insert(path: path, index: start + offset, view: new[start + offset]))
        }
        return former
    }

    /// What a view is recognised by among its siblings: its kind and key, or its kind and how many of that kind without a
    /// key are before it.
    private struct Identity: Hashable {
        let kind: String
        let key: String
        let number: Int
    }

    private func identities(_ views: ArraySlice<ViewNode>) -> [Identity] {
        var counts: [String: Int] = [:]
        var keys: Set<String> = []
        return views.map { view in
            let kind = view.content.kind
            // A key that occurs twice is an error elsewhere; here, the second one counts as none.
            if !view.key.isEmpty, keys.insert(view.key).inserted {
                return Identity(kind: kind, key: view.key, number: -1)
            }
            counts[kind, default: 0] += 1
            return Identity(kind: kind, key: "", number: counts[kind] ?? 0)
        }
    }

    /// Returns the longest part of a list of different numbers that increases, without keeping them together.
    private func longestIncreasing(_ numbers: [Int]) -> [Int] {
        // For each length, the index of the smallest number that such a part can end with.
        var ends: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Int] = []
        var index = ends.last ?? -1
        while index >= 0 {
            result.append(numbers[index])
            index = previous[index]
        }
        return result
    }
}

/// Two views to be compared, by their places in lists: only the parts that are compared are copied, because a view is
/// large.
private struct ViewPair {
    private let oldViews: [ViewNode]
    private let newViews: [ViewNode]
    private let oldIndex: Int
    private let newIndex: Int

    @inline(__always)
    init(old oldViews: [ViewNode], at oldIndex: Int, new newViews: [ViewNode], at newIndex: Int) {
        (self.oldViews, self.oldIndex, self.newViews, self.newIndex) = (oldViews, oldIndex, newViews, newIndex)
    }

    var new: ViewNode { newViews[newIndex] }
    @inline(__always) var oldChildren: [ViewNode] { oldViews[oldIndex].children }
    @inline(__always) var newChildren: [ViewNode] { newViews[newIndex].children }

    @inline(__always) var haveSameKey: Bool { oldViews[oldIndex].key == newViews[newIndex].key }

    @inline(__always) var haveSameKind: Bool {
        oldViews[oldIndex].content.kind == newViews[newIndex].content.kind
    }

    /// Whether the new view is a later state of the old one.
    var haveSameIdentity: Bool { haveSameKey && haveSameKind }

    @inline(__always) var haveEqualContent: Bool { oldViews[oldIndex].content == newViews[newIndex].content }

    @inline(__always) var haveEqualActions: Bool {
        oldViews[oldIndex].action == newViews[newIndex].action
            && oldViews[oldIndex].sideActions == newViews[newIndex].sideActions
    }
}
