import SystemSupport

// Choosing the provider of a required service.
extension RequirementResolver {
    /// Returns a sentence that names the selectors missing from a class; nil when it has all of them.
    func lacking(
        _ selectors: [SelectorReference], _ declaration: ClassDeclaration, of owner: String
    ) -> String? {
        let declared = Set(declaration.selectors.map(\.reference))
        let missing = selectors.filter { !declared.contains($0) }
        guard !missing.isEmpty else { return nil }
        let names = missing.map(\.description).joined(separator: ", ")
        return "the class \(declaration.name) of \(owner) has no selector \(names)"
    }

    /// Returns the provider of a service: the host if it fits, otherwise the first compatible component in order of
    /// preference that has not been passed over. If all compatible ones have been passed over, returns the first of
    /// them.
    mutating func provider(of service: String, for node: Int) -> Target {
        var reasons: [String] = []
        if host.provider(of: service) != nil {
            guard let difference = difference(service, node, -1) else { return .host }
            reasons.append(difference)
        }
        var fallback: Int?
        for found in providers.nodes(of: service) {
            if let difference = difference(service, node, found) {
                reasons.append(difference)
                continue
            }
            if found == node { return .host }
            if !passedOver.contains(found) { return .node(found) }
            if fallback == nil { fallback = found }
        }
        if let fallback { return .node(fallback) }
        reasons += providers.obstacles(of: service)
        return .missing(
            reasons.isEmpty
                ? "neither the host nor a component provides the service \(service)"
                : reasons.joined(separator: "; "))
    }

    /// Returns a sentence that says how a provider's form of the service is incompatible with the one that a node was
    /// compiled against; nil when it is compatible.
    private mutating func difference(_ service: String, _ consumer: Int, _ provider: Int) -> String? {
        let pair = ServicePair(service: service, consumer: consumer, provider: provider)
        if let known = differences[pair] { return known }
        let manifest = provider < 0 ? nil : candidates[winners[provider]].manifest
        let comparison = ContractComparison(
            service: service, consumer: candidates[winners[consumer]].manifest.contract,
            provider: manifest?.contract ?? host.contract)
        var difference: String?
        if let comparison, !comparison.isCompatible {
            let owner = manifest.map { "\($0.name) \($0.version)" } ?? "the host"
            difference = "\(owner) provides it in an incompatible form: \(comparison.line())"
        }
        differences.updateValue(difference, forKey: pair)
        return difference
    }

    /// Passes over the first unmet node that was chosen for a service that has another provider left.
    ///
    /// - Parameter unmet: The unmet nodes, each after the nodes that cause it to be unmet.
    /// - Returns: Whether a node was passed over, so all choices have to be made again.
    mutating func passOver(_ unmet: [Int], _ targets: [[Target]]) -> Bool {
        guard !unmet.isEmpty else { return false }
        var replaceable: Set<Int> = []
        for node in winners.indices {
            for (requirement, target) in zip(requirements(node), targets[node]) {
                guard case .service(let name) = requirement.subject, case .node(let chosen) = target,
                    providers.nodes(of: name).contains(where: { $0 != chosen && !passedOver.contains($0) })
                else { continue }
                replaceable.insert(chosen)
            }
        }
        guard let node = unmet.first(where: { replaceable.contains($0) && !passedOver.contains($0) }) else {
            return false
        }
        passedOver.insert(node)
        return true
    }
}

/// The components that provide each service according to their manifests: the highest version first, then in search
/// order.
struct ServiceProviders {
    private var nodes: [String: [Int]] = [:]
    private var obstacles: [String: [String]] = [:]

    /// - Parameters:
    ///   - candidates: The components that were found.
    ///   - selection: The active versions and the owners of classes. A component that does not own a class provides no
    ///     services with it, because the class cannot be called.
    init(_ candidates: [Catalog.Candidate], _ selection: CandidateSelection) {
        let byChoice = selection.winners.indices.sorted { left, right in
            let (first, second) = (selection.winners[left], selection.winners[right])
            let versions = (candidates[first].manifest.version, candidates[second].manifest.version)
            return versions.0 == versions.1 ? first < second : versions.0 > versions.1
        }
        for node in byChoice {
            let manifest = candidates[selection.winners[node]].manifest
            for declaration in manifest.classes {
                for service in declaration.provides {
                    if selection.classOwners[ExactText(declaration.name)] == node {
                        if nodes[service]?.last != node { nodes[service, default: []].append(node) }
                    } else {
                        obstacles[service, default: []].append(
                            "\(manifest.name) \(manifest.version) provides it with the class \(declaration.name), "
                                + "which belongs to another component or to the host")
                    }
                }
            }
        }
    }

    /// Returns the positions of a service's providers among the active versions, in order of preference.
    func nodes(of service: String) -> [Int] { nodes[service] ?? [] }

    /// Returns sentences that say why further components that declare the service cannot provide it.
    func obstacles(of service: String) -> [String] { obstacles[service] ?? [] }
}
