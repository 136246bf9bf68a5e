// Two underscores keep a name out of completion and documentation.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The client of a service: a struct that conforms to the service's protocol and calls its provider. `@LinkService`
/// generates it.
public protocol ServiceClient: Sendable {
    /// The description of the service.
    static var __service: __ServiceDescription { get }

    /// The destination of the client's calls.
    var __endpoint: __ServiceEndpoint { get }

    /// Creates a client. Called by `service(_:)` of a host or a component.
    init(__endpoint endpoint: __ServiceEndpoint)
}

/// The client of a service that is made with arguments. Each `makeService(_:with:)` makes an instance.
public protocol ConfigurableServiceClient: ServiceClient {
    /// The arguments for an instance.
    associatedtype ServiceArguments: PayloadConvertible
}
