// Which component stands behind a required service.
extension RequirementResolver {
    /// Which of the selectors a class does not have, as a sentence; nil when it has all.
    func lacking(
        _ selectors: [SelectorReference], _ declaration: ClassDeclaration, of owner: String
    ) -> String? {
        let missing = selectors.filter { declaration.selector($0.name, $0.kind) == nil }
        guard !missing.isEmpty else { return nil }
        let names = missing.map(\.description).joined(separator: ", ")
        return "the class \(declaration.name) of \(owner) has no selector \(names)"
    }

    /// The host before all, then the first component in the order of choice that fits and is not passed over; when
    /// all are, the first that fits.
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

    /// Why a provider is not what a node was compiled against, as a sentence; nil when it is.
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
            difference = "\(owner) provides it in another form: \(comparison.line())"
        }
        differences.updateValue(difference, forKey: pair)
        return difference
    }

    /// Passes over the first unmet node that was chosen for a service that another provides as well.
    ///
    /// - Parameter unmet: nodes, each after those that it is unmet for.
    /// - Returns: whether there was one, and the choices have to be made again.
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

/// Which components provide which service, from manifests: the highest version first, then in the order of finding.
struct ServiceProviders {
    private var nodes: [String: [Int]] = [:]
    private var obstacles: [String: [String]] = [:]

    /// - Parameters:
    ///   - candidates: what was found.
    ///   - selection: which of them are active, and which has which class: a class that belongs to another
    ///     cannot be called, so it provides nothing.
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
                    if selection.classOwners[declaration.name] == node {
                        if nodes[service]?.last != node { nodes[service, default: []].append(node) }
                    } else {
                        obstacles[service, default: []].append(
                            "\(manifest.name) \(manifest.version) provides it by the class \(declaration.name), "
                                + "which belongs to another component or to the host")
                    }
                }
            }
        }
    }

    /// Positions among the active versions, in the order of choice.
    func nodes(of service: String) -> [Int] { nodes[service] ?? [] }

    /// Why others that say that they provide it cannot, as sentences.
    func obstacles(of service: String) -> [String] { obstacles[service] ?? [] }
}
