import ComponentCatalog
import ComponentKit
import SystemSupport

extension ComponentRegistry {
    /// Returns the class that a consumer should use for a service. Loads nothing.
    ///
    /// - Parameters:
    ///   - service: the name of the service.
    ///   - component: the only component to consider; nil for any.
    ///   - consumer: the name of the component that asks; empty for the host's own code.
    /// - Throws: `LinkError` that names the service: with code ``LinkError/Code/classNotFound`` if nothing provides it,
    ///   ``LinkError/Code/notLoaded`` if no provider can be used, or ``LinkError/Code/requirementNotMet``, with a
    ///   comparison of both contracts, if a provider's contract is incompatible with the one that the consumer was
    ///   compiled against.
    func findService(
        _ service: String, in component: String? = nil, for consumer: String
    ) throws(LinkError) -> ServiceOffer {
        let directory = contents.withLock { $0.services }
        let all = directory.offers(of: service)
        let offers = component.map { name in all.filter { $0.component == name } } ?? all
        guard !offers.isEmpty else {
            let disabled = directory.disabledProviders(of: service)
            throw ServiceFailure.nobody(service, component, others: all, disabled: disabled)
        }
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

    /// Whether ``findService(_:in:for:)`` would find a provider: one that can be used, and whose contract is
    /// compatible with the one that the consumer was compiled against.
    func provides(_ service: String, for consumer: String) -> Bool {
        !usableProviders(of: service, for: consumer).isEmpty
    }

    /// Returns the components, in order of preference, that ``findService(_:in:for:)`` finds when it is asked for them.
    func usableProviders(of service: String, for consumer: String) -> [String] {
        let directory = contents.withLock { $0.services }
        let contract = contract(of: consumer)
        var names: [String] = []
        for offer in directory.offers(of: service) where offer.obstacle == nil && !names.contains(offer.component) {
            let comparison = contract.flatMap { directory.comparison(offer, $0, named: consumer) }
            if comparison?.isCompatible ?? true { names.append(offer.component) }
        }
        return names
    }

    /// Returns all declared providers of the service, in order of preference.
    func providers(of service: String) -> [ServiceProvider] {
        let offers = contents.withLock { $0.services }.offers(of: service)
        let chosen = offers.firstIndex { $0.obstacle == nil }
        return offers.enumerated().map { ServiceProvider($1, isChosen: $0 == chosen) }
    }

    /// All declared providers, sorted by the names of the services, without the host's own classes.
    var providers: [ServiceProvider] {
        let own = scan.ownClasses.filter { !$0.services.isEmpty }.map(\.name)
        return contents.withLock { $0.services }.services.flatMap { providers(of: $0) }
            .filter { !own.containsExactly($0.className) }
    }

    /// Returns the contract that a consumer was compiled against; nil if the consumer is unknown.
    private func contract(of consumer: String) -> Contract? {
        consumer.isEmpty ? scan.contract : unit(named: consumer)?.manifest.contract
    }
}

extension ComponentRegistry {
    /// Loads the preferred provider of a service that a component requires; if that fails, the next one.
    ///
    /// - Throws: `LinkError` with code ``LinkError/Code/requirementNotMet`` if no provider can be loaded;
    ///   ``LinkError/Code/stopped``, ``LinkError/Code/wouldDeadlock`` or ``LinkError/Code/tooDeep`` if that is why
    ///   loading a provider failed.
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
                if error.code.concernsCallOnly { throw error }
                // The provider counts as failed now, so another one is found next, unless it has been retried
                // meanwhile.
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
