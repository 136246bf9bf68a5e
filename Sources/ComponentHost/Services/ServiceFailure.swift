import ComponentKit

/// Why a class that provides a service is not the one to use.
struct ServiceFailure {
    enum Reason {
        /// Its component cannot be had.
        case obstacle(LinkError)
        /// The consumer was compiled against something else.
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
        case .obstacle(let error): "\(offer.owner) has it, but \(error.message)"
        case .difference(let comparison): "\(offer.owner) has it in another form: \(comparison.line())"
        }
    }

    /// The error where all that provide the service have failed.
    ///
    /// - Parameter failures: at least one, the first choice first.
    static func error(_ service: String, _ failures: [ServiceFailure]) -> LinkError {
        guard failures.count == 1, let only = failures.first else {
            let isDifferent = failures.contains { if case .difference = $0.reason { true } else { false } }
            return LinkError(
                isDifferent ? .requirementNotMet : .notLoaded,
                message: "none that provides the service \(service) can be used: "
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
                message: "the service \(service) of \(only.offer.owner) is not what the caller was compiled against "
                    + "(- compiled against, + there):\n\(comparison.diff())")
        }
    }

    /// The error where there is nobody at all, or not the component that was asked for.
    static func nobody(_ service: String, _ component: String?, others: [ServiceOffer]) -> LinkError {
        guard let component else {
            return LinkError(
                .classNotFound, message: "neither the host nor a component provides the service \(service)")
        }
        let owners = others.map(\.owner).joined(separator: ", ")
        return LinkError(
            .classNotFound,
            message: "no component \(component) provides the service \(service)"
                + (others.isEmpty ? "" : "; there is \(owners)"))
    }
}
