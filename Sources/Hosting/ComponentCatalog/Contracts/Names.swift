import SystemSupport

/// Pairs the items of two lists: items with the same name, and items that may have been renamed.
struct Names<Item> {
    private let offered: [ExactText: Item]
    private var newNames: [ExactText: Item] = [:]
    /// The items that only the second list has, in its order, without those that may have been renamed.
    private(set) var added: [Item] = []
    private let name: (Item) -> ExactText

    /// - Parameter likeness: Returns a value that is equal for two items that may be the same under different names;
    ///   nil for an item that cannot have been renamed. Two items count as renamed only if each list has exactly one
    ///   with that value. Called once for each item that only one list has.
    init<Likeness: Hashable>(
        _ expected: [Item], _ offered: [Item], name: @escaping (Item) -> String, likeness: (Item) -> Likeness?
    ) {
        let name = { (item: Item) in ExactText(name(item)) }
        self.name = name
        self.offered = Dictionary(firstOf: offered.map { (name($0), $0) })
        let expectedNames = Set(expected.map(name))
        let removed = expected.filter { self.offered[name($0)] == nil }
        let all = offered.filter { !expectedNames.contains(name($0)) }
        var taken: Set<ExactText> = []
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
