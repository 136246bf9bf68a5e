import ComponentKit
import ManifestRules

/// The handlers of a host's events: those that manifests declare, and what the program adds while it runs. Also keeps
/// the last sticky events, and the events in the host's life for components that are loaded later.
final class EventRegistry: Sendable {
    let snapshot: Snapshot<EventDirectory>
    private let contents: Lock<Contents>
    /// The deliveries under way, by number.
    let deliveries = OpenDeliveries()

    /// A new delivery, and how it begins.
    typealias Opened = (delivery: EventDelivery, opening: OpenDeliveries.Opening)

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
        /// The lines of the events that have handlers.
        var lines: [String: EventLine] = [:]
        /// Why components could not be loaded for an event, as it was last logged.
        var reasons: [String: String] = [:]
        /// The last number that was given to what the program has added.
        var number = 0
        /// Whether the host has stopped, so that closures are not kept any more.
        var isOver = false
    }

    /// An event in the host's life.
    struct LifeEvent {
        let name: String
        let payload: Payload
        /// The number of its own delivery; nil if it had no handlers.
        let delivery: Int?
        /// The handlers that its own delivery calls, although their component was not loaded, and their successors.
        var called: [EventHandler.Identity]
    }

    /// How many events in the host's life are kept for components that are loaded later.
    private static let lifeLimit = 64

    init() {
        snapshot = Snapshot(EventDirectory([:]))
        contents = Lock(Contents())
    }

    /// Reads the declarations of the components. The handlers of components that stay are kept, with what they have
    /// received; those of components that are replaced have successors.
    func replace(_ units: [ComponentUnit]) {
        changeAll { contents in
            var kept: [EventHandler.Key: EventHandler] = [:]
            var identities: [EventHandler.Place: EventHandler.Identity] = [:]
            for handler in contents.declared.values.joined() {
                if let key = handler.key { kept[key] = handler }
                if let place = handler.place { identities[place] = handler.identity }
            }
            let declared = EventDirectory.declared(units) {
                contents.line(of: $0)
            } identity: {
                identities[$0]
            }
            contents.declared = declared.mapValues { handlers in
                handlers.map { handler in handler.key.flatMap { kept[$0] } ?? handler }
            }
        }
    }

    /// Adds what the program wants to be told.
    ///
    /// - Parameters:
    ///   - end: is called when the host has stopped.
    ///   - openFirst: opens the delivery of the last sticky event, if there is one, before any event that is posted
    ///     later.
    /// - Returns: The handler, and that delivery.
    func add(
        _ event: String, _ target: EventHandler.Target, priority: Int, isConcurrent: Bool,
        end: @escaping @Sendable () -> Void, openFirst: (EventHandler, _ last: Payload) -> EventDelivery?
    ) -> (handler: EventHandler, first: EventDelivery?) {
        let (handler, first, isOver) = change(event) { contents in
            contents.number += 1
            let handler = EventHandler(
                target, parameter: EventHandler.closureParameter, loads: false, isConcurrent: isConcurrent,
                priority: priority, number: contents.number, line: contents.line(of: event))
            if !contents.isOver { contents.added[event, default: []].append((handler, end)) }
            return (handler, contents.last[event].flatMap { openFirst(handler, $0) }, contents.isOver)
        }
        if isOver { end() }
        return (handler, first)
    }

    /// Removes what the program has added for an event; no effect if it has been removed.
    func remove(_ number: Int, of event: String) {
        // The closure is released outside the lock.
        let removed = change(event) { contents -> Added? in
            guard var added = contents.added.removeValue(forKey: event) else { return nil }
            let removed = added.firstIndex { $0.handler.number == number }.map { added.remove(at: $0) }
            if !added.isEmpty { contents.added[event] = added }
            if added.isEmpty, contents.declared[event] == nil { contents.lines[event] = nil }
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

    /// Opens the delivery of an event, in one step with what the host keeps of it, so that of two events the later one
    /// is kept.
    ///
    /// - Parameter open: opens the delivery to the handlers, of which there may be none. Called with a lock held.
    /// - Returns: What `open` returns.
    /// - Throws: `LinkError` if the event is to be kept and is too large, or too many are kept already; and what `open`
    ///   throws. Nothing is kept then.
    func open(
        _ request: EventRequest, _ open: ([EventHandler]) throws(LinkError) -> Opened?
    ) throws(LinkError) -> Opened? {
        if EventRules.isReserved(request.event) {
            if request.isSticky { _ = try keep(request) { _ in nil } }
            return try recordLife(request, open)
        }
        if request.isSticky { return try keep(request, open) }
        return try open(snapshot.read { $0.handlers(of: request.event) })
    }

    private func keep(
        _ request: EventRequest, _ open: ([EventHandler]) throws(LinkError) -> Opened?
    ) throws(LinkError) -> Opened? {
        let event = request.event
        let kept = try StickyEvents.measure(event, request.payload)
        // The former event is released outside the lock.
        let (former, opened) = try contents.withLock {
            contents throws(LinkError) -> (StickyEvents.Kept?, Opened?) in
            let handlers = snapshot.read { $0.handlers(of: event) }
            guard !contents.isOver else { return (nil, try open(handlers)) }
            let former = try contents.last.keep(kept, as: event)
            do throws(LinkError) {
                return (former, try open(handlers))
            } catch {
                contents.last.restore(former, as: event)
                throw error
            }
        }
        withExtendedLifetime(former) {}
        return opened
    }

    // MARK: - The host's life

    /// Keeps an event in the host's life for components that are loaded later. A component that is loaded meanwhile
    /// receives it afterwards.
    private func recordLife(
        _ request: EventRequest, _ open: ([EventHandler]) throws(LinkError) -> Opened?
    ) throws(LinkError) -> Opened? {
        let event = request.event
        let (opened, forgotten) = try contents.withLock { contents throws(LinkError) -> (Opened?, [LifeEvent]) in
            let handlers = snapshot.read { $0.handlers(of: event) }.filter(\.isReachable)
            let opened = try open(handlers)
            var forgotten: [LifeEvent] = []
            // Only the latest of these matters to a component that is loaded later.
            if EventRules.latestOnly.contains(event) {
                forgotten = contents.life.filter { $0.name == event }
                contents.life.removeAll { $0.name == event }
            }
            // What ran short then, need not run short now.
            guard !EventRules.momentary.contains(event) else { return (opened, forgotten) }
            contents.life.append(
                LifeEvent(
                    name: event, payload: request.payload, delivery: opened?.delivery.number,
                    called: handlers.filter { $0.unit != nil && !$0.isBound }.map(\.identity)))
            if contents.life.count > EventRegistry.lifeLimit { forgotten.append(contents.forgetLife()) }
            return (opened, forgotten)
        }
        withExtendedLifetime(forgotten) {}
        return opened
    }

    /// Notes that a handler was called for an event in the host's life in vain, because its component could not be
    /// loaded: once it is loaded, it has missed the event. Others of the same name may still wait for their turn.
    func forgetCall(of handler: EventHandler, in delivery: EventDelivery) {
        contents.withLock { contents in
            guard let index = contents.life.firstIndex(where: { $0.delivery == delivery.number }) else { return }
            contents.life[index].called.removeAll { $0 === handler.identity }
        }
    }

    /// Binds the handlers of a component that has just been loaded.
    ///
    /// - Parameter open: opens the delivery of an event in the host's life that it has missed, before any that is
    ///   posted later. Called with a lock held.
    /// - Returns: These deliveries, oldest event first.
    func attach(
        _ unit: ComponentUnit, _ open: (LifeEvent, [EventHandler]) -> EventDelivery?
    ) -> [EventDelivery] {
        contents.withLock { contents in
            contents.reasons[unit.name] = nil
            let missed = contents.life.compactMap { event -> EventDelivery? in
                let handlers = snapshot.read { $0.handlers(of: event.name) }.filter { handler in
                    handler.unit === unit && !event.called.contains { $0 === handler.identity }
                }
                return handlers.isEmpty ? nil : open(event, handlers)
            }
            // What is posted from now on reaches them, after what they have missed.
            for handlers in contents.declared.values {
                for handler in handlers where handler.unit === unit { handler.bind() }
            }
            return missed
        }
    }

    /// Whether a component could not be loaded for an event for another reason than before.
    func isNewReason(_ error: LinkError, of component: String) -> Bool {
        contents.withLock { $0.reasons.updateValue(error.message, forKey: component) != error.message }
    }
}

extension EventRegistry.Contents {
    /// The line of an event.
    fileprivate mutating func line(of event: String) -> EventLine {
        if let line = lines[event] { return line }
        let line = EventLine()
        lines[event] = line
        return line
    }

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
