import ComponentKit
import ManifestRules

/// The handlers of a host's events: those that manifests declare, and what the program adds while it runs. Also keeps
/// the last sticky events, and the events in the host's life for components that are loaded later.
final class EventRegistry: Sendable {
    let snapshot: Snapshot<EventDirectory>
    private let contents: Lock<Contents>
    /// The deliveries under way, by number.
    let deliveries = OpenDeliveries()

    /// What the program has added, and what to call when the host has stopped.
    fileprivate typealias Added = (handler: EventHandler, end: @Sendable () -> Void)

    /// What the snapshot is made from.
    fileprivate struct Contents {
        var declared: [String: [EventHandler]] = [:]
        /// What the program has added, by event, in its order.
        var added: [String: [Added]] = [:]
        /// The last sticky event of each name.
        var last = StickyEvents()
        /// The latest events in the host's life, oldest first.
        var life: [LifeEvent] = []
        /// The last number that was given to what the program has added.
        var number = 0
        /// Whether the host has stopped, so that closures are not kept any more.
        var isOver = false
    }

    /// An event in the host's life.
    struct LifeEvent {
        let name: String
        let payload: Payload
        /// The handlers that its own delivery calls, although their component was not loaded.
        var called: [EventHandler]
    }

    /// How many events in the host's life are kept for components that are loaded later.
    private static let lifeLimit = 64

    init() {
        snapshot = Snapshot(EventDirectory([:]))
        contents = Lock(Contents())
    }

    /// Reads the declarations of the components. The handlers of components that stay are kept, with what they have
    /// received.
    func replace(_ units: [ComponentUnit]) {
        let declared = EventDirectory.declared(units)
        changeAll { contents in
            var kept: [EventHandler.Key: EventHandler] = [:]
            for handler in contents.declared.values.joined() {
                if let key = handler.key { kept[key] = handler }
            }
            contents.declared = declared.mapValues { handlers in
                handlers.map { handler in handler.key.flatMap { kept[$0] } ?? handler }
            }
        }
    }

    /// Adds what the program wants to be told.
    ///
    /// - Parameter end: is called when the host has stopped.
    /// - Returns: The handler, and the last sticky event.
    func add(
        _ event: String, priority: Int, _ target: EventHandler.Target, end: @escaping @Sendable () -> Void = {}
    ) -> (handler: EventHandler, last: Payload?) {
        let (handler, last, isOver) = change(event) { contents in
            contents.number += 1
            let handler = EventHandler(
                target, parameter: EventHandler.closureParameter, loads: false, priority: priority,
                number: contents.number)
            if !contents.isOver { contents.added[event, default: []].append((handler, end)) }
            return (handler, contents.last[event], contents.isOver)
        }
        if isOver { end() }
        return (handler, last)
    }

    /// Removes what the program has added for an event; no effect if it has been removed.
    func remove(_ number: Int, of event: String) {
        // The closure is released outside the lock.
        let removed = change(event) { contents -> Added? in
            guard var added = contents.added.removeValue(forKey: event) else { return nil }
            let removed = added.firstIndex { $0.handler.number == number }.map { added.remove(at: $0) }
            if !added.isEmpty { contents.added[event] = added }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Releases the closures of the program, which hold the host. No more are added.
    func end() {
        let former = changeAll { contents in
            let former = contents
            contents.isOver = true
            contents.added = [:]
            contents.last = StickyEvents()
            contents.life = []
            return former
        }
        for added in former.added.values.joined().sorted(by: { $0.handler.number < $1.handler.number }) { added.end() }
    }

    /// Changes the contents, and publishes the handlers of one event.
    private func change<Result>(_ event: String, _ body: (inout Contents) -> Result) -> Result {
        change(body) { contents, former in former.replacing(event, with: contents.handlers(of: event)) }
    }

    /// Changes the contents, and publishes all of them.
    private func changeAll<Result>(_ body: (inout Contents) -> Result) -> Result {
        change(body) { contents, _ in
            let events = Set(contents.declared.keys).union(contents.added.keys)
            return EventDirectory(
                Dictionary(uniqueKeysWithValues: events.map { ($0, contents.handlers(of: $0)) }))
        }
    }

    private func change<Result>(
        _ body: (inout Contents) -> Result, publishing: (Contents, EventDirectory) -> EventDirectory
    ) -> Result {
        let (result, free) = contents.withLock { contents in
            let result = body(&contents)
            return (result, snapshot.replace(with: publishing(contents, snapshot.value)))
        }
        withExtendedLifetime(free) {}
        return result
    }

    // MARK: - Values

    /// The last sticky event with this name.
    func last(_ event: String) -> Payload? { contents.withLock { $0.last[event] } }

    /// Keeps an event as the last one of its name.
    ///
    /// - Returns: The handlers to call now. One that is added meanwhile asks for the last event itself.
    /// - Throws: `LinkError` if it is too large, or if too many are kept already.
    func keep(_ event: String, _ payload: Payload) throws(LinkError) -> [EventHandler] {
        let kept = try StickyEvents.measure(event, payload)
        // The former event is released outside the lock.
        let (former, handlers) = try contents.withLock {
            contents throws(LinkError) -> (StickyEvents.Kept?, [EventHandler]) in
            let handlers = snapshot.read { $0.handlers(of: event) }
            return (contents.isOver ? nil : try contents.last.keep(kept, as: event), handlers)
        }
        withExtendedLifetime(former) {}
        return handlers
    }

    // MARK: - The host's life

    /// Keeps an event in the host's life for components that are loaded later.
    ///
    /// - Returns: The handlers to call now. A component that is loaded meanwhile receives it afterwards.
    func recordLife(_ event: String, _ payload: Payload) -> [EventHandler] {
        let (handlers, forgotten) = contents.withLock { contents -> ([EventHandler], [LifeEvent]) in
            let handlers = snapshot.read { $0.handlers(of: event) }.filter(\.isReachable)
            var forgotten: [LifeEvent] = []
            // Only the latest of these matters to a component that is loaded later.
            if EventRules.latestOnly.contains(event) {
                forgotten = contents.life.filter { $0.name == event }
                contents.life.removeAll { $0.name == event }
            }
            // What ran short then, need not run short now.
            guard !EventRules.momentary.contains(event) else { return (handlers, forgotten) }
            contents.life.append(
                LifeEvent(
                    name: event, payload: payload, called: handlers.filter { $0.unit != nil && !$0.isBound }))
            if contents.life.count > EventRegistry.lifeLimit { forgotten.append(contents.forgetLife()) }
            return (handlers, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return handlers
    }

    /// Notes that a handler was called for an event in the host's life in vain, because its component could not be
    /// loaded: once it is loaded, it has missed the event.
    func forgetCall(of handler: EventHandler, for event: String) {
        contents.withLock { contents in
            for index in contents.life.indices where contents.life[index].name == event {
                contents.life[index].called.removeAll { $0 === handler }
            }
        }
    }

    /// Binds the handlers of a component that has just been loaded.
    ///
    /// - Returns: The events in the host's life that it has missed, oldest first, each with its handlers.
    func attach(_ unit: ComponentUnit) -> [(event: LifeEvent, handlers: [EventHandler])] {
        contents.withLock { contents in
            for handlers in contents.declared.values {
                for handler in handlers where handler.unit === unit { handler.bind() }
            }
            return contents.life.compactMap { event in
                let handlers = snapshot.read { $0.handlers(of: event.name) }.filter { handler in
                    handler.unit === unit && !event.called.contains { $0 === handler }
                }
                return handlers.isEmpty ? nil : (event, handlers)
            }
        }
    }
}

extension EventRegistry.Contents {
    /// The handlers of an event: the declared ones, then what the program has added, in its order.
    fileprivate func handlers(of event: String) -> [EventHandler] {
        // All names in the directory are valid, so that they need not be checked again for each event.
        guard TextRule.event.allows(event) else { return [] }
        return declared[event, default: []] + added[event, default: []].map(\.handler)
    }

    /// Forgets the oldest event in the host's life that has a later one of its name, or else the oldest.
    fileprivate mutating func forgetLife() -> EventRegistry.LifeEvent {
        let index = life.indices.first { index in life[(index + 1)...].contains { $0.name == life[index].name } }
        return life.remove(at: index ?? 0)
    }
}
