public import ComponentKit
import ManifestRules
import SystemSupport

/// The events of a host: what components and the program tell each other.
///
///     host.events.post(SignedIn(user: user))                                    // does not wait
///     let outcome = await host.events.deliver(SignedIn(user: user))             // waits, and returns the failures
///     for await event in host.events.stream(SignedIn.self) { … }                // ends with the host
///     let audit = host.events.on("com.example.account/signedIn") { payload in … }
///     await audit.remove()                                                      // from now on, it is not called
///
/// Components handle events with `@On`. ``ComponentKit/Events`` says in which order handlers are called.
///
/// All functions may be called from any thread.
public struct HostEvents: Sendable {
    let core: HostCore
    let feature: EventFeature

    /// Posts an event and waits for no handler, except for quick ones at the start of the order, which run on this
    /// thread unless they are still called for an earlier event. Each handler receives the events of one name in the
    /// order in which they were posted. Failures are logged.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - sticky: whether the host keeps it as the last one of its name, for those who ask later.
    public func post<Event: LinkEvent>(_ event: Event, sticky: Bool = false) {
        let name = Event.eventName
        // An unhandled event is not even encoded. Events of the host are kept for components that are loaded later.
        guard
            sticky || feature.registry.snapshot.read({ $0.hasHandlers(of: name) }) || feature.posts.isRecording
                || EventRules.isReserved(name)
        else { return }
        post(request(name, event.payload, sticky: sticky))
    }

    /// Posts an event by its name; see ``post(_:sticky:)``. A name that is not valid is logged.
    public func post(_ name: String, _ payload: Payload, sticky: Bool = false) {
        post(request(name, payload, sticky: sticky))
    }

    private func post(_ request: EventRequest) {
        do throws(LinkError) {
            // All names in the directory are valid.
            if !feature.registry.snapshot.read({ $0.hasHandlers(of: request.event) }) {
                try HostEvents.check(request.event)
            }
            try feature.post(request, in: core)
        } catch {
            core.log(.warning, "the event \(request.event.quoted(limit: 200)) was not posted: \(error.message)")
        }
    }

    /// Delivers an event and suspends until each handler has ended or its time is over, after the events of its name
    /// that were posted earlier. In a handler that would have to return first, the event is refused with code
    /// ``ComponentKit/LinkError/Code/wouldDeadlock``.
    @discardableResult
    public func deliver<Event: LinkEvent>(_ event: Event, sticky: Bool = false) async -> EventOutcome {
        await deliver(Event.eventName, event.payload, sticky: sticky)
    }

    /// Delivers an event by its name; see ``deliver(_:sticky:)``.
    @discardableResult
    public func deliver(_ name: String, _ payload: Payload, sticky: Bool = false) async -> EventOutcome {
        do throws(LinkError) {
            try HostEvents.check(name)
        } catch {
            return EventOutcome(refusal: error)
        }
        let request = request(name, payload, sticky: sticky)
        return await awaitResume { resume in feature.deliver(request, in: core) { resume($0) } }
    }

    /// Calls a closure for each event with this name, until it is removed.
    ///
    /// - Parameters:
    ///   - name: the name of the event.
    ///   - priority: higher ones are called first.
    ///   - sticky: whether the closure is first called for the last sticky event, if there is one.
    ///   - concurrent: whether it may be called for several events at a time, in any order. If it may not, it receives
    ///     the events in the order in which they were posted, each once it is done with the one before.
    ///   - handler: receives the value of the event. It has the time that ``HostOptions/handlerTimeout`` allows; its
    ///     task is cancelled then.
    /// - Returns: The registration, which removes the closure. Releasing it removes nothing.
    @discardableResult
    public func on(
        _ name: String, priority: Int = 0, sticky: Bool = false, concurrent: Bool = false,
        _ handler: @escaping @Sendable (_ payload: Payload) async throws -> Void
    ) -> Registration {
        let gate = ClosureGate()
        let closure = Link(core).asyncClosure { payload in
            try await gate.run {
                try await __CurrentDelivery.handling(payload) {
                    try await handler(payload[EventHandler.closureParameter] ?? .null)
                }
            } otherwise: {
                // The event had reached it before the removal.
            }
            return Payload.null
        }
        guard let object = try? closure.object() else { return Registration(gate: gate) {} }
        let (added, first) = add(
            name, .closure(object, gate), priority: priority, isConcurrent: concurrent, sticky: sticky)
        if let first { feature.begin(first, in: core) }
        return Registration(gate: gate) { [registry = feature.registry] in registry.remove(added.number, of: name) }
    }

    /// Calls a closure for each event of this type, until it is removed; see
    /// ``on(_:priority:sticky:concurrent:_:)-(String,_,_,_,_)``. An event whose value does not fit the type counts as
    /// one that the closure failed to handle.
    @discardableResult
    public func on<Event: LinkEvent>(
        _ type: Event.Type, priority: Int = 0, sticky: Bool = false, concurrent: Bool = false,
        _ handler: @escaping @Sendable (_ event: Event) async throws -> Void
    ) -> Registration {
        on(Event.eventName, priority: priority, sticky: sticky, concurrent: concurrent) { payload in
            try await handler(try payload.value())
        }
    }

    /// Returns the events of this type from now on, in the order in which they were posted, as a sequence that ends
    /// when the host has stopped.
    ///
    /// Events whose value does not fit the type are logged and left out.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - sticky: whether the sequence begins with the last sticky event, if there is one.
    ///   - limit: how many events wait for a slow reader. If there are more, the oldest are dropped.
    public func stream<Event: LinkEvent>(
        _ type: Event.Type, sticky: Bool = false, limit: Int = 1024
    ) -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream<Event>.makeStream(bufferingPolicy: .bufferingNewest(max(limit, 1)))
        let take: @Sendable (Payload) -> Void = { [options = core.options] payload in
            do {
                continuation.yield(try payload.value())
            } catch {
                options.log(
                    .warning, "the event \(Event.eventName) does not fit \(Event.self): \(error)", component: "host")
            }
        }
        let (added, first) = add(Event.eventName, .sink(take), sticky: sticky) { continuation.finish() }
        if let first { feature.begin(first, in: core) }
        continuation.onTermination = { [registry = feature.registry] _ in
            registry.remove(added.number, of: Event.eventName)
        }
        return stream
    }

    /// Returns the last sticky event of this type; nil if there is none.
    ///
    /// - Throws: `PayloadError` if the event does not fit the type.
    public func last<Event: LinkEvent>(_ type: Event.Type) throws(PayloadError) -> Event? {
        try last(Event.eventName)?.value()
    }

    /// Returns the last sticky event with this name; nil if there is none.
    public func last(_ name: String) -> Payload? { feature.registry.last(name) }

    private func request(_ name: String, _ payload: Payload, sticky: Bool) -> EventRequest {
        EventRequest(
            event: name, payload: payload, isSticky: sticky,
            during: __CurrentDelivery.current ?? EventFeature.deliveryOnThread)
    }

    /// Adds a handler. A handler of an event that cannot be posted is logged.
    ///
    /// - Returns: The handler, and the delivery of the last sticky event if the handler is to receive it.
    private func add(
        _ name: String, _ target: EventHandler.Target, priority: Int = 0, isConcurrent: Bool = false, sticky: Bool,
        end: @escaping @Sendable () -> Void = {}
    ) -> (handler: EventHandler, first: EventDelivery?) {
        do throws(LinkError) {
            try HostEvents.check(name)
        } catch {
            core.log(
                .warning, "the handled event \(name.quoted(limit: 200)) cannot be posted: \(error.message)")
        }
        return feature.registry.add(name, target, priority: priority, isConcurrent: isConcurrent, end: end) {
            handler, last in
            sticky ? feature.openFirst(EventRequest(event: name, payload: last), to: [handler]) : nil
        }
    }

    static func check(_ name: String) throws(LinkError) {
        guard TextRule.event.allows(name) else {
            throw LinkError(
                .payloadMismatch, message: "expected \(TextRule.event.expected), found \(name.quoted(limit: 200))")
        }
    }
}

extension HostEvents {
    /// Returns the events of the host that a method of the host's own classes is called in.
    static func of(_ context: ComponentContext?) throws(LinkError) -> HostEvents {
        let core = try HostCore.of(context)
        return HostEvents(core: core, feature: core.feature(EventFeature.self))
    }
}
