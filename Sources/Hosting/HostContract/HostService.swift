public import ComponentKit

/// The service of every host: information about its components, and actions on them.
///
/// ```swift
/// let host = try context.link.service(HostServiceClient.self)
/// for component in try await host.contents().components where component.state == "failed" {
///     print(component.name, component.reason, component.recovery ?? "")
/// }
/// ```
///
/// Tools and consoles use it as they use any other service, in the process or over the control socket.
/// ``HostRoutesService``, ``HostPagesService``, ``HostEventsService``, ``HostResourcesService``, ``HostSchemasService``,
/// ``HostCountersService`` and ``HostConfigurationService`` are other services of every host. All functions may be called
/// from any thread. They throw a `LinkError`.
@LinkService("org.hslink.host/1")
public protocol HostService: Sendable {
    /// Returns what the host has found in its directories: components, services, files that it does not use, and classes
    /// that are declared more than once. Loads nothing.
    func contents() async throws -> HostContents

    /// Returns everything that a component declares about itself, and its resources. Loads nothing.
    ///
    /// - Parameter name: the name of the component.
    /// - Throws: `LinkError` with code `classNotFound` if there is no such component.
    func component(name: String) async throws -> ComponentDetails

    /// Returns whether the host can take calls. Cheap, so that it can be asked every second. Loads nothing.
    func health() async throws -> HostHealth

    /// Returns how long components took to start, to handle events and to stop, those with the longest total first.
    /// Nil if the host does not record times.
    func times() async throws -> [ActivityTime]?

    /// Returns the last lines of the host's log, oldest first. The host keeps 500.
    ///
    /// - Parameter number: only lines after the one with this number; nil for all that are kept.
    func log(after number: Int?) async throws -> [LogLine]

    /// Returns the events that were posted last, oldest first. The host keeps 500, from the first request on, and no
    /// more once no one has asked for a minute.
    ///
    /// - Parameter number: only posts after the one with this number; nil for all that are kept.
    func posts(after number: Int?) async throws -> [EventPost]

    /// Loads a component now, after what it requires.
    ///
    /// - Parameter component: the name of the component.
    /// - Throws: `LinkError` with the reason why it cannot be loaded.
    func load(component: String) async throws

    /// Makes a component that could not be loaded available again, so that its next call tries once more.
    ///
    /// - Parameter component: the name of the component.
    /// - Returns: False if there is no such component, if it has not failed, or if its files must change first.
    func retry(component: String) async throws -> Bool

    /// Scans the directories again.
    ///
    /// - Returns: The changes, a sentence each.
    func rescan() async throws -> [String]
}

/// Whether a host can take calls.
@Model public struct HostHealth: Hashable, Sendable {
    /// "starting" until the components that start with the host are loaded and have been told that it has started;
    /// "running"; or "stopping". A program that does not start its host stays at "starting".
    public var phase: String
    /// The names of the components that should start with the host and could not be loaded, sorted.
    public var failures: [String] = []
    /// Whether the host is running, and nothing has failed.
    public var isReady: Bool
}

/// Everything that a component declares about itself.
@Model public struct ComponentDetails: Hashable, Sendable {
    /// The component in the contents of the host.
    public var component: ComponentRow
    /// The manifest in the canonical form that `hslink inspect --json` prints.
    public var manifest: Payload
    /// The files that come with it; empty if it has none.
    public var resources: [ResourceRow]
}

/// A file that comes with a component.
@Model public struct ResourceRow: Hashable, Sendable {
    /// The path relative to the component's directory of resources.
    public var name: String
    /// The size in bytes; nil if it cannot be opened.
    public var size: Int?
    /// Why the host would not open it; nil if it would.
    public var problem: String?
}

/// How long a component has taken for something.
@Model public struct ActivityTime: Hashable, Sendable {
    /// The component; empty for closures of the program.
    public var component: String
    /// "start", "stop", or the name of an event that it handles.
    public var activity: String
    /// How often it was done.
    public var count: Int
    /// How long all took together, in seconds.
    public var total: Double
    /// How long the slowest took, in seconds.
    public var longest: Double
}

/// A line of the host's log.
@Model public struct LogLine: Hashable, Sendable {
    /// The number of the line, from 1 for the first since the host began.
    public var number: Int
    /// When it was written.
    public var time: Timestamp
    /// "debug", "info", "warning" or "error".
    public var level: String
    /// The component that has written it; "host" for the host itself.
    public var component: String
    /// The text.
    public var message: String
}

/// An event that was posted. Its value is not kept: it may be private.
@Model public struct EventPost: Hashable, Sendable {
    /// The number of the post, from 1.
    public var number: Int
    /// When it was posted.
    public var time: Timestamp
    /// The name of the event.
    public var event: String
    /// How many handlers it was delivered to.
    public var handlers: Int
    /// Whether it is kept for handlers that come later.
    public var isSticky: Bool
}
