public import ComponentKit

/// What a host knows of events, from the manifests of its components: its class `hslink.Events`. Events are posted with
/// `Events` of ComponentKit.
///
/// All functions may be called from any thread, and load no component. They throw a `LinkError`.
@LinkService("org.hslink.host.events/1", kind: .class)
public protocol HostEventsService: Sendable {
    /// Returns the events that components declare to post or to handle, sorted by name.
    func events() throws -> DeclaredEvents

    /// Returns the last event of this name that was posted as a sticky one; nil if there is none.
    ///
    /// - Parameter event: the name of the event.
    @Selector(.quick, .strict) func last(event: String) throws -> StickyEvent?
}

/// The events of a host.
@Model public struct DeclaredEvents: Hashable, Sendable {
    /// Sorted by name.
    public var events: [EventRow]
}

/// An event that components post or handle.
@Model(.sparse) public struct EventRow: Hashable, Sendable {
    /// The name of the event.
    public var name: String
    /// The components that declare that they post it; "host" for the events of the host.
    public var posters: [String]
    /// The handlers that components declare, in the order in which they are called.
    public var handlers: [EventHandlerRow]
    /// What is wrong with it, as far as manifests show: nothing posts it, or components declare its value differently.
    public var problems: [String] = []
}

/// A handler of an event.
@Model(.sparse) public struct EventHandlerRow: Hashable, Sendable {
    /// The component.
    public var component: String
    /// The class that has the selector.
    public var `class`: String
    /// The selector that handles the event.
    public var selector: String
    /// Whether the event loads the component.
    public var loads: Bool = false
    /// Whether the handler may be called for several events at a time, in any order.
    public var concurrent: Bool = false
    /// The order among handlers; higher ones are called first.
    public var priority: Int = 0
}

/// An event that a host keeps for handlers that come later.
@Model public struct StickyEvent: Hashable, Sendable {
    /// What it carries.
    public var value: Payload
}
