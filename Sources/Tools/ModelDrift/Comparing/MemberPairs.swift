import SystemSupport

/// Finds the members that two copies have in common.
struct MemberPairs {
    /// The indices of the same member in both lists, in the order of the first list.
    private(set) var common: [(Int, Int)] = []
    /// The indices of members that only the first list has.
    private(set) var extra: [Int] = []
    /// The indices of members that only the second list has.
    private(set) var missing: [Int] = []

    init(_ members: [Member], _ others: [Member]) {
        var indices: [String: Int] = [:]
        for (index, member) in others.enumerated() {
            if let alias = member.alias, indices[alias] == nil { indices[alias] = index }
        }
        for (index, member) in others.enumerated() { indices[member.name] = index }
        var found: Set<Int> = []
        for (index, member) in members.enumerated() {
            let candidates = [indices[member.name], member.alias.flatMap { indices[$0] }].compactMap(\.self)
            if let other = candidates.first(where: { !found.contains($0) }) {
                found.insert(other)
                common.append((index, other))
            } else {
                extra.append(index)
            }
        }
        missing = others.indices.filter { !found.contains($0) }
    }

    /// The positions in `common` of the fewest members that would have to move to make the order the same.
    var moved: [Int] {
        // The longest increasing subsequence stays where it is.
        var ends: [Int] = []
        var previous: [Int?] = []
        for position in common.indices {
            let low = ends.partitioningIndex { common[$0].1 >= common[position].1 }
            previous.append(low > 0 ? ends[low - 1] : nil)
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var staying: Set<Int> = []
        var next = ends.last
        while let position = next {
            staying.insert(position)
            next = previous[position]
        }
        return common.indices.filter { !staying.contains($0) }
    }
}
