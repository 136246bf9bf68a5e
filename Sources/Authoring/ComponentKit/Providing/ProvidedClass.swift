/// A link class that an application provides to its components in code, without a manifest.
///
///     let host = LinkHost(provides: [ProvidedClass(AppLink.self) { _ in AppLink(window) }])
public struct ProvidedClass: Sendable {
    /// The name under which components find the class.
    public let name: String
    /// How instances are created and shared.
    public let instances: InstancePolicy
    /// The names and kinds of its selectors.
    public let selectors: [(name: String, kind: SelectorKind)]
    /// The names of the services that it provides.
    public let services: [String]
    let table: ClassTable

    /// - Parameters:
    ///   - type: The class.
    ///   - name: The name under which components find the class; nil for the name of the type.
    ///   - instances: How instances are created and shared.
    ///   - make: Creates an instance, on the thread of the call that needs it. An error that it throws becomes the
    ///     error of that call.
    public init<Target: LinkClass>(
        _ type: Target.Type, name: String? = nil, instances: InstancePolicy = .shared,
        make: @escaping @Sendable (ComponentContext) throws -> Target = { try Target($0) }
    ) {
        self.name = name ?? "\(type)"
        self.instances = instances
        selectors = Target.methods.map { ($0.name, $0.kind) }
        services = Target.services
        table = ClassTable(type, name: self.name, instances: instances, make: make)
    }

    /// Creates a class whose methods are known only at run time, with one shared instance.
    package init<Target: LinkClass>(
        name: String, methods: [LinkMethod<Target>],
        make: @escaping @Sendable (ComponentContext) throws -> Target
    ) {
        self.name = name
        instances = .shared
        selectors = methods.map { ($0.name, $0.kind) }
        services = []
        table = ClassTable(methods, name: name, instances: .shared, make: make)
    }
}
