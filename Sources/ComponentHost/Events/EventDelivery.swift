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

    init(_ event: String, _ handlers: [EventHandler], _ call: EventCall) {
        self.event = event
        self.handlers = handlers
        self.call = call
    }

    /// Calls handlers until one does not end at once.
    ///
    /// - Returns: The outcome if all have ended. Otherwise nil, and `later` is called with it.
    mutating func run(in core: HostCore, later: @escaping @Sendable (EventOutcome) -> Void) -> EventOutcome? {
        while index < handlers.count {
            let handler = handlers[index]
            index += 1
            if core.times != nil { began = .now }
            switch handler.begin(&call, core) {
            case nil: skip(handler)
            case .ended(let result): record(result, of: handler, core)
            case .runs(let whenDone) where call.callerSleeps:
                let result = Result { () throws(LinkError) in try BegunCall.runs(whenDone).wait() }
                record(result, of: handler, core)
            case .runs(let whenDone):
                let delivery = self
                _ = whenDone(
                    .outcome { result in
                        var delivery = delivery
                        delivery.record(result, of: handler, core)
                        delivery.call.restart()
                        CallOrigin.leaving {
                            if let outcome = delivery.run(in: core, later: later) { later(outcome) }
                        }
                    })
                return nil
            }
        }
        return outcome
    }

    private mutating func skip(_ handler: EventHandler) {
        let component = handler.component
        guard !component.isEmpty, !outcome.notLoaded.contains(component) else { return }
        outcome.notLoaded.append(component)
    }

    private mutating func record(_ result: Result<Payload, LinkError>, of handler: EventHandler, _ core: HostCore) {
        if let times = core.times, let began {
            times.add(.now - began, .event(event), of: handler.component)
        }
        guard case .failure(let error) = result else {
            outcome.handled += 1
            return
        }
        if handler.unit != nil, !handler.isBound { core.events.forgetCall(of: handler, for: event) }
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
