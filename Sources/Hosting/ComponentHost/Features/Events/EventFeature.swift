import ComponentKit

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
        let monitor = MemoryPressureMonitor(triggers) { [weak core] level in
            guard let core else { return }
            core.log(.warning, "memory is running short (\(level))")
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
