package import CHSLink

/// What a component knows about where it lives: its name, its folder, and the way to others. There is one
/// for each host that loads the component.
@safe
public final class ComponentContext: Sendable {
    /// The component's name, as in its manifest.
    public let name: String

    /// Absolute path of the folder that the component's file lies in, for resources beside it; empty for a
    /// component that is linked into the host's executable.
    public let directory: String

    /// The way to other components and to the host.
    public let link: Link

    /// The functions of the host as the component has them, for the host's own classes; nil where there is no boundary.
    package var hostFunctions: UnsafePointer<hslink_host>? { unsafe (link.backend as? BridgeBackend)?.host }

    private let startedComponent = Lock<(any Component)?>(nil)

    init(host: UnsafePointer<hslink_host>) {
        name = unsafe String(host.pointee.component)
        directory = unsafe String(host.pointee.directory)
        link = unsafe Link(BridgeBackend(host))
    }

    package init(name: String, directory: String, link: Link) {
        self.name = name
        self.directory = directory
        self.link = link
    }

    /// The component's own value, where its manifest names a type; nil while that is being made.
    public var component: (any Component)? { startedComponent.withLock { $0 } }

    func start(_ type: (any Component.Type)?) throws {
        guard let type else { return }
        let component = try type.init(self)
        startedComponent.withLock { $0 = component }
    }

    func stop() {
        startedComponent.withLock { $0.take() }?.stop()
        link.backend.sharedObjects.removeAll()
    }
}
