// Choosing other providers of services for those whose own requirements are not met.
//
// The rule: the first unmet node that is chosen for a service with another provider left is passed over, then all that
// depends on it is found again, until there is no such node. Finding again takes time for all components, so as many
// nodes as possible are passed over each time. That must not change which ones they are: a node that is the only
// provider left is chosen in the end, even though it is unmet, and its name is in the messages.
extension RequirementResolver {
    /// Passes over unmet nodes in the order of the rule, for as long as the choices so far do not affect it.
    ///
    /// When a consumer chooses another provider, only nodes that are further away from what is missing than both
    /// providers can change their places: the search reaches the consumer from one of the two. So nodes up to that
    /// distance are still in order. All this holds unless the choice could be part of a cycle.
    ///
    /// - Returns: Whether a node was passed over, so that the unmet nodes have to be found again.
    mutating func passOver(_ unmet: UnmetNodes, _ isOnCycle: [Bool]) -> Bool {
        var places = [Int?](repeating: nil, count: winners.count)
        var isQueued = [Bool](repeating: false, count: unmet.order.count)
        var queue = Heap<Int>()
        for (place, node) in unmet.order.enumerated() {
            places[node] = place
            guard isReplaceable(node) else { continue }
            isQueued[place] = true
            queue.insert(place)
        }
        var isAnyPassedOver = false
        // The distance up to which the order is still right.
        var horizon = Int.max
        while let place = queue.first, unmet.distances[unmet.order[place]] <= horizon {
            queue.removeFirst()
            isQueued[place] = false
            let node = unmet.order[place]
            // Meanwhile, it may have become the only provider that is left.
            guard isReplaceable(node) else { continue }
            isAnyPassedOver = true
            isPassedOver[node] = true
            for service in providers.services[node] { providersLeft[service] -= 1 }
            let moved = consumers[node]
            consumers[node] = []
            for demand in moved {
                chooseNext(for: demand)
                if demands[demand].isMandatory {
                    horizon = min(horizon, isOnCycle[demands[demand].number] ? -1 : unmet.distances[node])
                }
                guard let chosen = demands[demand].chosen else { continue }
                consumers[chosen].append(demand)
                guard let place = places[chosen] else { continue }
                if demands[demand].isMandatory { horizon = min(horizon, unmet.distances[chosen]) }
                guard !isQueued[place] else { continue }
                isQueued[place] = true
                queue.insert(place)
            }
        }
        return isAnyPassedOver
    }

    /// Returns whether a node is chosen for a service that has another provider left, compatible or not.
    private func isReplaceable(_ node: Int) -> Bool {
        !isPassedOver[node] && consumers[node].contains { providersLeft[demands[$0].number] > 1 }
    }

    /// Returns, for each service, whether a choice of its provider could be part of a cycle of requirements.
    func servicesOnCycles(_ targets: [[Target]]) -> [Bool] {
        // Each service is a node between those that require it and all that provide it.
        let count = winners.count
        var successors = [[Int]](repeating: [], count: count) + providers.nodes
        for node in winners.indices where !isInMemory(node) {
            for (requirement, target) in zip(requirements(node), targets[node]) where !requirement.isOptional {
                switch target {
                case .host, .missing: break
                case .node(let other): successors[node].append(other)
                case .demand(let demand): successors[node].append(count + demands[demand].number)
                }
            }
        }
        let group = Graph.stronglyConnectedGroups(successors)
        return providers.nodes.indices.map { service in
            providers.nodes[service].contains { group[$0] == group[count + service] }
        }
    }
}
