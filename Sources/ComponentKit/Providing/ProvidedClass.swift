/// A link class that an application provides to its components, by code instead of a manifest.
///
///     let host = LinkHost(provides: [ProvidedClass(AppLink.self) { _ in AppLink(window) }])
public struct ProvidedClass: Sendable {
    /// The name under which components find the class.
    public let name: String
    /// Whether components share one instance.
    public let instances: InstancePolicy
    /// Names and kinds of its selectors.
    public let selectors: [(name: String, kind: SelectorKind)]
    /// Names of the services that it provides.
    public let services: [String]
    let table: ClassTable

    /// - Parameters:
    ///   - type: the class itself.
    ///   - name: under which components find the class; nil for the name of the type.
    ///   - instances: whether they share one instance.
    ///   - make: makes an instance, on the thread of the call that needs it; what it throws becomes the
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

    /// A class whose methods are known at run time only, with one instance.
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
