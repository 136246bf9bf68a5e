/// Which items of two lists belong together: those of one name, and those that may have been renamed.
struct Names<Item> {
    private let offered: [String: Item]
    private var newNames: [String: Item] = [:]
    /// What only the second list has, in its order, renamed ones left out.
    private(set) var added: [Item] = []
    private let name: (Item) -> String

    /// With more on either side nobody is told what may have been renamed: every pair would be looked at.
    private static var maximumRenamed: Int { 64 }

    /// - Parameter isAlike: whether one may be the other under a new name. Only where there is one of each it is
    ///   taken for renamed.
    init(
        _ expected: [Item], _ offered: [Item], name: @escaping (Item) -> String, isAlike: (Item, Item) -> Bool
    ) {
        self.name = name
        self.offered = Dictionary(offered.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
        let expectedNames = Set(expected.map(name))
        let removed = expected.filter { self.offered[name($0)] == nil }
        let all = offered.filter { !expectedNames.contains(name($0)) }
        var taken: Set<String> = []
        let isFew = removed.count <= Names.maximumRenamed && all.count <= Names.maximumRenamed
        for item in removed where isFew {
            let alike = all.filter { isAlike(item, $0) }
            let rivals = removed.filter { other in alike.first.map { isAlike(other, $0) } ?? false }
            guard alike.count == 1, rivals.count == 1 else { continue }
            newNames[name(item)] = alike[0]
            taken.insert(name(alike[0]))
        }
        added = all.filter { !taken.contains(name($0)) }
    }

    func same(_ item: Item) -> Item? { offered[name(item)] }
    func renamed(_ item: Item) -> Item? { newNames[name(item)] }
}
