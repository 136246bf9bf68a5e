import CGlibc
import CHSLink
import ComponentKit
import Synchronization

/// The implementation behind a ``LinkHost`` and its ``Link``: the component registry, the engine that carries out
/// calls, and what the host keeps for its components. Calls by name are resolved to methods here.
final class HostCore: LinkBackend {
    let options: KernelOptions
    /// What the options say to the features.
    let settings: HostOptions
    /// The last lines of the log.
    let recentLog: RecentLog
    let engine: CallEngine
    let registry: ComponentRegistry
    let routes: RouteRegistry
    let events: EventRegistry
    /// The events that were posted last, while a client asks for them.
    let posts = RecentPosts()
    /// The directory in which components keep their data.
    let data: DataDirectory
    /// The directory in which components keep what they can make again.
    let cache: DataDirectory
    /// What operators have configured for components.
    let configuration: ConfigurationStore
    /// The subscribers to the changes that scans find.
    let watching = CatalogWatching()
    let sharedObjects = SharedObjects()
    /// How long components take; nil unless the options ask for it.
    let times: TimeRecorder?
    /// Reports calls that take long; nil unless the options ask for it.
    private let watchdog: Watchdog?
    /// Posts `MemoryPressure` once the host has started.
    let memoryMonitor = Lock<MemoryPressureMonitor?>(nil)
    /// Passes what is counted to swift-metrics; nil if the application does not use it.
    let metrics = MetricsEmission()
    /// Makes the spans of calls; nil if the application does not use tracing.
    let tracing: CallTracing?
    /// Whether `tracing` is set. Calls check only this.
    let isTracing: Bool
    let stopGates = OnceGates()
    let stopGate = OnceGate()
    let startGate = OnceGate()
    let isStarted = Atomic(false)
    /// The calls of `start`, and whether they have ended early.
    let startRuns = StartRuns()

    init(_ scan: HostScan, _ settings: HostOptions, _ recentLog: RecentLog) {
        options = scan.options
        self.settings = settings
        self.recentLog = recentLog
        tracing = CallTracing()
        isTracing = tracing != nil
        engine = CallEngine(scan.options)
        registry = ComponentRegistry(scan, engine)
        let units = registry.contents.withLock { $0.ordered }
        routes = RouteRegistry(units, options: settings.routes.matching)
        events = EventRegistry(units)
        times = settings.recordsTimes ? TimeRecorder() : nil
        watchdog = settings.slowCallThreshold.map { Watchdog($0) }
        configuration = ConfigurationStore(settings.configurationLoader, policy: options.trust)
        data = DataDirectory(.data, settings.dataDirectory, policy: options.trust)
        cache = DataDirectory(
            .cache, settings.cacheDirectory, besides: settings.dataDirectory, policy: options.trust)
        scheduleMetrics()
        LiveBackends.add(self)
        if watchdog?.start(self) == false { log(.warning, "slow calls are not reported: no thread could be made") }
    }

    deinit {
        LiveBackends.remove(self)
        endWatching()
    }

    /// Ends the threads that watch directories, memory and calls, without waiting for them.
    func endWatching() {
        watching.end()
        watchdog?.stop()
        memoryMonitor.withLock { $0.take() }?.stop()
    }

    func cancel(_ call: CallIdentifier) { engine.cancel(call) }

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool {
        registry.isAvailable(className, selector, kind)
    }

    func isLoaded(_ className: String) -> Bool { registry.isLoaded(className) }

    // The host's own objects live as long as the process and are never stopped. Their marks count their depth.
    func enter() -> LinkError? {
        let thread = HostThread.current
        return thread.enter(unsafe ComponentRunState.ofHost.identity, method: ThreadContext.objectCall)
            ? nil : CallOrigin.tooDeep(thread)
    }
    func leave() { _ = HostThread.current.leave(unsafe ComponentRunState.ofHost.identity) }
    func beginWork() -> Bool { true }
    func endWork() {}

    func log(_ level: LogLevel, _ message: String) { options.log(level, message, component: "host") }

    /// Scans the directories again; see ``LinkHost/rescan()``.
    @discardableResult
    func rescan() -> [CatalogChange] {
        let changes = registry.rescan(publish: events.replace) { changes in
            configuration.forgetSections()
            routes.replace(registry.contents.withLock { $0.ordered })
            watching.notify(changes)
        }
        let components = Set(changes.compactMap(\.component)).sorted()
        guard !components.isEmpty else { return changes }
        // Handlers run without the lock of the scan, so that they may ask for another one. If the host stops meanwhile,
        // there is no one to tell.
        try? postForHost(ComponentsChanged(components: components))
        return changes
    }
}
