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
        guard old.hasIdentity(of: new) else { return changes.append(.replace(path: path, with: new)) }
        let count = changes.count
        if !old.isShallowlyEqual(to: new) { changes.append(.update(path: path, to: new.withoutChildren)) }
        if !compareChildren(old.children, new.children) {
            changes.removeSubrange(count...)
            changes.append(.replace(path: path, with: new))
        }
    }

    /// - Returns: False, without any change, if so many views are to be moved that it is less work to send all of them.
    private mutating func compareChildren(_ old: [ViewNode], _ new: [ViewNode]) -> Bool {
        // Most views are where they were.
        var start = 0
        while start < min(old.count, new.count), old[start].hasIdentity(of: new[start]) { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start,
            old[old.count - 1 - end].hasIdentity(of: new[new.count - 1 - end])
        { end += 1 }
        let oldMiddle = old[start..<old.count - end]
        let newMiddle = new[start..<new.count - end]
        // The views that stay, by their places in the new list.
        var former = [Int?](repeating: nil, count: newMiddle.count)
        if !oldMiddle.isEmpty || !newMiddle.isEmpty {
            guard let arranged = arrange(oldMiddle, newMiddle) else { return false }
            former = arranged
        }
        for (index, node) in new.enumerated() {
            let match: ViewNode? =
                if index < start {
                    old[index]
                } else if index >= new.count - end {
                    old[index - new.count + old.count]
                } else {
                    former[index - start].map { old[$0] }
                }
            // What was inserted is complete.
            guard let match else { continue }
            path.append(index)
            compare(match, node)
            path.removeLast()
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

extension ViewNode {
    /// Whether another view is a later state of this one.
    fileprivate func hasIdentity(of other: ViewNode) -> Bool {
        key == other.key && content.kind == other.content.kind
    }
}
