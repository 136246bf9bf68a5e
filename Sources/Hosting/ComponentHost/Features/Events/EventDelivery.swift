import ComponentKit

/// One event on its way through its handlers. They are called one after the other.
struct EventDelivery: Sendable {
    let event: String
    private let handlers: [EventHandler]
    private var call: EventCall
    private var index = 0
    private var outcome = EventOutcome()
    /// When the handler under way was called; nil unless times are recorded.
    private var began: ContinuousClock.Instant?

    init(of event: String, to handlers: [EventHandler], call: EventCall) {
        self.event = event
        self.handlers = handlers
        self.call = call
    }

    /// Calls handlers until one does not end at once.
    ///
    /// - Returns: The outcome if all have ended. Otherwise nil, and `later` is called with it.
    mutating func run(in core: HostCore, later: @escaping @Sendable (EventOutcome) -> Void) -> EventOutcome? {
        while true {
            let begun: BegunCall?
            let former = index
            if let call = runQuickHandlers(in: core) {
                begun = call
            } else if index == handlers.count {
                return outcome
            } else if index > former {
                continue
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
                let delivery = self
                let hasMore = index < handlers.count
                let deliveries = core.feature(EventFeature.self).registry.deliveries
                if hasMore { deliveries.hold() }
                _ = whenDone(
                    .outcome { result in
                        // What this handler has posted is delivered in here.
                        if !hasMore { deliveries.hold() }
                        defer { deliveries.letGo() }
                        var delivery = delivery
                        delivery.record(result, of: handler, core)
                        delivery.call.restart()
                        // A delivery that has begun goes on while the host is stopping.
                        let outcome = EventFeature.inFlight { delivery.run(in: core, later: later) }
                        if let outcome { later(outcome) }
                    })
                return nil
            }
        }
    }

    /// Calls handlers that do not block, as long as they succeed at once. What they post waits for the delivery. They
    /// share a payload and a deadline, and nothing is kept about the call of each.
    ///
    /// - Returns: The call of the last handler if it has failed or not ended; nil if the next one is of another kind or
    ///   there is none.
    private mutating func runQuickHandlers(in core: HostCore) -> BegunCall? {
        guard index < handlers.count, !core.recordsTimes, !core.isTracing, !Carried.isCurrent,
            unsafe handlers[index].quickMethod != nil
        else { return nil }
        let parameter = handlers[index].parameter
        let payload = call.payload(for: parameter)
        let terms = unsafe CallTerms(deadline: call.deadline.nanoseconds)
        let outer = EventFeature.enterDelivery(call.number)
        defer { EventFeature.leaveDelivery(to: outer) }
        return unsafe payload.withUnsafeValue { value in
            while index < handlers.count, let method = unsafe handlers[index].quickMethod,
                handlers[index].parameter == parameter
            {
                index += 1
                if let call = unsafe core.engine.beginForEffect(method, value, terms: terms) { return call }
                outcome.handled += 1
            }
            return nil
        }
    }

    private mutating func skip(_ handler: EventHandler) {
        let component = handler.component
        guard !component.isEmpty, !outcome.notLoaded.contains(component) else { return }
        outcome.notLoaded.append(component)
    }

    private mutating func record(_ result: Result<Payload, LinkError>, of handler: EventHandler, _ core: HostCore) {
        if let began { core.options.recordTime?(.now - began, .event(event), handler.component) }
        guard case .failure(let error) = result else {
            outcome.handled += 1
            return
        }
        if handler.unit != nil, !handler.isBound {
            core.feature(EventFeature.self).registry.forgetCall(of: handler, for: event)
        }
        var (className, selector) = ("", "")
        if case .selector(let listed, let name, _) = handler.target {
            (className, selector) = (listed.entry.name, name)
        }
        outcome.failures.append(
            EventOutcome.Failure(
                component: handler.component, className: className, selector: selector, error: error))
        let place = className.isEmpty ? "a closure of the program" : "\(className).\(selector)"
        core.options.log(
            .warning, "the handler \(place) of \(event) failed: \(error.message)",
            component: handler.component.isEmpty ? "host" : handler.component)
    }
}
