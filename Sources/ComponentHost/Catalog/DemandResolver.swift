/// Orders components by what they demand of each other, and finds those whose demands cannot be met.
///
/// Works on manifests alone. A node is the position of a component among those that stand for their names,
/// in ascending order, so that every choice below is the same on every run. Time and memory grow with the number of
/// components and demands, not faster.
struct DemandResolver {
    /// What came out, for each node.
    struct Resolution {
        /// Nodes that can be loaded, each after those it depends on, then the others.
        var order: [Int] = []
        var unmet: [Catalog.Entry.Unmet?]
        var limitations: [[Catalog.Entry.Limitation]]
        var dependencies: [[Int]]
    }

    /// What a demand leads to.
    private enum Target {
        case host
        case node(Int)
        case missing(String)
    }

    private let candidates: [Catalog.Candidate]
    private let winners: [Int]
    private let classOwners: [String: Int]
    private let hostClasses: Set<String>
    private var nodeOfName: [String: Int] = [:]

    /// - Parameters:
    ///   - candidates: what was found.
    ///   - selection: which of them to look at.
    ///   - hostClasses: those that need no component.
    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection, hostClasses: Set<String>) {
        self.candidates = candidates
        winners = selection.winners
        classOwners = selection.classOwners
        self.hostClasses = hostClasses
        nodeOfName.reserveCapacity(winners.count)
        for node in winners.indices { nodeOfName[name(node)] = node }
    }

    private func name(_ node: Int) -> String { candidates[winners[node]].manifest.name }

    private func demands(_ node: Int) -> [Requirement] { candidates[winners[node]].manifest.requires }

    func resolve() -> Resolution {
        let count = winners.count
        let targets = winners.indices.map { node in demands(node).map { target(of: $0, from: node) } }
        var resolution = Resolution(
            unmet: [Catalog.Entry.Unmet?](repeating: nil, count: count),
            limitations: [[Catalog.Entry.Limitation]](repeating: [], count: count),
            dependencies: [[Int]](repeating: [], count: count))
        findUnmet(targets, &resolution)
        addEdges(targets, &resolution)
        resolution.order = Graph.topologicalOrder(resolution.dependencies)
        let available = resolution.order.filter { resolution.unmet[$0] == nil }
        resolution.order = available + winners.indices.filter { resolution.unmet[$0] != nil }
        return resolution
    }

    private func target(of requirement: Requirement, from node: Int) -> Target {
        switch requirement.subject {
        case .component(let name, let range):
            guard let found = nodeOfName[name] else { return .missing("no component \(name) was found") }
            let version = candidates[winners[found]].manifest.version
            guard range.contains(version) else {
                return .missing("\(name) is there in version \(version), \(range) is required")
            }
            return found == node ? .host : .node(found)
        case .linkClass(let name):
            if hostClasses.contains(name) { return .host }
            guard let found = classOwners[name] else {
                return .missing("neither the host nor a component has the class \(name)")
            }
            return found == node ? .host : .node(found)
        }
    }

    /// Missing requirements first, then cycles of requirements, then all that requires one of those.
    private func findUnmet(_ targets: [[Target]], _ resolution: inout Resolution) {
        var required = [[Int]](repeating: [], count: winners.count)
        for node in winners.indices {
            for (requirement, target) in zip(demands(node), targets[node]) where !requirement.isOptional {
                switch target {
                case .host: break
                case .node(let other): required[node].append(other)
                case .missing(let reason):
                    guard resolution.unmet[node] == nil else { continue }
                    resolution.unmet[node] = Catalog.Entry.Unmet(
                        path: [name(node), requirement.name], reason: reason)
                }
            }
        }
        for cycle in Graph.cycles(required) {
            for (offset, node) in cycle.enumerated() where resolution.unmet[node] == nil {
                let around = cycle[offset...] + cycle[...offset]
                resolution.unmet[node] = Catalog.Entry.Unmet(
                    path: shortened(around.map(name)),
                    reason: "they require each other, so none can be first; make one of these demands optional")
            }
        }
        var dependents = [[Int]](repeating: [], count: winners.count)
        for (node, others) in required.enumerated() { for other in others { dependents[other].append(node) } }
        var queue = winners.indices.filter { resolution.unmet[$0] != nil }
        var next = 0
        while next < queue.count {
            let node = queue[next]
            next += 1
            guard let unmet = resolution.unmet[node] else { continue }
            for dependent in dependents[node] where resolution.unmet[dependent] == nil {
                resolution.unmet[dependent] = Catalog.Entry.Unmet(
                    path: shortened([name(dependent)] + unmet.path), reason: unmet.reason)
                queue.append(dependent)
            }
        }
    }

    /// Which available components come before which. Optional demands that lie on a cycle are left out:
    /// the component finds the other when it calls it.
    private func addEdges(_ targets: [[Target]], _ resolution: inout Resolution) {
        var all = [[Int]](repeating: [], count: winners.count)
        for node in winners.indices where resolution.unmet[node] == nil {
            for (requirement, target) in zip(demands(node), targets[node]) {
                switch target {
                case .host: break
                case .node(let other):
                    if let unmet = resolution.unmet[other] {
                        resolution.limitations[node].append(
                            Catalog.Entry.Limitation(requirement: requirement, reason: unmet.message))
                    } else {
                        all[node].append(other)
                    }
                case .missing(let reason):
                    resolution.limitations[node].append(
                        Catalog.Entry.Limitation(requirement: requirement, reason: reason))
                }
            }
        }
        let group = Graph.stronglyConnectedGroups(all)
        for node in winners.indices where resolution.unmet[node] == nil {
            for (requirement, target) in zip(demands(node), targets[node]) {
                guard case .node(let other) = target, resolution.unmet[other] == nil else { continue }
                if requirement.isOptional && group[node] == group[other] {
                    resolution.limitations[node].append(
                        Catalog.Entry.Limitation(
                            requirement: requirement,
                            reason: "\(name(other)) needs \(name(node)) in turn,"
                                + " so it is not loaded before it"))
                } else {
                    resolution.dependencies[node].append(other)
                }
            }
        }
    }

    /// Long paths keep their two ends: one for each component of a long chain would take memory without measure.
    private func shortened(_ path: [String]) -> [String] {
        path.count <= 16 ? path : path.prefix(8) + ["…"] + path.suffix(7)
    }
}
