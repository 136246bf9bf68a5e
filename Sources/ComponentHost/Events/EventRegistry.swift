import ComponentKit
import Synchronization

/// The handlers of a host's events: those that manifests declare, and what the program adds while it runs. Also keeps
/// the last sticky events, and the events in the host's life for components that are loaded later.
final class EventRegistry: Sendable {
    let snapshot: Snapshot<EventDirectory>
    private let contents: Lock<Contents>
    /// The deliveries under way, by number.
    let deliveries = EventDeliveries()

    /// What the snapshot is made from.
    private struct Contents {
        var declared: [String: [EventHandler]]
        var added: [(event: String, handler: EventHandler, end: @Sendable () -> Void)] = []
        /// The last sticky event of each name.
        var last: [String: Payload] = [:]
        /// The latest events in the host's life, oldest first.
        var life: [LifeEvent] = []
        var lifeCount = 0
        /// The last number that was given to what the program has added.
        var number = 0
        /// Whether the host has stopped, so that closures are not kept any more.
        var isOver = false
    }

    /// An event in the host's life.
    struct LifeEvent {
        let number: Int
        let name: String
        let payload: Payload
    }

    /// How many events in the host's life are kept for components that are loaded later.
    private static let lifeLimit = 64
    /// How many sticky events are kept.
    static let lastLimit = 4096

    init(_ units: [ComponentUnit]) {
        let declared = EventDirectory.declared(units)
        snapshot = Snapshot(EventDirectory(declared))
        contents = Lock(Contents(declared: declared))
    }

    /// Reads the declarations of the components again.
    func replace(_ units: [ComponentUnit]) {
        let declared = EventDirectory.declared(units)
        change { contents in
            // Handlers of components in memory stay bound.
            for handler in declared.values.joined() where handler.unit?.loaded != nil { handler.bind() }
            contents.declared = declared
        }
    }

    /// Adds what the program wants to be told.
    ///
    /// - Parameter end: is called when the host has stopped.
    /// - Returns: The handler, and the last sticky event.
    func add(
        _ event: String, priority: Int, _ target: EventHandler.Target, end: @escaping @Sendable () -> Void = {}
    ) -> (handler: EventHandler, last: Payload?) {
        let (handler, last, isOver) = change { contents in
            contents.number += 1
            let handler = EventHandler(
                target, parameter: EventHandler.closureParameter, loads: false, priority: priority,
                number: contents.number)
            if !contents.isOver { contents.added.append((event, handler, end)) }
            return (handler, contents.last[event], contents.isOver)
        }
        if isOver { end() }
        return (handler, last)
    }

    /// Removes what the program has added; no effect if it has been removed.
    func remove(_ number: Int) {
        // The closure is released outside the lock.
        let removed = change { contents in
            let removed = contents.added.filter { $0.handler.number == number }
            contents.added.removeAll { $0.handler.number == number }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Releases the closures of the program, which hold the host. No more are added.
    func end() {
        let former = change { contents in
            let former = contents
            contents.isOver = true
            contents.added = []
            contents.last = [:]
            contents.life = []
            return former
        }
        for added in former.added { added.end() }
    }

    /// Changes the contents and publishes them.
    private func change<Result>(_ body: (inout Contents) -> Result) -> Result {
        let (result, free) = contents.withLock { contents in
            let result = body(&contents)
            var handlers = contents.declared
            for (event, handler, _) in contents.added { handlers[event, default: []].append(handler) }
            return (result, snapshot.replace(with: EventDirectory(handlers)))
        }
        withExtendedLifetime(free) {}
        return result
    }

    // MARK: - Values

    /// The last sticky event with this name.
    func last(_ event: String) -> Payload? { contents.withLock { $0.last[event] } }

    /// Keeps an event as the last one of its name.
    ///
    /// - Throws: `LinkError` if too many are kept already.
    func keep(_ event: String, _ payload: Payload) throws(LinkError) {
        let (former, isKept) = contents.withLock { contents -> (Payload?, Bool) in
            guard !contents.isOver else { return (nil, true) }
            guard contents.last[event] != nil || contents.last.count < EventRegistry.lastLimit else {
                return (nil, false)
            }
            return (contents.last.updateValue(payload, forKey: event), true)
        }
        withExtendedLifetime(former) {}
        guard !isKept else { return }
        throw LinkError(
            .payloadMismatch, message: "the host keeps \(EventRegistry.lastLimit) sticky events already")
    }

    // MARK: - The host's life

    /// Keeps an event in the host's life for components that are loaded later.
    ///
    /// - Returns: The handlers to call now. A component that is loaded meanwhile receives it afterwards.
    func recordLife(_ event: String, _ payload: Payload) -> [EventHandler] {
        contents.withLock { contents in
            contents.lifeCount += 1
            contents.life.append(LifeEvent(number: contents.lifeCount, name: event, payload: payload))
            if contents.life.count > EventRegistry.lifeLimit { contents.life.removeFirst() }
            return snapshot.read { $0.handlers(of: event) }.filter { handler in
                guard handler.unit != nil, !handler.isBound else { return true }
                guard handler.loads || handler.unit?.isHost == true else { return false }
                handler.awaited.store(contents.lifeCount, ordering: .releasing)
                return true
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
                    handler.unit === unit && handler.awaited.load(ordering: .acquiring) != event.number
                }
                return handlers.isEmpty ? nil : (event, handlers)
            }
        }
    }
}
