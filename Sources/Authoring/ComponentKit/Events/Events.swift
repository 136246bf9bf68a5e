/// Tells other components what has happened, without knowing which of them want to know.
///
///     context.events.post(SignedIn(user: user))                                // does not wait
///     let outcome = await context.events.deliver(SignedIn(user: user))         // waits, and returns the failures
///     let user = try context.events.last(SignedIn.self)?.user                  // if it was posted as sticky
///
/// Handlers are called in a fixed order: by priority, then in the order in which components are loaded, then by the
/// names of class and selector; among equal priorities, closures that the program has added come last, in their order.
/// Each begins when the previous one has ended or its time is over. One that throws, hangs or is missing stops no
/// other. Each handler receives the events of one name in the order in which they were posted, one at a time, unless it
/// has the trait `concurrent`.
///
/// All functions may be called from any thread.
public struct Events: Sendable {
    /// The class with which every host delivers events.
    package static let className = "hslink.Events"

    package let link: Link

    package init(_ link: Link) { self.link = link }

    /// Posts an event and waits for no handler, except for quick ones at the start of the order, which run on this
    /// thread unless they are still called for an earlier event. The host logs failures.
    ///
    /// An event that a handler posts is delivered after the one that it handles.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - sticky: whether the host keeps it as the last one of its name, for those who ask later.
    public func post<Event: LinkEvent>(_ event: Event, sticky: Bool = false) {
        post(Event.eventName, event.payload, sticky: sticky)
    }

    /// Posts an event by its name; see ``post(_:sticky:)``.
    public func post(_ name: String, _ payload: Payload, sticky: Bool = false) {
        link.call(Events.className, "post", Events.request(name, payload, sticky: sticky), kind: .class) { answer in
            guard let error = answer.error else { return }
            link.backend.log(.warning, "the event \(name) was not posted: \(error.message)")
        }
    }

    /// Delivers an event and suspends until each handler has ended or its time is over.
    ///
    /// In a handler, the event is delivered at once. ``post(_:sticky:)`` instead waits until the current event has been
    /// delivered. If a handler of the event would have to return first, which it cannot do while it waits, the event is
    /// refused with code ``LinkError/Code/wouldDeadlock``.
    public func deliver<Event: LinkEvent>(_ event: Event, sticky: Bool = false) async -> EventOutcome {
        await deliver(Event.eventName, event.payload, sticky: sticky)
    }

    /// Delivers an event by its name; see ``deliver(_:sticky:)``.
    public func deliver(_ name: String, _ payload: Payload, sticky: Bool = false) async -> EventOutcome {
        do {
            let answer = try await link.call(
                Events.className, "deliver", Events.request(name, payload, sticky: sticky), kind: .class)
            return try EventOutcome(answer)
        } catch {
            return EventOutcome(refusal: LinkError(thrown: error))
        }
    }

    /// Returns the last sticky event of this type; nil if there is none.
    ///
    /// - Throws: `LinkError` if the host cannot answer, or `PayloadError` if the event does not fit the type.
    public func last<Event: LinkEvent>(_ type: Event.Type) throws -> Event? {
        try last(Event.eventName)?.value()
    }

    /// Returns the last sticky event with this name; nil if there is none.
    ///
    /// - Throws: `LinkError` if the host cannot answer.
    public func last(_ name: String) throws(LinkError) -> Payload? {
        let answer = try link.callAndWait(
            Events.className, "last", ["event": .string(name)], kind: .class)
        return answer["value"]
    }

    private static func request(_ name: String, _ payload: Payload, sticky: Bool) -> Payload {
        var entries: [(String, Payload)] = [("event", .string(name)), ("value", payload)]
        if sticky { entries.append(("sticky", true)) }
        if let delivery = __CurrentDelivery.current { entries.append((__CurrentDelivery.key, Payload(delivery))) }
        return .map(entries)
    }
}

extension Link {
    /// The events of the host.
    public var events: Events { Events(self) }
}

extension ComponentContext {
    /// The events of the host; see ``Events``.
    public var events: Events { link.events }
}
