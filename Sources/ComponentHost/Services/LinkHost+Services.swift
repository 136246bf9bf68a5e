import ComponentKit

extension LinkHost {
    /// Every class that says it provides the service, in the order of choice: those of the program itself, then the
    /// highest version of a component, then the one found first; of files that others have displaced last. Loads
    /// nothing. Any thread.
    ///
    /// - Parameter service: its name, as in "com.example.account/1".
    /// - Returns: none when nobody does.
    public func providers(of service: String) -> [ServiceProvider] { core.registry.providers(of: service) }

    /// The same of all services, by their names.
    public var services: [ServiceProvider] {
        core.registry.contents.withLock { $0.services }.services.flatMap { core.registry.providers(of: $0) }
    }
}
