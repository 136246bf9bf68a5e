package import CHSLink

/// A component's view of its environment: its name, its directory, and its link to others. There is one context for
/// each host that loads the component.
@safe
public final class ComponentContext: Sendable {
    /// The component's name, as in its manifest.
    public let name: String

    /// The absolute path of the directory that contains the component's file; empty for a component that is linked into
    /// the host's executable. Files that come with the component are in ``resources``.
    public let directory: String

    /// The link to other components and to the host.
    public let link: Link

    /// The host's function table as passed to the component, for the host's own classes; nil where there is no
    /// boundary.
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

    /// The component's own value, if its manifest names a type; nil until it has been created.
    public var component: (any Component)? { startedComponent.withLock { $0 } }

    /// Creates the component's own data directory if necessary, and returns its path. The directory is inside the
    /// host's data directory, is accessible to the host's user only, and is kept when the host ends. No other host uses
    /// it at the same time.
    ///
    /// Creates and locks directories, so do not call it from code that must not block.
    ///
    /// - Returns: The absolute path of the directory.
    /// - Throws: ``LinkError`` with the domain `hslink.data`, whose number is one of `HSLINK_DATA_…`, if the host keeps
    ///   no data, another host is using the data directory (the message names it), other users may write to it, or a
    ///   system call failed; or ``LinkError/Code/stopped``. The next call tries again.
    public func dataDirectory() throws(LinkError) -> String { try directory(isCache: false) }

    /// Creates the component's own directory for what it can make again, such as downloads, if necessary, and returns
    /// its path. Other hosts may use the same directory at the same time, so replace files atomically. An operator may
    /// empty it while no host runs.
    ///
    /// - Returns: The absolute path of the directory.
    /// - Throws: The errors of ``dataDirectory()``.
    public func cacheDirectory() throws(LinkError) -> String { try directory(isCache: true) }

    private func directory(isCache: Bool) throws(LinkError) -> String {
        guard let bridge = link.backend as? BridgeBackend else {
            throw LinkError(
                domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_NONE),
                message: "the component \(name) has no host to keep its \(isCache ? "caches" : "data")")
        }
        return try bridge.dataDirectory(isCache: isCache)
    }

    /// The read-only files that come with the component, in `NAME.resources` next to its file.
    public var resources: Resources {
        guard let bridge = link.backend as? BridgeBackend else {
            return Resources(NoResources(component: name, reason: "the component has no host to find it"))
        }
        if let source = BridgeResources(bridge, component: name) { return Resources(source) }
        return Resources(
            NoResources(
                component: name,
                reason: "the host does not support \(HSLINK_RESOURCES), which finds resources; use a newer host"))
    }

    /// What operators have configured for the component.
    public var configuration: ComponentConfiguration { ComponentConfiguration(configurationSource) }

    /// Where the host runs. Does not change while the host exists.
    public var environment: DeploymentEnvironment { configurationSource.environment }

    private var configurationSource: any ConfigurationSource {
        (link.backend as? BridgeBackend).flatMap { BridgeConfiguration($0) } ?? NoConfiguration()
    }

    func start(_ type: (any Component.Type)?) throws {
        guard let type else { return }
        let component = try type.init(self)
        startedComponent.withLock { $0 = component }
    }

    func stopping() {
        component?.stopping()
        // A task that waits for an element would prevent the component from being destroyed.
        link.backend.sharedObjects.streams.endAll()
    }

    func stop() {
        startedComponent.withLock { $0.take() }?.stop()
        link.backend.sharedObjects.removeAll()
    }
}
