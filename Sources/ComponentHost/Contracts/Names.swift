/// Which items of two lists belong together: those of one name, and those that may have been renamed.
struct Names<Item> {
    private let offered: [String: Item]
    private var newNames: [String: Item] = [:]
    /// What only the second list has, in its order, renamed ones left out.
    private(set) var added: [Item] = []
    private let name: (Item) -> String

    /// - Parameter likeness: equal for two of which one may be the other under a new name; nil for one that is like
    ///   no other. Only where there is one of each it is taken for renamed. Asked once for each item that only one
    ///   list has.
    init<Likeness: Hashable>(
        _ expected: [Item], _ offered: [Item], name: @escaping (Item) -> String, likeness: (Item) -> Likeness?
    ) {
        self.name = name
        self.offered = Dictionary(offered.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        let expectedNames = Set(expected.map(name))
        let removed = expected.filter { self.offered[name($0)] == nil }
        let all = offered.filter { !expectedNames.contains(name($0)) }
        var taken: Set<String> = []
        if !removed.isEmpty, !all.isEmpty {
            let rivals = Names.grouped(removed, likeness)
            let alike = Names.grouped(all, likeness)
            for (key, items) in rivals {
                guard items.count == 1, let other = alike[key], other.count == 1 else { continue }
                newNames[name(items[0])] = other[0]
                taken.insert(name(other[0]))
            }
        }
        added = all.filter { !taken.contains(name($0)) }
    }

    private static func grouped<Likeness: Hashable>(
        _ items: [Item], _ likeness: (Item) -> Likeness?
    ) -> [Likeness: [Item]] {
        var groups: [Likeness: [Item]] = [:]
        for item in items {
            if let key = likeness(item) { groups[key, default: []].append(item) }
        }
        return groups
    }

    func same(_ item: Item) -> Item? { offered[name(item)] }
    func renamed(_ item: Item) -> Item? { newNames[name(item)] }
}
