import ComponentKit

/// Who provides which service: an immutable snapshot, replaced when components come, with the comparisons that
/// have been made so far.
final class ServiceDirectory: Sendable {
    private struct Pair: Hashable {
        var service: String
        var consumer: String
        var provider: String
    }

    private let offers: [String: [ServiceOffer]]
    private let comparisons = Lock<[Pair: ContractComparison]>([:])

    /// - Parameters:
    ///   - units: the active versions, the host's own included.
    ///   - catalog: where they are from.
    ///   - classes: which of them has which class.
    ///   - contract: what the program was compiled with.
    init(_ units: [ComponentUnit], _ catalog: Catalog, _ classes: ClassDirectory, contract: Contract) {
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
    }

    /// The host's own first, then the highest version, then in the order of finding.
    private static func byChoice(_ units: [ComponentUnit], _ catalog: Catalog) -> [ComponentUnit] {
        let positions = units.map { $0.isHost ? -1 : catalog.searchPosition(of: $0.name) ?? Int.max }
        return units.indices.sorted { left, right in
            guard !units[left].isHost, !units[right].isHost else { return units[left].isHost && left != right }
            let versions = (units[left].manifest.version, units[right].manifest.version)
            return versions.0 == versions.1 ? positions[left] < positions[right] : versions.0 > versions.1
        }.map { units[$0] }
    }

    /// Those that say they provide the service, in the order of choice; shadowed ones last.
    func offers(of service: String) -> [ServiceOffer] { offers[service] ?? [] }

    /// All services that somebody says to provide, by name.
    var services: [String] { offers.keys.sorted() }

    /// What the consumer was compiled against, held against what the offer has; compared once.
    ///
    /// - Returns: nil when one of them has no note about the service.
    func comparison(_ offer: ServiceOffer, _ consumer: Contract, named name: String) -> ContractComparison? {
        guard consumer.service(offer.service) != nil else { return nil }
        let pair = Pair(service: offer.service, consumer: name, provider: offer.component)
        if let known = comparisons.withLock({ $0[pair] }) { return known }
        // Without the lock: two threads may compare the same, and find the same.
        let found = ContractComparison(service: offer.service, consumer: consumer, provider: offer.contract)
        if let found { comparisons.withLock { $0[pair] = found } }
        return found
    }
}

extension LinkError {
    fileprivate static func takenClass(_ name: String, by owner: String) -> LinkError {
        LinkError(
            .classNotFound, message: "its class \(name) cannot be called: the name is that of a class of \(owner)")
    }
}

/// A class that says it provides a service.
struct ServiceOffer: Sendable {
    let service: String
    let component: String
    let version: Version
    let className: String
    /// What its file was compiled with.
    let contract: Contract
    /// Nil when another file stands for the component's name.
    let unit: ComponentUnit?
    /// Why it is out of the question, whatever its component's state.
    let exclusion: LinkError?
    /// The path of the file that stands for the component's name in its place.
    let shadowing: String?

    /// Why it cannot be had now; nil when it can, as far as is known without loading it.
    var obstacle: LinkError? {
        if let exclusion { return exclusion }
        switch unit?.currentState {
        case .failed(let error): return error
        case .stopped: return LinkError(.stopped, component: component)
        case .available, .loading, .loaded, nil: return nil
        }
    }

    /// For messages, as in "EMAccount 1.2.0".
    var owner: String { unit?.isHost == true ? "the host" : "\(component) \(version)" }

    /// Where its component stands.
    var state: ComponentState {
        if let shadowing { return .shadowed(by: shadowing) }
        if let exclusion { return .failed(exclusion) }
        return unit?.publicState ?? .stopped
    }
}

/// A class that says it provides a service, as a host sees it.
public struct ServiceProvider: Sendable {
    /// The service, as in "com.example.account/1".
    public let service: String
    /// The component that has the class; "host" for a class of the program itself.
    public let component: String
    /// The component's version; nil for a class of the program itself.
    public let version: Version?
    /// The class to call.
    public let className: String
    /// Whether this is the one that is used where nobody asks for another.
    public let isChosen: Bool
    /// Where its component stands.
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
