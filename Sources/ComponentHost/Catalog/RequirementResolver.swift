import SystemSupport

/// Orders components by their requirements, and finds those whose requirements cannot be met.
///
/// The resolver works on manifests alone. A node is the position of a component among the active versions, in ascending
/// order of names, so every run makes the same choices. Time and memory grow no faster than the number of components
/// and requirements.
struct RequirementResolver {
    /// The result for each node.
    struct Resolution {
        /// The nodes that can be loaded, each after its dependencies, followed by the others.
        var order: [Int] = []
        var unmet: [Catalog.Entry.Unmet?]
        var limitations: [[Catalog.Entry.Limitation]]
        var dependencies: [[Int]]
    }

    /// The outcome of looking up a requirement.
    enum Target {
        case host
        case node(Int)
        case missing(String)
    }

    /// Why components on a cycle cannot be loaded.
    static let cycle = "the requirements form a cycle; make one of them optional"
    /// The end of the reason why an optional requirement does not decide the order of loading.
    static let notFirst = ", so it is not loaded first"

    let candidates: [Catalog.Candidate]
    let winners: [Int]
    private let classOwners: [ExactText: Int]
    let host: HostDeclaration
    let providers: ServiceProviders
    private var nodeOfName: [String: Int] = [:]
    /// Nodes that are not chosen for a service while another provider is left, because their own requirements are not
    /// met.
    var passedOver: Set<Int> = []
    /// Cached results of comparisons, because choices may be made several times.
    var differences: [ServicePair: String?] = [:]

    /// A service that one node requires and another provides; the host is node -1.
    struct ServicePair: Hashable {
        var service: String
        var consumer: Int
        var provider: Int
    }

    /// - Parameters:
    ///   - candidates: The components that were found.
    ///   - selection: The active versions among them.
    ///   - host: The classes and services of the host, which need no component.
    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection, host: HostDeclaration) {
        self.candidates = candidates
        winners = selection.winners
        classOwners = selection.classOwners
        self.host = host
        providers = ServiceProviders(candidates, selection)
        nodeOfName.reserveCapacity(winners.count)
        for node in winners.indices { nodeOfName[name(node)] = node }
    }

    func name(_ node: Int) -> String { candidates[winners[node]].manifest.name }

    func requirements(_ node: Int) -> [Requirement] { candidates[winners[node]].manifest.requires }

    /// Whether the component already runs, so unmet requirements cannot keep it from being loaded.
    private func isInMemory(_ node: Int) -> Bool { candidates[winners[node]].isInMemory }

    mutating func resolve() -> Resolution {
        let count = winners.count
        var targets: [[Target]] = []
        var resolution: Resolution
        var isFinal = false
        repeat {
            targets = []
            for node in winners.indices {
                var own: [Target] = []
                for requirement in requirements(node) { own.append(target(of: requirement, from: node)) }
                targets.append(own)
            }
            resolution = Resolution(
                unmet: [Catalog.Entry.Unmet?](repeating: nil, count: count),
                limitations: [[Catalog.Entry.Limitation]](repeating: [], count: count),
                dependencies: [[Int]](repeating: [], count: count))
            let order = findUnmet(targets, &resolution)
            isFinal = !passOver(order, targets)
        } while !isFinal
        addEdges(targets, &resolution)
        resolution.order = Graph.topologicalOrder(resolution.dependencies)
        let available = resolution.order.filter { resolution.unmet[$0] == nil }
        resolution.order = available + winners.indices.filter { resolution.unmet[$0] != nil }
        return resolution
    }

    private mutating func target(of requirement: Requirement, from node: Int) -> Target {
        switch requirement.subject {
        case .component(let name, let range):
            guard let found = nodeOfName[name] else { return .missing("no component \(name) was found") }
            let version = candidates[winners[found]].manifest.version
            guard range.contains(version) else {
                return .missing("found \(name) \(version), but \(range) is required")
            }
            return found == node ? .host : .node(found)
        case .linkClass(let name, let selectors):
            if let provided = host.classDeclaration(name) {
                return lacking(selectors, provided, of: "the host").map(Target.missing) ?? .host
            }
            guard let found = classOwners[ExactText(name)] else {
                return .missing("neither the host nor a component has the class \(name)")
            }
            if let declaration = candidates[winners[found]].manifest.classDeclaration(name),
                let reason = lacking(selectors, declaration, of: self.name(found))
            {
                return .missing(reason)
            }
            return found == node ? .host : .node(found)
        case .service(let name): return provider(of: name, for: node)
        }
    }

    /// Finds the nodes that cannot be loaded: first those with missing requirements, then those on cycles, then all
    /// that require one of those.
    ///
    /// - Returns: The unmet nodes, each after the nodes that cause it to be unmet.
    private func findUnmet(_ targets: [[Target]], _ resolution: inout Resolution) -> [Int] {
        var required = [[Int]](repeating: [], count: winners.count)
        for node in winners.indices where !isInMemory(node) {
            for (requirement, target) in zip(requirements(node), targets[node]) where !requirement.isOptional {
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
                    reason: RequirementResolver.cycle)
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
        for node in queue { addOthers(node, targets[node], &resolution) }
        return queue
    }

    /// Adds the unmet requirements of a node that its first reason does not cover.
    private func addOthers(_ node: Int, _ targets: [Target], _ resolution: inout Resolution) {
        guard let first = resolution.unmet[node] else { return }
        var others: [Catalog.Entry.Unmet] = []
        var said: Set<String> = []
        for (requirement, target) in zip(requirements(node), targets) where !requirement.isOptional {
            switch target {
            case .host: break
            case .missing(let reason):
                guard first.reason != reason, said.insert(reason).inserted else { continue }
                others.append(Catalog.Entry.Unmet(path: [name(node), requirement.name], reason: reason))
            case .node(let other):
                guard let unmet = resolution.unmet[other], first.path.dropFirst().first != name(other),
                    said.insert(name(other)).inserted
                else { continue }
                others.append(
                    Catalog.Entry.Unmet(path: shortened([name(node)] + unmet.path), reason: unmet.reason))
            }
        }
        resolution.unmet[node]?.others = others
    }

    /// Adds the loading order between available components. An optional requirement on a cycle does not count, because
    /// the component looks up the required one only when it calls it. Nor does any requirement on a cycle count if its
    /// component already runs.
    private func addEdges(_ targets: [[Target]], _ resolution: inout Resolution) {
        var all = [[Int]](repeating: [], count: winners.count)
        for node in winners.indices where resolution.unmet[node] == nil {
            for (requirement, target) in zip(requirements(node), targets[node]) {
                switch target {
                case .host: break
                case .node(let other):
                    if let unmet = resolution.unmet[other] {
                        resolution.limitations[node].append(
                            Catalog.Entry.Limitation(requirement: requirement, reason: unmet.message))
                    } else if requirement.isOrdering {
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
            for (requirement, target) in zip(requirements(node), targets[node]) {
                guard requirement.isOrdering, case .node(let other) = target, resolution.unmet[other] == nil else {
                    continue
                }
                let isOnCycle = group[node] == group[other]
                if isOnCycle && isInMemory(node) { continue }
                if requirement.isOptional && isOnCycle {
                    resolution.limitations[node].append(
                        Catalog.Entry.Limitation(
                            requirement: requirement,
                            reason: "\(name(other)) also requires \(name(node))" + RequirementResolver.notFirst))
                } else {
                    resolution.dependencies[node].append(other)
                }
            }
        }
    }

    /// Shortens a long path to its two ends. Full paths for every component of a long chain would take quadratic
    /// memory.
    private func shortened(_ path: [String]) -> [String] {
        path.count <= 16 ? path : path.prefix(8) + ["…"] + path.suffix(7)
    }
}

extension Requirement {
    /// Whether the required component is loaded first. Optional services are looked up when they are used.
    var isOrdering: Bool {
        if case .service = subject { !isOptional } else { true }
    }
}
