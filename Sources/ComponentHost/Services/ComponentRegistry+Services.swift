import ComponentKit

extension ComponentRegistry {
    /// The class that a consumer is to use for a service. Loads nothing.
    ///
    /// - Parameters:
    ///   - service: its name.
    ///   - component: the only component that will do; nil for any.
    ///   - consumer: the component that asks; empty for the host's own code.
    /// - Throws: an error that names the service: ``LinkError/Code/classNotFound`` when nobody provides it,
    ///   ``LinkError/Code/notLoaded`` when those who do cannot be had, ``LinkError/Code/requirementNotMet`` when it is there
    ///   in a form that the consumer was not compiled against, with both sides.
    func findService(
        _ service: String, in component: String? = nil, for consumer: String
    ) throws(LinkError) -> ServiceOffer {
        let directory = contents.withLock { $0.services }
        let all = directory.offers(of: service)
        let offers = component.map { name in all.filter { $0.component == name } } ?? all
        guard !offers.isEmpty else { throw ServiceFailure.nobody(service, component, others: all) }
        let contract = contract(of: consumer)
        var failures: [ServiceFailure] = []
        for offer in offers {
            if let obstacle = offer.obstacle {
                failures.append(ServiceFailure(offer, .obstacle(obstacle)))
            } else if let comparison = contract.flatMap({ directory.comparison(offer, $0, named: consumer) }),
                !comparison.isCompatible
            {
                failures.append(ServiceFailure(offer, .difference(comparison)))
            } else {
                return offer
            }
        }
        throw ServiceFailure.error(service, failures)
    }

    /// Whether somebody provides the service, in a form that the consumer was compiled against, and has not failed:
    /// whether ``findService(_:in:for:)`` would find one.
    func provides(_ service: String, for consumer: String) -> Bool {
        let directory = contents.withLock { $0.services }
        let contract = contract(of: consumer)
        return directory.offers(of: service).contains { offer in
            guard offer.obstacle == nil else { return false }
            return contract.flatMap { directory.comparison(offer, $0, named: consumer) }?.isCompatible ?? true
        }
    }

    /// Everybody who says to provide the service, in the order of choice.
    func providers(of service: String) -> [ServiceProvider] {
        let offers = contents.withLock { $0.services }.offers(of: service)
        let chosen = offers.firstIndex { $0.obstacle == nil }
        return offers.enumerated().map { ServiceProvider($1, isChosen: $0 == chosen) }
    }

    /// What a consumer was compiled against; nil for one that is not known.
    private func contract(of consumer: String) -> Contract? {
        consumer.isEmpty ? scan.contract : unit(named: consumer)?.manifest.contract
    }
}

extension ComponentRegistry {
    /// Loads the component that is chosen for a service that another requires; where it fails, the next best.
    ///
    /// - Throws: ``LinkError/Code/requirementNotMet`` when there is none that can be loaded.
    func loadProvider(
        of service: String, for unit: ComponentUnit, caller: ComponentUnit?, in core: HostCore
    ) throws(LinkError) {
        var tried: Set<ObjectIdentifier> = []
        while true {
            let provider: ComponentUnit
            do throws(LinkError) {
                guard let found = try findService(service, for: unit.name).unit, found !== unit, !found.isHost else {
                    return
                }
                provider = found
            } catch {
                throw unmet(service, by: unit, error)
            }
            do throws(LinkError) {
                try load(provider, for: caller, in: core)
                return
            } catch {
                if error.code == .stopped || error.code == .wouldDeadlock { throw error }
                // It counts as failed now, so another one is found next, unless somebody has it tried again.
                guard tried.insert(ObjectIdentifier(provider)).inserted else { throw unmet(service, by: unit, error) }
            }
        }
    }

    private func unmet(_ service: String, by unit: ComponentUnit, _ error: LinkError) -> LinkError {
        LinkError(
            .requirementNotMet, message: "it requires service \(service): \(error.message)", component: unit.name,
            cause: error)
    }
}
