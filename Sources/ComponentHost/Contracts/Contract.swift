/// What one side knows of the services that it provides or uses: read from the notes of its own file, so that it
/// says what the file was compiled with.
public struct Contract: Hashable, Sendable {
    /// Each name once.
    public var services: [ServiceDeclaration]
    /// Each name once in a module.
    public var models: [ModelDeclaration]

    /// Nothing at all.
    public static let empty = Contract(services: [], models: [])

    /// - Parameters:
    ///   - services: each name once.
    ///   - models: each name once in a module.
    public init(services: [ServiceDeclaration], models: [ModelDeclaration]) {
        self.services = services
        self.models = models
    }

    /// The service of this name; nil when this side was not compiled with it.
    public func service(_ name: String) -> ServiceDeclaration? { services.first { $0.name == name } }
}

extension Manifest {
    /// What the component's file was compiled with.
    public var contract: Contract { Contract(services: services, models: models) }
}
