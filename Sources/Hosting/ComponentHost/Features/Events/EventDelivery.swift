import ComponentKit

/// One event on its way through its handlers. They are called one after the other.
///
/// All deliveries of one event form a line, in the order in which the event was posted. At each handler, a delivery
/// waits until those before it have passed that handler, unless the handler is concurrent; ``OpenDeliveries`` keeps the
/// lines.
///
/// The first part of its state belongs to the thread that carries the delivery out, of which there is one at a time: each
/// passes it on through the end of a call, or through the lock of ``OpenDeliveries``.
// Unchecked: one thread at a time has the first part, and the lock of OpenDeliveries guards the second.
final class EventDelivery: @unchecked Sendable {
    let event: String
    let handlers: [EventHandler]
    /// The names of the events that have led to it, outermost first.
    let causes: [String]
    /// Whether it waits for its turn at each handler. One whose thread sleeps meanwhile does not, nor does one that
    /// comes before all that are posted later.
    let waitsForTurns: Bool

    // MARK: - State of the thread that carries it out

    private var call: EventCall
    private var index = 0
    private(set) var outcome = EventOutcome()
    /// When the handler under way was called; nil unless times are recorded.
    private var began: ContinuousClock.Instant?
    /// Receives the outcome if not all handlers have ended at once.
    var answer: (@Sendable (EventOutcome) -> Void)?
    /// The context of the poster, in which another thread goes on; nil until that may happen.
    var context: CallerContext?
    /// What the handler that has posted this event has posted after it.
    var followers: ArraySlice<EventDelivery> = []
    /// Whether the event was posted while others of its name were being delivered.
    var hasPredecessors = false
    /// Whether it goes on while the host stops: it was posted before, or by code in flight.
    var isInFlight = true

    // MARK: - State that the lock of OpenDeliveries guards

    /// Set before the delivery begins, as is the end. Not read from the call, which a handler may be begun with.
    var number = 0 { didSet { call.number = number } }
    /// When all handlers must have ended; nil if each has the time in the options.
    var end: Deadline? { didSet { call.end = end } }
    /// How many handlers it has passed. Only the thread that carries the delivery out changes it.
    var passed = 0
    /// The neighbours in the line.
    var previous: EventDelivery?
    var next: EventDelivery?
    /// Whether it waits for the end of the delivery whose handler has posted it.
    var isHeld = false
    /// What all events have in common that one event has led to; nil until a handler posts.
    var cascade: EventCascade?
    /// What its handlers have posted, in their order.
    var posts: [EventDelivery] = []
    /// The deliveries that its handlers wait for.
    var awaited: [EventDelivery] = []
    /// The delivery whose handler waits for this one.
    var waiter: EventDelivery?
    /// The deliveries whose next handler this one has yet to pass.
    var parked: [EventDelivery] = []

    /// - Parameters:
    ///   - handlers: at least one.
    ///   - causes: the names of the events that have led to it, outermost first.
    init(_ request: EventRequest, to handlers: [EventHandler], causes: [String], timeout: Duration) {
        event = request.event
        self.handlers = handlers
        self.causes = causes
        waitsForTurns = !request.callerSleeps && !request.isFirst
        end = request.end
        call = EventCall(request.payload, timeout: timeout, end: request.end, callerSleeps: request.callerSleeps)
    }

    /// The handler whose turn is next.
    var nextHandler: EventHandler { handlers[passed] }

    /// Whether it has yet to pass a handler, or the successor of one.
    func isPending(at handler: EventHandler) -> Bool {
        handlers[passed...].contains { $0.identity === handler.identity }
    }

    /// Ends it without further handlers.
    func refuse(_ error: LinkError) { outcome.refusal = error }

    /// Lets the time of the next handler count from now.
    func restart() { call.restart() }

    /// Calls handlers until one does not end at once, or is still to be called for an event that was posted earlier.
    ///
    /// - Parameter ready: receives the deliveries whose turn has come.
    /// - Returns: Whether all have ended. Otherwise another thread may carry it out by now.
    func run(in core: HostCore, _ ready: inout [EventDelivery]) -> Bool {
        while index < handlers.count {
            let waits = waitsForTurns && hasPredecessors && !handlers[index].isConcurrent
            if waits || index > passed {
                if waits, context == nil { context = .current }
                let deliveries = core.feature(EventFeature.self).registry.deliveries
                guard deliveries.advance(self, to: index, waits: waits, ready: &ready) else { return false }
            }
            guard runHandlers(in: core) else { return false }
        }
        return true
    }

    /// Calls the next handler, or several quick ones.
    ///
    /// - Returns: False if it has not ended: the delivery goes on when it has.
    private func runHandlers(in core: HostCore) -> Bool {
        let begun: BegunCall?
        let former = index
        if let call = runQuickHandlers(in: core) {
            begun = call
        } else if index > former {
            return true
        } else {
            index += 1
            if core.recordsTimes { began = .now }
            begun = handlers[index - 1].begin(&call, core)
        }
        let handler = handlers[index - 1]
        switch begun {
        case nil: skip(handler)
        case .ended(let result): record(result, of: handler, core)
        case .runs(let whenDone) where call.callerSleeps:
            let result = Result { () throws(LinkError) in try BegunCall.runs(whenDone).wait() }
            record(result, of: handler, core)
            call.restart()
        case .runs(let whenDone):
            let hasMore = index < handlers.count
            let deliveries = core.feature(EventFeature.self).registry.deliveries
            if hasMore { deliveries.hold() }
            _ = whenDone(
                .outcome { [self] result in
                    // What this handler has posted is delivered in here.
                    if !hasMore { deliveries.hold() }
                    defer { deliveries.letGo() }
                    record(result, of: handler, core)
                    call.restart()
                    core.with(EventFeature.self) { $0.resume(self, in: core) }
                })
            return false
        }
        return true
    }

    /// Calls handlers that do not block, as long as they succeed at once and need not wait for their turn. What they
    /// post waits for the delivery. They share a payload and a deadline, and nothing is kept about the call of each.
    ///
    /// - Returns: The call of the last handler if it has failed or not ended; nil if the next one is of another kind or
    ///   there is none.
    private func runQuickHandlers(in core: HostCore) -> BegunCall? {
        guard index < handlers.count, !core.recordsTimes, !core.isTracing, !Carried.isCurrent,
            unsafe handlers[index].quickMethod != nil
        else { return nil }
        let parameter = handlers[index].parameter
        let payload = call.payload(for: parameter)
        let terms = unsafe CallTerms(deadline: call.deadline.nanoseconds)
        let last = waitsForTurns && hasPredecessors ? index + 1 : handlers.count
        let outer = EventFeature.enterDelivery(number)
        // Copies, since each access to a member of a class is checked.
        let handlers = handlers
        var (next, handled) = (index, 0)
        defer {
            EventFeature.leaveDelivery(to: outer)
            index = next
            outcome.handled += handled
        }
        return unsafe payload.withUnsafeValue { value in
            while next < last, let method = unsafe handlers[next].quickMethod,
                handlers[next].parameter == parameter
            {
                next += 1
                if let call = unsafe core.engine.beginForEffect(method, value, terms: terms) { return call }
                handled += 1
            }
            return nil
        }
    }

    private func skip(_ handler: EventHandler) {
        let component = handler.component
        guard !component.isEmpty, !outcome.notLoaded.contains(component) else { return }
        outcome.notLoaded.append(component)
    }

    private func record(_ result: Result<Payload, LinkError>, of handler: EventHandler, _ core: HostCore) {
        if let began { core.options.recordTime?(.now - began, .event(event), handler.component) }
        guard case .failure(let error) = result else {
            outcome.handled += 1
            return
        }
        let registry = core.feature(EventFeature.self).registry
        let isLoaded = handler.unit == nil || handler.isBound
        if !isLoaded { registry.forgetCall(of: handler, in: self) }
        var (className, selector) = ("", "")
        if case .selector(let listed, let name, _) = handler.target {
            (className, selector) = (listed.entry.name, name)
        }
        outcome.failures.append(
            EventOutcome.Failure(
                component: handler.component, className: className, selector: selector, error: error))
        // Every event would repeat why a component cannot be loaded.
        guard isLoaded || registry.isNewReason(error, of: handler.component) else { return }
        core.options.log(
            .warning, "the handler \(handler.name) of \(event) failed: \(error.message)",
            component: handler.component.isEmpty ? "host" : handler.component)
    }
}
