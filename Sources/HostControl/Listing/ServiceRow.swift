import ComponentHost
public import ComponentKit

/// A class that provides a service, in a listing.
@Model public struct ServiceRow: Sendable {
    /// As in "com.example.account/1".
    public var service: String
    /// The component that has the class; "host" for one of the program itself.
    public var component: String
    /// The component's version; nil for a class of the program itself.
    public var version: String?
    /// The class.
    public var className: String
    /// Whether this is the one that is used where nobody asks for another.
    public var isChosen: Bool
    /// Where its component stands.
    public var state: String
    /// Why it cannot be used; empty when it can.
    public var reason: String

    init(_ provider: ServiceProvider) {
        service = provider.service
        component = provider.component
        version = provider.version?.description
        className = provider.className
        isChosen = provider.isChosen
        state = "\(provider.state)"
        reason = provider.reason
    }
}
