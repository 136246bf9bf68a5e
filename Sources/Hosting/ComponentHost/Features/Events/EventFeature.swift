import CHSLink
import ComponentKit
import ManifestRules
import SystemSupport

/// The events of a host, and how they are delivered.
final class EventFeature: HostFeature {
    static var place: Int { 1 }
    static let classes = [EventsLink.provided]

    let registry = EventRegistry()
    /// The events that were posted last, while a client asks for them.
    let posts = RecentPosts()
    /// How long a handler may take.
    let handlerTimeout: Duration
    private let reportsMemoryPressure: Bool
    /// Posts `MemoryPressure` once the host has started.
    private let memoryMonitor = Lock<MemoryPressureMonitor?>(nil)

    /// - Parameters:
    ///   - handlerTimeout: how long a handler may take.
    ///   - reportsMemoryPressure: whether a host that has started posts `MemoryPressure`.
    init(handlerTimeout: Duration, reportsMemoryPressure: Bool) {
        self.handlerTimeout = handlerTimeout
        self.reportsMemoryPressure = reportsMemoryPressure
    }

    deinit { stopWatchingMemory() }

    func publish(_ units: [ComponentUnit]) { registry.replace(units) }

    func loaded(_ unit: ComponentUnit, in core: HostCore) { attach(unit, in: core) }

    func announce(_ event: String, _ payload: Payload, in core: HostCore) {
        // If the host stops meanwhile, there is no one to tell.
        try? CallerContext.withNothingCarried { () throws(LinkError) in
            try post(EventRequest(event: event, payload: payload), in: core)
        }
    }

    func announceAndWait(_ event: String, _ payload: Payload, until end: Deadline?, in core: HostCore) {
        CallerContext.withNothingCarried {
            deliver(EventRequest(event: event, payload: payload, end: end, callerSleeps: true), in: core) { _ in }
        }
    }

    func starting(in core: HostCore) { if reportsMemoryPressure { watchMemory(in: core) } }

    func closing() { stopWatchingMemory() }

    var isAtWork: Bool { registry.deliveries.isAnyUnfinished }

    func stopped(_ report: StopReport, in core: HostCore) {
        tellStopped(in: core)
        registry.end()
    }

    /// A start may have begun to watch the memory after ``closing()``.
    func over(in core: HostCore) { stopWatchingMemory() }

    // MARK: - Memory

    /// Posts `MemoryPressure` from now on until the host stops.
    private func watchMemory(in core: HostCore) {
        let triggers = MemoryPressureMonitor.open()
        guard !triggers.isEmpty else {
            return core.log(.debug, "memory pressure is not reported: the kernel offers no pressure stall information")
        }
        let reports = Lock(PressureReports())
        let monitor = MemoryPressureMonitor(triggers) { [weak core] level in
            guard let core else { return }
            if reports.withLock({ $0.isLogged(level, at: .now) }) {
                core.log(.warning, "memory is running short (\(level))")
            }
            core.announce(MemoryPressure(level: level))
        }
        guard monitor.start() else {
            return core.log(.warning, "memory pressure is not reported: no thread could be made")
        }
        memoryMonitor.withLock { $0 = monitor }
    }

    /// Ends the thread that watches the memory, without waiting for it.
    private func stopWatchingMemory() { memoryMonitor.withLock { $0.take() }?.stop() }
}

/// An event, and how it is to be delivered.
struct EventRequest: Sendable {
    let event: String
    let payload: Payload
    var isSticky = false
    /// The delivery whose handler makes the request; nil outside of handlers.
    var during: Int?
    /// When all handlers must have ended; nil if each has the time in the options.
    var end: Deadline?
    /// Whether this thread sleeps until each handler has ended.
    var callerSleeps = false
    /// What the event belongs to if another one has led to it.
    var cascade: EventCascade?
}

// Posts and delivers events.
extension EventFeature {
    /// Posts an event for the running code and waits for no handler, except for quick ones at the start of the order.
    ///
    /// - Throws: `LinkError` with the reason why it is not delivered to anyone.
    func post(_ request: EventRequest, in core: HostCore) throws(LinkError) {
        let causes = try registry.deliveries.causes(of: request.event, during: request.during)
        if let number = request.during {
            let context = CallerContext.current.outsideOfHandlers
            let isWaiting = try registry.deliveries.wait(for: number) { cascade in
                OpenDeliveries.Waiting(
                    event: request.event, payload: request.payload, isSticky: request.isSticky, causes: causes,
                    context: context, cascade: cascade)
            }
            if isWaiting { return }
        }
        _ = try deliver(request, causes, in: core) { _ in }
    }

    /// Delivers an event and passes the outcome to `completion`, exactly once.
    func deliver(
        _ request: EventRequest, in core: HostCore, _ completion: @escaping @Sendable (EventOutcome) -> Void
    ) {
        do throws(LinkError) {
            let causes = try registry.deliveries.causes(of: request.event, during: request.during)
            if let outcome = try deliver(request, causes, in: core, later: completion) { completion(outcome) }
        } catch {
            completion(EventOutcome(refusal: error))
        }
    }

    /// Delivers an event, and then what its handlers have posted.
    ///
    /// - Returns: The outcome if all handlers have ended. Otherwise nil, and `later` is called with it.
    private func deliver(
        _ request: EventRequest, _ causes: [String], in core: HostCore,
        later: @escaping @Sendable (EventOutcome) -> Void
    ) throws(LinkError) -> EventOutcome? {
        guard !core.engine.isOver else { throw LinkError(.stopped) }
        // Handlers are called with what the poster's calls carry, and none with less.
        if Carried.isInUse { _ = try Carried.ofRunningCode.get() }
        let kept = request.isSticky ? try registry.keep(request.event, request.payload) : nil
        let handlers =
            EventRules.isReserved(request.event)
            ? registry.recordLife(request.event, request.payload)
            : kept ?? registry.snapshot.read { $0.handlers(of: request.event) }
        if posts.isRecording { posts.record(request.event, to: handlers, isSticky: request.isSticky) }
        return run(request, handlers, causes: causes, in: core, later: later)
    }

    private func run(
        _ request: EventRequest, _ handlers: [EventHandler], causes: [String], in core: HostCore,
        later: @escaping @Sendable (EventOutcome) -> Void
    ) -> EventOutcome? {
        guard !handlers.isEmpty else { return EventOutcome() }
        let number = registry.deliveries.begin(request.event, after: causes, in: request.cascade)
        var delivery = EventDelivery(
            of: request.event, to: handlers,
            call: EventCall(
                request.payload, number: number, timeout: handlerTimeout, end: request.end,
                callerSleeps: request.callerSleeps))
        let outcome = delivery.run(in: core) { outcome in
            // Not with `self`: every delivery would retain the feature for a function that is seldom called.
            core.with(EventFeature.self) { events in
                let waiting = events.registry.deliveries.end(number)
                events.deliver(waiting[...], until: request.end, in: core)
            }
            later(outcome)
        }
        guard let outcome else { return nil }
        let waiting = registry.deliveries.end(number)
        // What the handlers have posted is delivered before the poster goes on, as far as handlers are quick.
        deliver(waiting[...], until: request.end, in: core)
        return outcome
    }

    /// Delivers posts one after the other, each in the context of its poster.
    ///
    /// - Parameter end: when all of their handlers must have ended, as for the event that has led to them.
    private func deliver(
        _ waiting: ArraySlice<OpenDeliveries.Waiting>, until end: Deadline?, in core: HostCore
    ) {
        var waiting = waiting
        while let next = waiting.popFirst() {
            guard end?.hasPassed != true else {
                let others = waiting.isEmpty ? "" : " and \(waiting.count) others"
                return core.log(.warning, "the event \(next.event)\(others) came too late and was not delivered")
            }
            let rest = waiting
            let hasEnded = next.context.run { [self] in deliver(next, rest, until: end, in: core) }
            guard hasEnded else { return }
        }
    }

    /// Delivers a post, and then the rest if its handlers end later.
    ///
    /// - Returns: Whether its handlers have ended.
    private func deliver(
        _ next: OpenDeliveries.Waiting, _ rest: ArraySlice<OpenDeliveries.Waiting>, until end: Deadline?,
        in core: HostCore
    ) -> Bool {
        do throws(LinkError) {
            let request = EventRequest(
                event: next.event, payload: next.payload, isSticky: next.isSticky, end: end, cascade: next.cascade)
            let outcome = try deliver(request, next.causes, in: core) { [self] _ in
                deliver(rest, until: end, in: core)
            }
            return outcome != nil
        } catch {
            core.log(.warning, "the event \(next.event) was not delivered: \(error.message)")
            return true
        }
    }

    // MARK: - The host's life

    /// Tells the program's own closures that the host has stopped, and waits for none: nothing would end a call that
    /// hangs.
    private func tellStopped(in core: HostCore) {
        let payload = HostStopped().payload
        for handler in registry.snapshot.read({ $0.handlers(of: HostStopped.eventName) }) {
            switch handler.target {
            case .selector: break
            case .sink(let take): take(payload)
            case .closure(let object, _):
                core.begin(
                    .object(object, selector: ""), [EventHandler.closureParameter: payload],
                    mode: .inPlace(callerSleeps: false)
                ).finish(.outcome { _ in })
            }
        }
    }

    /// Lets a component that has just been loaded receive events, first those in the host's life that it has missed.
    func attach(_ unit: ComponentUnit, in core: HostCore) {
        let missed = registry.attach(unit)
        guard !missed.isEmpty else { return }
        CallerContext.withNothingCarried {
            for (event, handlers) in missed {
                let request = EventRequest(event: event.name, payload: event.payload, callerSleeps: true)
                _ = run(request, handlers, causes: [], in: core) { _ in }
            }
        }
    }

    /// Runs code that continues what began before the host was stopped, and may make calls meanwhile.
    static func inFlight<Value>(_ body: () -> Value) -> Value {
        let state = unsafe HostThread.current.state
        let outer = unsafe state.pointee.running.isInFlight
        unsafe state.pointee.running.isInFlight = true
        defer { unsafe state.pointee.running.isInFlight = outer }
        return body()
    }

    /// Marks this thread as running the handlers of a delivery.
    ///
    /// - Returns: What to pass to ``leaveDelivery(to:)`` afterwards.
    static func enterDelivery(_ number: Int) -> Int {
        let state = unsafe HostThread.current.state
        let outer = unsafe state.pointee.running.eventDelivery
        unsafe state.pointee.running.eventDelivery = number
        return outer
    }

    static func leaveDelivery(to outer: Int) { unsafe HostThread.current.state.pointee.running.eventDelivery = outer }

    /// The delivery whose handler this thread is running; nil if it runs none.
    static var deliveryOnThread: Int? {
        let number = unsafe HostThread.current.state.pointee.running.eventDelivery
        return number == 0 ? nil : number
    }
}
