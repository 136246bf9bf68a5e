import SystemSupport

// Choosing the provider of a required service.
extension RequirementResolver {
    /// A service that components require, and the provider that is chosen for them.
    struct Demand {
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
    struct DemandKey: Hashable {
        var service: String
        var consumer: Int
    }

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

    /// Returns what meets the requirement of a service.
    mutating func target(ofService service: String, from node: Int, isMandatory: Bool) -> Target {
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
        reasons += providers.obstacles(of: service)
        return .missing(
            reasons.isEmpty
                ? "neither the host nor a component provides the service \(service)"
                : reasons.joined(separator: "; "))
    }

    /// Chooses the next compatible provider that has not been passed over. If all of them have been, chooses the first
    /// one again.
    mutating func chooseNext(for demand: Int) {
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
