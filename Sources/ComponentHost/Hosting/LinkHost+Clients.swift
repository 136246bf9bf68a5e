public import ComponentKit

/// Typed calls of the program's own code; see ``ComponentKit/Link``.
extension LinkHost {
    /// See ``ComponentKit/Link/service(_:from:)``.
    public func service<Client: ServiceClient>(
        _ type: Client.Type = Client.self, from component: String? = nil
    ) throws(LinkError) -> Client {
        try link.service(type, from: component)
    }

    /// See ``ComponentKit/Link/makeService(_:with:from:)``.
    public func makeService<Client: ConfigurableServiceClient>(
        _ type: Client.Type = Client.self, with arguments: Client.ServiceArguments, from component: String? = nil
    ) throws -> Client {
        try link.makeService(type, with: arguments, from: component)
    }

    /// See ``ComponentKit/Link/provides(_:)``.
    public func provides<Client: ServiceClient>(_ type: Client.Type) -> Bool { link.provides(type) }
}
