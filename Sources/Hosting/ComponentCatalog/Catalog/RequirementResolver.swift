import ManifestRules
import SystemSupport

/// Orders components by their requirements, and finds those whose requirements cannot be met.
///
/// The resolver works on manifests alone. A node is the position of a component among the active versions, in ascending
/// order of names, so every run makes the same choices. Time and memory grow no faster than the number of components
/// and requirements, except that a component which was compiled against a service is compared with one provider after
/// the other, until one fits whose own requirements are met.
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
    private enum Target {
        case host
        case node(Int)
        case missing(String)
        /// A component that is still to be chosen.
        case demand(Int)
    }

    private let candidates: [Catalog.Candidate]
    private let winners: [Int]
    private let classOwners: [ExactText: Int]
    private let host: HostDeclaration
    private let disabled: DisabledCandidates
    private let providers: ServiceProviders
    private var nodeOfName: [String: Int] = [:]
    /// The services that components require and other components provide.
    private var demands: [Demand] = []
    /// What meets the requirements of services that have been looked up.
    private var knownDemands: [DemandKey: Target] = [:]
    /// For each node, the demands for which it is chosen.
    private var consumers: [[Int]]
    /// Whether each node is not chosen for a service while another provider is left, because its own requirements are
    /// not met.
    private var isPassedOver: [Bool]
    /// For each service, the number of providers that have not been passed over.
    private var providersLeft: [Int]
    /// How many names may still be compared with all others, for the reasons of missing requirements.
    private var hintsLeft = 100
    /// How often the unmet nodes were found, and how often a provider was compared with a consumer; for tests.
    private(set) var searches = 0
    private(set) var comparisons = 0

    /// - Parameters:
    ///   - candidates: The components that were found.
    ///   - selection: The active versions among them.
    ///   - host: The classes and services of the host, which need no component.
    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection, host: HostDeclaration) {
        self.candidates = candidates
        winners = selection.winners
        classOwners = selection.classOwners
        self.host = host
        disabled = DisabledCandidates(candidates, selection)
        providers = ServiceProviders(candidates, selection)
        consumers = [[Int]](repeating: [], count: selection.winners.count)
        isPassedOver = [Bool](repeating: false, count: selection.winners.count)
        providersLeft = providers.nodes.map(\.count)
        nodeOfName.reserveCapacity(winners.count)
        for node in winners.indices { nodeOfName[name(node)] = node }
    }

    private func name(_ node: Int) -> String { candidates[winners[node]].manifest.name }

    private func requirements(_ node: Int) -> [Requirement] { candidates[winners[node]].manifest.requires }

    /// Whether the component already runs, so unmet requirements cannot keep it from being loaded.
    private func isInMemory(_ node: Int) -> Bool { candidates[winners[node]].isInMemory }

    mutating func resolve() -> Resolution {
        let count = winners.count
        var targets: [[Target]] = []
        for node in winners.indices {
            var own: [Target] = []
            for requirement in requirements(node) { own.append(target(of: requirement, from: node)) }
            targets.append(own)
        }
        let isOnCycle = servicesOnCycles(targets)
        var unmet = findUnmet(targets)
        while passOver(unmet, isOnCycle) { unmet = findUnmet(targets) }
        targets = targets.map { $0.map(chosen) }
        var resolution = Resolution(
            unmet: [Catalog.Entry.Unmet?](repeating: nil, count: count),
            limitations: [[Catalog.Entry.Limitation]](repeating: [], count: count),
            dependencies: [[Int]](repeating: [], count: count))
        explain(unmet, by: targets, in: &resolution)
        addEdges(targets, &resolution)
        resolution.order = Graph.topologicalOrder(resolution.dependencies)
        let available = resolution.order.filter { resolution.unmet[$0] == nil }
        resolution.order = available + winners.indices.filter { resolution.unmet[$0] != nil }
        return resolution
    }

    private mutating func target(of requirement: Requirement, from node: Int) -> Target {
        switch requirement.subject {
        case .component(let name, let range):
            guard let found = nodeOfName[name] else {
                if let obstacle = disabled.obstacle(ofComponent: name) { return .missing(obstacle) }
                return .missing("no component \(name) was found\(hint(name, isClass: false))")
            }
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
                if let obstacle = disabled.obstacle(ofClass: name) { return .missing(obstacle) }
                return .missing(
                    "neither the host nor a component has the class \(name)\(hint(name, isClass: true))")
            }
            if let declaration = candidates[winners[found]].manifest.classDeclaration(name),
                let reason = lacking(selectors, declaration, of: self.name(found))
            {
                return .missing(reason)
            }
            return found == node ? .host : .node(found)
        case .service(let name):
            let isMandatory = !requirement.isOptional && !isInMemory(node)
            return target(ofService: name, from: node, isMandatory: isMandatory)
        }
    }

    /// Returns the name that was probably meant, for the end of a reason; "" if none is similar. Only so often, and
    /// only among so few names, that the time for all components stays small.
    private mutating func hint(_ missing: String, isClass: Bool) -> String {
        guard hintsLeft > 0, winners.count <= 1_000 else { return "" }
        hintsLeft -= 1
        let names =
            isClass
            ? classOwners.keys.sorted().map(\.text) + host.classes.map(\.name) : winners.indices.map { name($0) }
        return SimilarName.nearest(to: missing, in: names).map { "; did you mean \($0)?" } ?? ""
    }

    /// Returns the component that is chosen now if the target is a demand.
    private func chosen(_ target: Target) -> Target {
        guard case .demand(let demand) = target else { return target }
        return demands[demand].chosen.map(Target.node) ?? .host
    }

    /// Finds the nodes that cannot be loaded: first those with missing requirements, then those on cycles, then all
    /// that require one of those.
    private mutating func findUnmet(_ targets: [[Target]]) -> UnmetNodes {
        searches += 1
        var required = [[Int]](repeating: [], count: winners.count)
        var missing = [UnmetNodes.Cause?](repeating: nil, count: winners.count)
        for node in winners.indices where !isInMemory(node) {
            for (requirement, target) in zip(requirements(node), targets[node]) where !requirement.isOptional {
                switch chosen(target) {
                case .host, .demand: break
                case .node(let other): required[node].append(other)
                case .missing(let reason):
                    guard missing[node] == nil else { continue }
                    missing[node] = .missing(requirement.name, reason: reason)
                }
            }
        }
        return UnmetNodes(required: required, missing: missing)
    }

    /// Says why nodes cannot be loaded.
    private func explain(_ unmet: UnmetNodes, by targets: [[Target]], in resolution: inout Resolution) {
        for node in unmet.order {
            switch unmet.causes[node] {
            case .missing(let requirement, let reason)?:
                resolution.unmet[node] = Catalog.Entry.Unmet(path: [name(node), requirement], reason: reason)
            case .cycle(let cycle, let position)?:
                let around = cycle[position...] + cycle[...position]
                resolution.unmet[node] = Catalog.Entry.Unmet(
                    path: shortened(around, name: name),
                    reason: "the requirements form a cycle; make one of them optional", isOnCycle: true)
            case .node(let other)?:
                guard let cause = resolution.unmet[other] else { continue }
                resolution.unmet[node] = Catalog.Entry.Unmet(
                    path: shortened([name(node)] + cause.path) { $0 }, reason: cause.reason,
                    isOnCycle: cause.isOnCycle)
            case nil: break
            }
        }
        for node in unmet.order { addOthers(node, targets[node], to: &resolution) }
    }

    /// Adds the unmet requirements of a node that its first reason does not cover.
    private func addOthers(_ node: Int, _ targets: [Target], to resolution: inout Resolution) {
        guard let first = resolution.unmet[node] else { return }
        var others: [Catalog.Entry.Unmet] = []
        var said: Set<String> = []
        for (requirement, target) in zip(requirements(node), targets) where !requirement.isOptional {
            switch target {
            case .host, .demand: break
            case .missing(let reason):
                guard first.reason != reason, said.insert(reason).inserted else { continue }
                others.append(Catalog.Entry.Unmet(path: [name(node), requirement.name], reason: reason))
            case .node(let other):
                guard let unmet = resolution.unmet[other], first.path.dropFirst().first != name(other),
                    said.insert(name(other)).inserted
                else { continue }
                others.append(
                    Catalog.Entry.Unmet(
                        path: shortened([name(node)] + unmet.path) { $0 }, reason: unmet.reason,
                        isOnCycle: unmet.isOnCycle))
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
                case .host, .demand: break
                case .node(let other):
                    if let unmet = resolution.unmet[other] {
                        resolution.limitations[node].append(
                            Catalog.Entry.Limitation(
                                requirement: requirement, reason: unmet.message, obstacle: .unmet(of: name(other))))
                    } else if requirement.isOrdering {
                        all[node].append(other)
                    }
                case .missing(let reason):
                    resolution.limitations[node].append(
                        Catalog.Entry.Limitation(requirement: requirement, reason: reason, obstacle: .missing))
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
                            reason: "\(name(other)) also requires \(name(node)), so it is not loaded first",
                            obstacle: .order))
                } else {
                    resolution.dependencies[node].append(other)
                }
            }
        }
    }

    /// Returns the names in a path, of a long one only those of its two ends. Full paths for every component of a long
    /// chain would take quadratic memory, and looking up all names of a long cycle for each of its components quadratic
    /// time.
    private func shortened<Step>(_ path: some BidirectionalCollection<Step>, name: (Step) -> String) -> [String] {
        path.count <= 16 ? path.map(name) : path.prefix(8).map(name) + ["…"] + path.suffix(7).map(name)
    }
}

extension Requirement {
    /// Whether the required component is loaded first. Optional services are looked up when they are used.
    package var isOrdering: Bool {
        if case .service = subject { !isOptional } else { true }
    }
}

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
    private mutating func passOver(_ unmet: UnmetNodes, _ isOnCycle: [Bool]) -> Bool {
        var places = [Int?](repeating: nil, count: winners.count)
        var queue = NumberQueue(below: unmet.order.count)
        for (place, node) in unmet.order.enumerated() {
            places[node] = place
            if isReplaceable(node) { queue.insert(place) }
        }
        var isAnyPassedOver = false
        // The distance up to which the order is still right.
        var horizon = Int.max
        while let place = queue.first, unmet.distances[unmet.order[place]] <= horizon {
            queue.remove(place)
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
    private func servicesOnCycles(_ targets: [[Target]]) -> [Bool] {
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

// Choosing the provider of a required service.
extension RequirementResolver {
    /// A service that components require, and the provider that is chosen for them.
    private struct Demand {
        /// The service, as text and as the number that its providers have.
        let service: String
        let number: Int
        /// The component that requires the service; nil if any provider fits, regardless of the consumer.
        let consumer: Int?
        /// The first compatible provider. It is chosen again when there is no other.
        let first: Int
        /// The provider that is chosen; nil if that is the consumer itself.
        var chosen: Int?
        /// The position of the next provider to look at. None is looked at twice.
        var next: Int
        /// Whether a component cannot be loaded without the service.
        var isMandatory = false
    }

    /// Who requires a service: one component, or all those (-1) that any provider fits.
    private struct DemandKey: Hashable {
        var service: String
        var consumer: Int
    }

    /// Returns a sentence that names the selectors missing from a class; nil when it has all of them.
    private func lacking(
        _ selectors: [SelectorReference], _ declaration: ClassDeclaration, of owner: String
    ) -> String? {
        let declared = Set(declaration.selectors.map(\.reference))
        let missing = selectors.filter { !declared.contains($0) }
        guard !missing.isEmpty else { return nil }
        let names = missing.map(\.description).joined(separator: ", ")
        return "the class \(declaration.name) of \(owner) has no selector \(names)"
    }

    /// Returns what meets the requirement of a service.
    private mutating func target(ofService service: String, from node: Int, isMandatory: Bool) -> Target {
        let key = DemandKey(service: service, consumer: isFitByAny(service, node) ? -1 : node)
        let target = knownDemands[key] ?? provider(of: service, for: node, key)
        knownDemands[key] = target
        if case .demand(let demand) = target, isMandatory { demands[demand].isMandatory = true }
        return target
    }

    /// Returns whether any other provider of a service fits a component: it was compiled without a form of the service
    /// that could differ. A provider is never an alternative to itself.
    private func isFitByAny(_ service: String, _ node: Int) -> Bool {
        let manifest = candidates[winners[node]].manifest
        return manifest.contract.service(service) == nil
            && !manifest.classes.contains { $0.provides.containsExactly(service) }
    }

    /// Returns the provider of a service: the host if it fits, otherwise the first compatible component in order of
    /// preference, as a demand.
    private mutating func provider(of service: String, for node: Int, _ key: DemandKey) -> Target {
        var reasons: [String] = []
        if host.provider(of: service) != nil {
            guard let difference = difference(service, consumer: node, provider: -1) else { return .host }
            reasons.append(difference)
        }
        if let number = providers.number(of: service) {
            for (position, found) in providers.nodes[number].enumerated() {
                if let difference = difference(service, consumer: node, provider: found) {
                    reasons.append(difference)
                    continue
                }
                if found == node { return .host }
                consumers[found].append(demands.count)
                demands.append(
                    Demand(
                        service: service, number: number, consumer: key.consumer < 0 ? nil : node, first: found,
                        chosen: found, next: position + 1))
                return .demand(demands.count - 1)
            }
        }
        reasons += providers.obstacles(of: service) + disabled.obstacles(ofService: service)
        return .missing(
            reasons.isEmpty
                ? "neither the host nor a component provides the service \(service)"
                : reasons.joined(separator: "; "))
    }

    /// Chooses the next compatible provider that has not been passed over. If all of them have been, chooses the first
    /// one again.
    private mutating func chooseNext(for demand: Int) {
        let list = providers.nodes[demands[demand].number]
        let consumer = demands[demand].consumer
        while demands[demand].next < list.count {
            let found = list[demands[demand].next]
            demands[demand].next += 1
            if isPassedOver[found] && found != consumer { continue }
            if let consumer, difference(demands[demand].service, consumer: consumer, provider: found) != nil {
                continue
            }
            demands[demand].chosen = found == consumer ? nil : found
            return
        }
        demands[demand].chosen = demands[demand].first
    }

    /// Returns a sentence that says how a provider's form of the service is incompatible with the one that a node was
    /// compiled against; nil when it is compatible.
    ///
    /// - Parameter provider: A node, or -1 for the host.
    private mutating func difference(_ service: String, consumer: Int, provider: Int) -> String? {
        comparisons += 1
        let manifest = provider < 0 ? nil : candidates[winners[provider]].manifest
        let comparison = ContractComparison(
            service: service, consumer: candidates[winners[consumer]].manifest.contract,
            provider: manifest?.contract ?? host.contract)
        guard let comparison, !comparison.isCompatible else { return nil }
        let owner = manifest.map { "\($0.name) \($0.version)" } ?? "the host"
        return "\(owner) provides it in an incompatible form: \(comparison.line())"
    }
}
