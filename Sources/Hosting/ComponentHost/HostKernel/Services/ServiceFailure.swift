import ComponentCatalog
import ComponentKit

/// Why a provider of a service cannot be used.
struct ServiceFailure {
    enum Reason {
        /// The component cannot be used.
        case obstacle(LinkError)
        /// The contract is incompatible with the one that the consumer was compiled against.
        case difference(ContractComparison)
    }

    let offer: ServiceOffer
    let reason: Reason

    init(_ offer: ServiceOffer, _ reason: Reason) {
        self.offer = offer
        self.reason = reason
    }

    private var line: String {
        switch reason {
        case .obstacle(let error): "\(offer.owner) cannot be used: \(error.message)"
        case .difference(let comparison): "\(offer.owner) has an incompatible contract: \(comparison.line())"
        }
    }

    /// Returns the error for a service whose providers have all failed.
    ///
    /// - Parameter failures: at least one, in order of preference.
    static func error(_ service: String, _ failures: [ServiceFailure]) -> LinkError {
        guard failures.count == 1, let only = failures.first else {
            let isDifferent = failures.contains { if case .difference = $0.reason { true } else { false } }
            return LinkError(
                isDifferent ? .requirementNotMet : .notLoaded,
                message: "no provider of the service \(service) can be used: "
                    + failures.map(\.line).joined(separator: "; "))
        }
        switch only.reason {
        case .obstacle(let error):
            return LinkError(
                .notLoaded,
                message: "the service \(service) is provided by \(only.offer.className) of \(only.offer.owner), "
                    + "which cannot be used: \(error.message)", cause: error)
        case .difference(let comparison):
            return LinkError(
                .requirementNotMet,
                message: "the service \(service) of \(only.offer.owner) differs from the one that the caller was "
                    + "compiled against (- caller, + provider):\n\(comparison.diff())")
        }
    }

    /// Returns the error for a service without a provider, or without one in the requested component.
    ///
    /// - Parameter disabled: the components that would provide it.
    static func nobody(
        _ service: String, _ component: String?, others: [ServiceOffer], disabled: [Catalog.Entry]
    ) -> LinkError {
        let reasons = disabled.filter { entry in component.map { entry.manifest.name.isExactly($0) } ?? true }
            .map { "; \($0.manifest.name) \($0.manifest.version) is disabled by \($0.disabledBy ?? "")" }
            .joined()
        guard let component else {
            return LinkError(
                .classNotFound, message: "neither the host nor a component provides the service \(service)\(reasons)")
        }
        let owners = others.map(\.owner).joined(separator: ", ")
        return LinkError(
            .classNotFound,
            message: "no component \(component) provides the service \(service)"
                + (others.isEmpty ? "" : "; it is provided by \(owners)") + reasons)
    }
}
