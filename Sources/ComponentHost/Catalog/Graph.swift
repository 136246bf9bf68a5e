/// What the resolver needs to know about a directed graph, given as the successors of each node. Nothing
/// here recurses: a chain of requirements may be as long as there are components.
enum Graph {
    /// The strongly connected group of each node: equal for nodes that lie on a common cycle, and only
    /// for those. (Tarjan, 1972.)
    static func stronglyConnectedGroups(_ successors: [[Int]]) -> [Int] {
        let count = successors.count
        var group = [Int](repeating: -1, count: count)
        var index = [Int](repeating: -1, count: count)
        var low = [Int](repeating: 0, count: count)
        var open: [Int] = []
        var visits: [(node: Int, edge: Int)] = []
        var nextIndex = 0
        for start in 0..<count where index[start] < 0 {
            visits.append((start, 0))
            while let (node, edge) = visits.last {
                if edge == 0 {
                    index[node] = nextIndex
                    low[node] = nextIndex
                    nextIndex += 1
                    open.append(node)
                }
                if edge < successors[node].count {
                    visits[visits.count - 1].edge += 1
                    let next = successors[node][edge]
                    if index[next] < 0 {
                        visits.append((next, 0))
                    } else if group[next] < 0 {
                        low[node] = min(low[node], index[next])
                    }
                    continue
                }
                visits.removeLast()
                if let parent = visits.last { low[parent.node] = min(low[parent.node], low[node]) }
                if low[node] == index[node] {
                    while let member = open.popLast() {
                        group[member] = node
                        if member == node { break }
                    }
                }
            }
        }
        return group
    }

    /// One cycle, a shortest one of its first node, for each group of more than one node. An edge from a
    /// node to itself is none.
    static func cycles(_ successors: [[Int]]) -> [[Int]] {
        let group = stronglyConnectedGroups(successors)
        var seen = Set<Int>()
        var cycles: [[Int]] = []
        var cameFrom = [Int](repeating: -1, count: successors.count)
        for start in successors.indices where seen.insert(group[start]).inserted {
            var queue = [start]
            var next = 0
            search: while next < queue.count {
                let node = queue[next]
                next += 1
                for other in successors[node] where group[other] == group[start] && other != node {
                    if other == start {
                        var cycle: [Int] = []
                        var step = node
                        while step != start {
                            cycle.append(step)
                            step = cameFrom[step]
                        }
                        cycles.append([start] + cycle.reversed())
                        break search
                    }
                    if cameFrom[other] < 0 {
                        cameFrom[other] = node
                        queue.append(other)
                    }
                }
            }
        }
        return cycles
    }

    /// All nodes of a graph without cycles, each after its successors, otherwise in their own order.
    static func topologicalOrder(_ successors: [[Int]]) -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(successors.count)
        var isVisited = [Bool](repeating: false, count: successors.count)
        var visits: [(node: Int, remaining: ArraySlice<Int>)] = []
        for start in successors.indices where !isVisited[start] {
            isVisited[start] = true
            visits.append((start, successors[start].sorted()[...]))
            while let last = visits.indices.last {
                if let next = visits[last].remaining.popFirst() {
                    guard !isVisited[next] else { continue }
                    isVisited[next] = true
                    visits.append((next, successors[next].sorted()[...]))
                } else {
                    order.append(visits[last].node)
                    visits.removeLast()
                }
            }
        }
        return order
    }
}
