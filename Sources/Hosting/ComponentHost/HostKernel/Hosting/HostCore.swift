import CGlibc
import CHSLink
import ComponentCatalog
import ComponentKit
import Synchronization

/// The implementation behind a ``LinkHost`` and its ``Link``: the component registry, the engine that carries out
/// calls, and the features. Calls by name are resolved to methods here.
final class HostCore: LinkBackend {
    let options: KernelOptions
    let engine: CallEngine
    let registry: ComponentRegistry
    /// What the host does besides, in the order of their places.
    let features: [any HostFeature]
    /// The addresses of the features.
    private let addresses: [UInt]
    /// The subscribers to the changes that scans find.
    let watching = CatalogWatching()
    let sharedObjects = SharedObjects()
    /// Whether anyone wants to know how long components take. Deliveries of events check only this.
    let recordsTimes: Bool
    /// Makes the spans of calls; nil if the application does not use tracing.
    let tracing: CallTracing?
    /// Whether `tracing` is set. Calls check only this.
    let isTracing: Bool
    let stopGates = OnceGates()
    let stopGate = OnceGate()
    let startGate = OnceGate()
    let isStarted = Atomic(false)
    let isStopping = Atomic(false)
    /// Whether everything that starts with the host has been loaded or has failed, and all have been told.
    let isStartOver = Atomic(false)
    /// The calls of `start`, and whether they have ended early.
    let startRuns = StartRuns()

    /// - Parameter features: each at the index that is its place.
    init(_ scan: HostScan, _ features: [any HostFeature]) {
        options = scan.options
        self.features = features
        addresses = features.map { unsafe UInt(bitPattern: Unmanaged<AnyObject>.passUnretained($0).toOpaque()) }
        recordsTimes = scan.options.recordTime != nil
        tracing = CallTracing()
        isTracing = tracing != nil
        engine = CallEngine(scan.options)
        registry = ComponentRegistry(scan, engine)
        for (place, feature) in features.enumerated() {
            precondition(type(of: feature).place == place, "\(type(of: feature)) is not in its place")
        }
        let units = registry.contents.withLock { $0.ordered }
        for feature in features { feature.publish(units) }
        for feature in features { feature.scanned(units) }
        LiveBackends.add(self)
        for feature in features { feature.ready(in: self) }
    }

    deinit {
        LiveBackends.remove(self)
        watching.end()
    }

    /// Passes `body` a feature without retaining it, for what happens very often. The host holds it.
    @inline(__always)
    func with<Feature: HostFeature, Value>(
        _ type: Feature.Type, _ body: (Feature) throws -> Value
    ) rethrows -> Value {
        assert(Swift.type(of: features[Feature.place]) == Feature.self)
        defer { withExtendedLifetime(self) {} }
        // Each feature is in its place, and none has the address 0.
        let address = unsafe UnsafeRawPointer(bitPattern: addresses[Feature.place]).unsafelyUnwrapped
        return try unsafe Unmanaged<Feature>.fromOpaque(address)._withUnsafeGuaranteedRef { try body($0) }
    }

    /// Returns the feature of a type that is among those of this host.
    func feature<Feature: HostFeature>(_ type: Feature.Type) -> Feature { with(type) { $0 } }

    func cancel(_ call: CallIdentifier) { engine.cancel(call) }

    func isAvailable(_ className: String, _ selector: String?, kind: SelectorKind) -> Bool {
        registry.isAvailable(className, selector, kind: kind)
    }

    func isLoaded(_ className: String) -> Bool { registry.isLoaded(className) }

    // The host's own objects live as long as the process and are never stopped. Their marks count their depth.
    func enter() -> LinkError? {
        let thread = HostThread.current
        return thread.enter(unsafe ComponentRunState.ofHost.identity, method: ThreadContext.objectCall)
            ? nil : CallOrigin.tooDeepError(thread)
    }
    func leave() { _ = HostThread.current.leave(unsafe ComponentRunState.ofHost.identity) }
    func beginWork() -> Bool { true }
    func endWork() {}

    func log(_ level: LogLevel, _ message: String) { options.log(level, message, component: "host") }

    /// Scans the directories again; see ``LinkHost/rescan()``.
    ///
    /// - Parameter isAutomatic: whether nobody has asked for it. Then a start that has failed is tried again only if the
    ///   scan finds something new.
    @discardableResult
    func rescan(isAutomatic: Bool = false) -> [CatalogChange] {
        let changes = registry.rescan(isAutomatic: isAutomatic) { units in
            for feature in features { feature.publish(units) }
        } notify: { changes in
            let units = registry.contents.withLock { $0.ordered }
            for feature in features { feature.scanned(units) }
            watching.notify(changes)
        }
        let components = Set(changes.compactMap(\.component)).sorted()
        // Handlers run without the lock of the scan, so that they may ask for another one.
        if !components.isEmpty { announce(ComponentsChanged(components: components)) }
        return changes
    }

    /// Loads a component; see ``LinkHost/load(_:)``.
    ///
    /// - Parameter caller: the component that asks for it; empty for the host's own code.
    func load(_ component: String, for caller: String = "") throws(LinkError) {
        guard let unit = registry.unit(named: component) else { throw registry.missingComponent(component) }
        try registry.load(unit, for: caller.isEmpty ? nil : registry.unit(named: caller), in: self)
    }

    /// Makes a component that could not be loaded available again; see ``LinkHost/retry(_:)``.
    func retry(_ component: String) -> Bool {
        guard let unit = registry.unit(named: component), unit.loaded == nil else { return false }
        for feature in features { feature.retrying(unit) }
        return unit.reset()
    }

    /// Warns if a component that has just been loaded does not use a library that it brings.
    func warnOfLibraries(of unit: ComponentUnit) {
        let catalog = registry.contents.withLock { $0.catalog }
        for conflict in catalog.libraryConflicts(of: unit.name) {
            let isFirst = conflict.first.component == unit.name
            let (own, other) = isFirst ? (conflict.first, conflict.second) : (conflict.second, conflict.first)
            guard !own.isDescribed, registry.unit(named: other.component)?.isInMemory == true else { continue }
            options.log(
                .warning,
                "\(unit.name) does not use its library \(conflict.library) (\(own.path)), because \(other.component) "
                    + "has already loaded \(other.path) under this name; \(Catalog.LibraryConflict.advice)",
                component: unit.name)
        }
    }
}

// Asks the features of the host.
extension HostCore {
    /// Posts an event in the host's life.
    func announce<Event: LinkEvent>(_ event: Event) {
        for feature in features { feature.announce(Event.eventName, event.payload, in: self) }
    }

    /// Delivers an event in the host's life, and blocks this thread until all have handled it.
    ///
    /// - Parameter end: when they must have handled it; nil if each has the time in the options.
    func announceAndWait<Event: LinkEvent>(_ event: Event, until end: Deadline?) {
        for feature in features { feature.announceAndWait(Event.eventName, event.payload, until: end, in: self) }
    }

    /// - Throws: the first reason why a component must not be loaded.
    func check(_ unit: ComponentUnit) throws(LinkError) {
        for feature in features { try feature.check(unit) }
    }

    /// Differs once ``check(_:)`` may have another result.
    var generation: Int { features.reduce(0) { $0 &+ $1.generation } }

    /// All components with their states, and with what is wrong with their resources.
    func componentInfos() -> [ComponentInfo] {
        let bundles = ResourceBundles()
        return registry.componentInfos { unit in
            for feature in features {
                if let problem = feature.resourceProblem(of: unit, bundles) { return problem }
            }
            return nil
        }
    }

    /// Returns the functions of an extension; nil if no feature has it.
    func extensionTable(_ name: hslink_string) -> UnsafeRawPointer? {
        for feature in features {
            if let table = unsafe feature.extensionTable(name) { return unsafe table }
        }
        return nil
    }
}
