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
    /// Whether that handler waits until the event has been delivered.
    var isAwaited = false
    /// When all handlers must have ended; nil if each has the time in the options.
    var end: Deadline?
    /// Whether this thread sleeps until each handler has ended.
    var callerSleeps = false
    /// Whether it waits for no other event: what its handlers have missed comes before all that is posted later.
    var isFirst = false
}

// Posts and delivers events.
extension EventFeature {
    /// What a thread that carries out deliveries has yet to do.
    private enum Step {
        /// Goes on with a delivery that is held.
        case resume(EventDelivery)
        /// Tells the poster the outcome.
        case answer(EventDelivery)
    }

    /// How many steps a thread takes for others, before it leaves the rest to another one: a poster must not be kept
    /// for as long as others post.
    private static let stepLimit = 64

    /// Posts an event for the running code and waits for no handler, except for quick ones at the start of the order.
    ///
    /// - Throws: `LinkError` with the reason why it is not delivered to anyone.
    func post(_ request: EventRequest, in core: HostCore) throws(LinkError) {
        _ = try start(request, in: core) { _ in }
    }

    /// Delivers an event and passes the outcome to `completion`, exactly once.
    func deliver(
        _ request: EventRequest, in core: HostCore, _ completion: @escaping @Sendable (EventOutcome) -> Void
    ) {
        var request = request
        request.isAwaited = true
        do throws(LinkError) {
            if let outcome = try start(request, in: core, later: completion) { completion(outcome) }
        } catch {
            completion(EventOutcome(refusal: error))
        }
    }

    /// Delivers an event, and then what its handlers have posted.
    ///
    /// - Returns: The outcome if all handlers have ended. Otherwise nil, and `later` is called with it.
    private func start(
        _ request: EventRequest, in core: HostCore, later: @escaping @Sendable (EventOutcome) -> Void
    ) throws(LinkError) -> EventOutcome? {
        let causes = try registry.deliveries.causes(of: request.event, during: request.during)
        guard !core.engine.isOver else { throw LinkError(.stopped) }
        // Handlers are called with what the poster's calls carry, and none with less.
        if Carried.isInUse { _ = try Carried.ofRunningCode.get() }
        let context = request.during == nil || request.isAwaited ? nil : CallerContext.current.outsideOfHandlers
        let opened = try registry.open(request) { handlers throws(LinkError) -> EventRegistry.Opened? in
            guard !handlers.isEmpty else { return nil }
            return try open(request, handlers, causes: causes, context: context)
        }
        if posts.isRecording {
            posts.record(request.event, to: opened?.delivery.handlers ?? [], isSticky: request.isSticky)
        }
        guard let (delivery, opening) = opened else { return EventOutcome() }
        if let handler = opening.slowHandler { warn(of: handler, request.event, in: core) }
        if opening.isHeld { return nil }
        if core.engine.isClosing { delivery.isInFlight = request.during != nil || HostThread.current.isInFlight }
        carryOut(opening.first.reversed().map { .resume($0) }, in: core)
        delivery.answer = later
        return begin(delivery, in: core)
    }

    /// - Parameter context: the context in which it is carried out if it is held.
    private func open(
        _ request: EventRequest, _ handlers: [EventHandler], causes: [String] = [], context: CallerContext? = nil
    ) throws(LinkError) -> EventRegistry.Opened {
        let delivery = EventDelivery(request, to: handlers, causes: causes, timeout: handlerTimeout)
        delivery.context = context
        let opening = try registry.deliveries.open(delivery, during: request.during, isAwaited: request.isAwaited)
        return (delivery, opening)
    }

    /// Opens a delivery that comes before all events that are posted later; called with the lock of the registry.
    func openFirst(_ request: EventRequest, to handlers: [EventHandler]) -> EventDelivery? {
        var request = request
        request.isFirst = true
        // Outside of handlers, and in a line of any length, it is not refused.
        return try? open(request, handlers).delivery
    }

    /// Carries out a new delivery for the running code, and then what has waited for it.
    ///
    /// - Returns: The outcome if all handlers have ended. Otherwise nil, and the delivery's poster is told later.
    @discardableResult
    func begin(_ delivery: EventDelivery, in core: HostCore) -> EventOutcome? {
        var ready: [EventDelivery] = []
        guard delivery.run(in: core, &ready) else {
            carryOut(ready.reversed().map { .resume($0) }, in: core)
            return nil
        }
        // What the handlers have posted is delivered before the poster goes on, as far as handlers are quick.
        carryOut(end(delivery, ready), in: core)
        return delivery.outcome
    }

    /// Goes on with a delivery in the context of its poster, in which the thread is: a handler has ended.
    func resume(_ delivery: EventDelivery, in core: HostCore) { carryOut(step(delivery, in: core), in: core) }

    /// Takes steps, the last one first.
    private func carryOut(_ steps: [Step], in core: HostCore) {
        guard !steps.isEmpty else { return }
        var steps = steps
        var count = 0
        while let step = steps.popLast() {
            count += 1
            guard count <= EventFeature.stepLimit else {
                steps.append(step)
                registry.deliveries.hold()
                return core.engine.callers.submit { [steps, self] in
                    carryOut(steps, in: core)
                    registry.deliveries.letGo()
                }
            }
            switch step {
            case .answer(let delivery): delivery.answer?(delivery.outcome)
            case .resume(let delivery):
                steps += resumeHeld(delivery, in: core)
                registry.deliveries.letGo()
            }
        }
    }

    /// Goes on with a delivery that was held, in the context of its poster.
    private func resumeHeld(_ delivery: EventDelivery, in core: HostCore) -> [Step] {
        // One that has reached handlers is not refused any more: the calls of the others fail.
        if delivery.passed == 0, let refusal = refusal(of: delivery, in: core) {
            delivery.refuse(refusal)
            return [.answer(delivery)] + end(delivery, [])
        }
        return (delivery.context ?? .current).run { [self] in
            delivery.restart()
            return step(delivery, in: core)
        }
    }

    /// Returns why a delivery that was held cannot begin; nil if it can.
    private func refusal(of delivery: EventDelivery, in core: HostCore) -> LinkError? {
        if delivery.end?.hasPassed == true {
            core.log(.warning, "the event \(delivery.event) came too late and was not delivered")
            return LinkError(.deadlineExceeded)
        }
        return core.engine.isOver ? LinkError(.stopped) : nil
    }

    /// Calls handlers, as part of what was in flight before the host began to stop, unless the event came later.
    private func step(_ delivery: EventDelivery, in core: HostCore) -> [Step] {
        let step = { [self] () -> [Step] in
            var ready: [EventDelivery] = []
            guard delivery.run(in: core, &ready) else { return ready.reversed().map { .resume($0) } }
            return [.answer(delivery)] + end(delivery, ready)
        }
        return delivery.isInFlight ? EventFeature.inFlight(step) : step()
    }

    /// Ends a delivery.
    ///
    /// - Parameter ready: what may go on since it has passed a handler.
    /// - Returns: What to do now, the last one first: what has waited for it, what its handlers have posted, and what
    ///   was posted after it by the handler that has posted it.
    private func end(_ delivery: EventDelivery, _ ready: [EventDelivery]) -> [Step] {
        var ready = ready
        let posts = registry.deliveries.end(delivery, &ready)
        ready += registry.deliveries.begin(firstOf: posts[...])
        ready += registry.deliveries.begin(firstOf: delivery.followers)
        delivery.followers = []
        return ready.reversed().map { .resume($0) }
    }

    private func warn(of handler: EventHandler, _ event: String, in core: HostCore) {
        core.options.log(
            .warning,
            "\(OpenDeliveries.reportedLength) events \(event) wait until \(handler.name) has handled those before; "
                + "let it return sooner, or declare it with the trait concurrent if their order does not matter",
            component: handler.component.isEmpty ? "host" : handler.component)
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
        let missed = registry.attach(unit) { event, handlers in
            openFirst(EventRequest(event: event.name, payload: event.payload, callerSleeps: true), to: handlers)
        }
        guard !missed.isEmpty else { return }
        CallerContext.withNothingCarried { for delivery in missed { begin(delivery, in: core) } }
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
