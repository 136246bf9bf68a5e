import ComponentKit

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
