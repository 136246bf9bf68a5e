import ComponentCatalog
import ComponentKit

/// An immutable snapshot of the providers of each service, with a cache of contract comparisons. Replaced when
/// components are added or removed.
final class ServiceDirectory: Sendable {
    private struct Pair: Hashable {
        var service: String
        var consumer: String
        var provider: String
    }

    private let offers: [String: [ServiceOffer]]
    private let disabled: ArraySlice<Catalog.Entry>
    private let comparisons = Lock<[Pair: ContractComparison]>([:])

    /// - Parameters:
    ///   - units: the active versions, including the unit of the host.
    ///   - catalog: the catalog that lists the units.
    ///   - classes: the directory of the units' classes.
    ///   - contract: the contract that the program was compiled with.
    init(_ units: [ComponentUnit], catalog: Catalog, classes: ClassDirectory, contract: Contract) {
        var offers: [String: [ServiceOffer]] = [:]
        for unit in ServiceDirectory.byChoice(units, catalog) {
            for declaration in unit.manifest.classes {
                let owner = unsafe classes.find(declaration.name)?.takeUnretainedValue().unit
                for service in declaration.provides {
                    offers[service, default: []].append(
                        ServiceOffer(
                            service: service, component: unit.name, version: unit.manifest.version,
                            className: declaration.name,
                            contract: unit.isHost ? contract : unit.manifest.contract, unit: unit,
                            exclusion: owner === unit ? nil : .takenClass(declaration.name, by: owner?.name ?? ""),
                            shadowing: nil))
                }
            }
        }
        for entry in catalog.entries {
            guard case .shadowed(let winner) = entry.state else { continue }
            for declaration in entry.manifest.classes {
                for service in declaration.provides {
                    offers[service, default: []].append(
                        ServiceOffer(
                            service: service, component: entry.manifest.name, version: entry.manifest.version,
                            className: declaration.name, contract: entry.manifest.contract, unit: nil,
                            exclusion: LinkError(
                                .shadowed,
                                message: "\(winner) provides the component in the same version or a higher one"),
                            shadowing: winner))
                }
            }
        }
        self.offers = offers
        disabled = catalog.disabledEntries
    }

    /// Sorts units by preference: the host's own first, then by descending version, then in search order.
    private static func byChoice(_ units: [ComponentUnit], _ catalog: Catalog) -> [ComponentUnit] {
        let positions = units.map { $0.isHost ? -1 : catalog.searchPosition(of: $0.name) ?? Int.max }
        return units.indices.sorted { left, right in
            guard !units[left].isHost, !units[right].isHost else { return units[left].isHost && left != right }
            let versions = (units[left].manifest.version, units[right].manifest.version)
            return versions.0 == versions.1 ? positions[left] < positions[right] : versions.0 > versions.1
        }.map { units[$0] }
    }

    /// Returns the declared providers of the service, in order of preference, shadowed ones last.
    func offers(of service: String) -> [ServiceOffer] { offers[service] ?? [] }

    /// Returns the disabled components that would provide the service.
    func disabledProviders(of service: String) -> [Catalog.Entry] {
        disabled.filter { entry in entry.manifest.classes.contains { $0.provides.containsExactly(service) } }
    }

    /// The names of all declared services, sorted.
    var services: [String] { offers.keys.sorted() }

    /// Compares the consumer's contract with the offer's. Results are kept for each pair.
    ///
    /// - Returns: Nil if one of them has no note about the service.
    func comparison(_ offer: ServiceOffer, _ consumer: Contract, named name: String) -> ContractComparison? {
        guard consumer.service(offer.service) != nil else { return nil }
        let pair = Pair(service: offer.service, consumer: name, provider: offer.component)
        if let known = comparisons.withLock({ $0[pair] }) { return known }
        // The lock is not held: two threads may compare the same contracts, with the same result.
        let found = ContractComparison(service: offer.service, consumer: consumer, provider: offer.contract)
        if let found { comparisons.withLock { $0[pair] = found } }
        return found
    }
}

extension LinkError {
    fileprivate static func takenClass(_ name: String, by owner: String) -> LinkError {
        LinkError(
            .classNotFound, message: "its class \(name) cannot be called: \(owner) has a class with the same name")
    }
}

/// A class that declares that it provides a service.
struct ServiceOffer: Sendable {
    let service: String
    let component: String
    let version: Version
    let className: String
    /// The contract that its file was compiled with.
    let contract: Contract
    /// The unit of the component; nil if it is not the active version.
    let unit: ComponentUnit?
    /// Why it can never be used, whatever the state of its component.
    let exclusion: LinkError?
    /// The path of the active version, or "built in", if this is not the active version.
    let shadowing: String?

    /// Why it cannot be used now, as far as that is known without loading it; nil if it can.
    var obstacle: LinkError? {
        if let exclusion { return exclusion }
        switch unit?.currentState {
        case .failed(let error): return error
        case .stopping, .stopped: return LinkError(.stopped, component: component)
        case .available, .starting, .running, nil: return nil
        }
    }

    /// The provider's name in messages, such as "EMAccount 1.2.0".
    var owner: String { unit?.isHost == true ? "the host" : "\(component) \(version)" }

    /// The state of its component, unless the class itself cannot be used.
    var state: ComponentState {
        if let shadowing { return .shadowed(by: shadowing) }
        if let exclusion { return .failed(exclusion) }
        return unit?.publicState ?? .stopped
    }
}

/// A class that declares that it provides a service, as a host reports it.
public struct ServiceProvider: Sendable {
    /// The name of the service, such as "com.example.account/1".
    public let service: String
    /// The component that has the class; "host" for a class of the program itself.
    public let component: String
    /// The component's version; nil for a class of the program itself.
    public let version: Version?
    /// The class to call.
    public let className: String
    /// Whether this is the provider that is used unless a caller asks for another one.
    public let isChosen: Bool
    /// The state of its component, unless the class itself cannot be used.
    public let state: ComponentState
    /// Why it cannot be used; empty when it can.
    public let reason: String

    init(_ offer: ServiceOffer, isChosen: Bool) {
        service = offer.service
        component = offer.component
        version = offer.unit?.isHost == true ? nil : offer.version
        className = offer.className
        self.isChosen = isChosen
        state = offer.state
        reason = offer.obstacle?.message ?? ""
    }
}
