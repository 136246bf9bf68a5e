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
    package var hostFunctions: UnsafePointer<hslink_host>? { unsafe link.hostFunctions }

    private let startedComponent = Lock<(any Component)?>(nil)

    init(host: UnsafePointer<hslink_host>) {
        name = unsafe String(name: host.pointee.component)
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

    /// The directory that the component keeps its data in: its own, below the host's data directory, for the host's
    /// user alone. It is made at the first use, and what lies in it stays when the host ends. No other host works
    /// on it at the same time.
    ///
    /// Makes and locks directories, so not for code that must not block.
    ///
    /// - Returns: its absolute path.
    /// - Throws: an error of the domain `hslink.data`, whose number is one of `HSLINK_DATA_…`: the host keeps no data,
    ///   another host has its data directory (the message names it), others may write to it, or the system refuses;
    ///   or ``LinkError/Code/stopped``. The next use tries again.
    public func dataDirectory() throws(LinkError) -> String {
        guard let bridge = link.backend as? BridgeBackend else {
            throw LinkError(
                domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_NONE),
                message: "the component \(name) has no host that would keep its data")
        }
        return try bridge.dataDirectory()
    }

    func start(_ type: (any Component.Type)?) throws {
        guard let type else { return }
        let component = try type.init(self)
        startedComponent.withLock { $0 = component }
    }

    func stopping() {
        component?.stopping()
        // Whoever waits for an element would keep the component until then.
        link.backend.sharedObjects.streams.endAll()
    }

    func stop() {
        startedComponent.withLock { $0.take() }?.stop()
        link.backend.sharedObjects.removeAll()
    }
}
