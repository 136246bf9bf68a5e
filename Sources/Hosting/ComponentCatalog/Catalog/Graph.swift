/// Algorithms on a directed graph, given as the successors of each node. None of them is recursive, because a
/// chain of requirements can be as long as the number of components.
enum Graph {
    /// Returns the strongly connected group of each node. Two nodes have the same group if and only if they are on a
    /// common cycle. (Tarjan, 1972.)
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

    /// Returns one cycle for each group of more than one node: a shortest cycle through the group's first node. An edge
    /// from a node to itself does not count as a cycle.
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

    /// Returns all nodes of an acyclic graph, each after its successors. Nodes are visited in ascending order, so the
    /// result is deterministic.
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
