/// The components whose requirements are not met, and what causes that.
///
/// They are found again whenever providers of services have been passed over, so nothing here makes text: the
/// sentences are made once, from the causes that are found last.
struct UnmetNodes {
    /// The first reason that was found for a node.
    enum Cause {
        /// Nothing meets a requirement: its name, and a sentence that says why.
        case missing(String, reason: String)
        /// The node is on a cycle, at this position.
        case cycle([Int], position: Int)
        /// The node requires another one that is unmet.
        case node(Int)
    }

    /// The unmet nodes, each after the nodes that cause it to be unmet: first those with missing requirements and those
    /// on cycles, in ascending order, then all others, nearest first.
    private(set) var order: [Int] = []
    /// The cause for each node; nil if its requirements are met.
    private(set) var causes: [Cause?]
    /// For each unmet node, how many requirements it is away from a missing one or from a cycle.
    private(set) var distances: [Int]

    /// - Parameters:
    ///   - required: For each node, the nodes that must be available.
    ///   - missing: The cause for each node with a requirement that nothing meets.
    init(required: [[Int]], missing: [Cause?]) {
        causes = missing
        distances = [Int](repeating: 0, count: required.count)
        for cycle in Graph.cycles(required) {
            for (position, node) in cycle.enumerated() where causes[node] == nil {
                causes[node] = .cycle(cycle, position: position)
            }
        }
        var dependents = [[Int]](repeating: [], count: required.count)
        for (node, others) in required.enumerated() { for other in others { dependents[other].append(node) } }
        order = required.indices.filter { causes[$0] != nil }
        var next = 0
        while next < order.count {
            let node = order[next]
            next += 1
            for dependent in dependents[node] where causes[dependent] == nil {
                causes[dependent] = .node(node)
                distances[dependent] = distances[node] + 1
                order.append(dependent)
            }
        }
    }
}
