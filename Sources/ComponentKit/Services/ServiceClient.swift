// Two underscores keep a name out of completion and documentation.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The client of a service: a struct that conforms to the service's protocol and calls its provider.
/// `@LinkService` writes it.
public protocol ServiceClient: Sendable {
    /// Which service it is.
    static var __service: __ServiceDescription { get }

    /// Where its calls go.
    var __endpoint: __ServiceEndpoint { get }

    /// Made by `service(_:)` of a host or a component.
    init(__endpoint endpoint: __ServiceEndpoint)
}

/// The client of a service that is made with arguments, an instance for each `makeService(_:with:)`.
public protocol ConfigurableServiceClient: ServiceClient {
    /// What an instance is made with.
    associatedtype ServiceArguments: PayloadConvertible
}
