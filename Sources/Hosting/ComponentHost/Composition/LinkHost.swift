// Manifests and catalogs are part of what a host tells, so importers of this module need their types.
@_exported public import ComponentCatalog
public import ComponentKit
package import HostContract
import SystemSupport

/// A host of components. It finds them in directories, loads each at the first call to it, and keeps running when some
/// are missing or broken.
///
///     let host = LinkHost(components: ["plugins"])
///     host.call("VideoLink", "probe", ["path": "clip.mp4"]) { returnValue, performSuccess, classIsLoad in … }
///     let info = try await host.call("VideoLink", "probe", ["path": "clip.mp4"])   // throws LinkError
///     let probe = try host.bind("VideoLink", "probe")                              // resolved once, for hot paths
///     host.isAvailable("VideoLink", "probe")                                       // reads manifests only
///     host.isLoaded("VideoLink")                                                   // whether it is in memory
///     host.state(of: "ComponentVideo")                                             // with the reason if it failed
///     await host.stop()
///
/// A program may make several hosts; they share code, but no state. All functions may be called from any thread.
/// Releasing the last reference stops the host: it cancels calls in flight, gives components with running threads or
/// open work a moment to end, and waits until the others are destroyed.
public final class LinkHost: Sendable {
    let core: HostCore
    let features: HostFeatures
    /// How long calls in flight may take when a service group stops the host.
    let stopTimeout: Duration

    /// The calling interface; pass it to code that does not need the host itself.
    public let link: Link

    /// The events of this host.
    public let events: HostEvents

    /// The routes of this host, and what the program adds to them.
    public let routes: HostRoutes

    /// Scans the directories and determines which components are available, without loading any.
    ///
    /// Reads files; do not call it from code that must not block. A directory that does not exist or cannot be trusted
    /// is listed in ``catalog`` with the reason, and the host uses the others.
    ///
    /// - Parameters:
    ///   - directories: the directories of plugin files, in order of precedence; nil for the directories in
    ///     `HSLINK_PATH` (separated by colons), or else `plugins` next to the executable, or, if only that exists,
    ///     `../lib/hslink/plugins` for an executable in a folder named `bin`. A relative path is below the directory that
    ///     is current now, even if it changes later.
    ///   - includesBuiltIn: whether to include components that are linked into the executable.
    ///   - provides: the program's own link classes, which its components may call.
    ///   - options: the options of the host.
    public init(
        components directories: [String]? = nil, includesBuiltIn: Bool = true, provides: [ProvidedClass] = [],
        options: HostOptions = HostOptions()
    ) {
        stopTimeout = options.stopTimeout
        features = HostFeatures(options)
        let scan = HostScan(
            directories: (directories ?? Catalog.defaultDirectories()).map(AbsolutePath.of),
            includesBuiltIn: includesBuiltIn, ownClasses: HostClasses.own, bareHost: HostClasses.bareHost,
            provides: NotFoundLink.added(to: provides, options), places: [DescribedPlace()],
            settings: { [section = features.configuration.store.initialSection] in section.settings(of: $0) },
            options: KernelOptions(
                options, recentLog: features.observation.recentLog, times: features.observation.times))
        core = HostCore(scan, features.all)
        link = Link(core)
        events = HostEvents(core: core, feature: features.events)
        routes = HostRoutes(core: core, feature: features.routes)
    }

    deinit { _ = core.stop(timeout: .zero) }

    /// The contents of the directories: every component, and every other file and directory with the reason why it is
    /// not used. The file of a component in memory may have been replaced since; see ``ComponentInfo/onDisk``.
    public var catalog: Catalog { core.registry.contents.withLock { $0.catalog } }

    /// All components with their states, in the order in which they can be loaded.
    public var components: [ComponentInfo] { core.componentInfos() }

    /// The page modules that components offer, sorted by name. Loads nothing.
    public var pageModules: [PageModuleInfo] { core.pageModuleInfos() }

    /// Returns the state of a component, or nil if there is none with this name.
    public func state(of component: String) -> ComponentState? {
        if let unit = core.registry.unit(named: component) { return unit.publicState }
        return core.registry.disabledEntry(named: component)?.disabledBy.map(ComponentState.disabled)
    }

    /// Loads a component now instead of at its first call.
    ///
    /// - Throws: `LinkError` with the reason why it cannot be loaded, or with code
    ///   ``ComponentKit/LinkError/Code/classNotFound`` if there is no component with this name.
    public func load(_ component: String) throws(LinkError) { try core.load(component) }

    /// Resets a component that failed to load, so that its next call tries again.
    ///
    /// - Returns: False if there is no component with this name, if it has not failed, or if the scan already found
    ///   that it cannot be loaded. Only ``rescan()`` reads the directories again.
    @discardableResult
    public func retry(_ component: String) -> Bool { core.retry(component) }

    /// Releases the instances that the host keeps of a target's class: the shared one, or those of all consumers. The
    /// next call makes a new instance.
    ///
    /// An instance is released once every thread has returned from the methods of the class that it was running when
    /// this was called: at once if there are none, otherwise soon after the last one returns, or when the host stops.
    /// A method that has returned but answers later keeps its instance itself. Code that holds the instance as an
    /// object also keeps it. Does not wait, so a method of the class may call this too.
    ///
    /// Runs the component's code that releases the instance, on this thread or on one of the host; do not call it from
    /// code that must not block.
    ///
    /// - Returns: Whether the class had instances. False if there is no such target or it is not loaded.
    @discardableResult
    public func releaseTarget(_ target: String) -> Bool { core.releaseInstances(ofTarget: target) }

    /// Scans the directories again. Components in memory stay as they are. Others are replaced by what the directories
    /// hold now, and those that had failed are tried again at their next call.
    ///
    /// Reads files; do not call it from code that must not block. ``watch()`` rescans automatically.
    ///
    /// - Returns: The changes since the last scan; none after ``stop(timeout:)``.
    @discardableResult
    public func rescan() -> [CatalogChange] { core.rescan() }

    /// Locks ``HostOptions/dataDirectory`` for this host now instead of when a component first uses it, so that a
    /// program notices at startup if another host is using it.
    ///
    /// Creates directories; do not call it from code that must not block.
    ///
    /// - Returns: Its absolute path without symbolic links.
    /// - Throws: `LinkError` in the domain `hslink.data` if the options name no directory, another host is using it
    ///   (the message names the process and its program), other users may write to it, or the system reports an error;
    ///   `LinkError` with code ``ComponentKit/LinkError/Code/stopped`` if the host has stopped.
    @discardableResult
    public func claimDataDirectory() throws(LinkError) -> String { try features.files.data.claim() }

    /// Returns the resources of a component, loaded or not. Loads nothing. May be called from any thread.
    ///
    /// - Parameter component: the name of the component. If there is none with this name, each request fails.
    public func resources(of component: String) -> Resources {
        Resources(HostResources(component: component, core: core, search: features.files.search))
    }

    /// Loads the components that start with the host, marked `@Component(starts: .withHost)`: by priority, and each
    /// after what it requires. Then delivers `HostStarted` and waits for its handlers.
    ///
    /// A component that cannot be loaded is reported, and the others still start. A host answers calls even
    /// without having been started. Calling this again has no effect; ``run()`` calls it. When the host is stopped
    /// meanwhile, this returns at once; the component under way is the last one that starts, and `HostStarted` is not
    /// delivered. In a handler of an event, a call while the host is starting returns at once, too.
    ///
    /// - Returns: The components that started, and those that could not; empty the second time.
    @discardableResult
    public func start() async -> StartReport { await start(endsAtFailure: false) }

    /// Starts the host.
    ///
    /// - Parameter endsAtFailure: whether this returns after the first component that cannot be loaded: no other one is
    ///   loaded then, and `HostStarted` is not delivered.
    package func start(endsAtFailure: Bool) async -> StartReport {
        let isInHandler = LinkHost.isInHandler
        return await awaitResume { [core] resume in
            core.start(resume, endsAtFailure: endsAtFailure, isInHandler: isInHandler)
        }
    }

    /// Whether a handler of an event runs this code.
    private static var isInHandler: Bool {
        __CurrentDelivery.current != nil || EventFeature.deliveryOnThread != nil
    }

    /// Lets no further component start with the host, which is about to be stopped, and ends ``start()``. Does not wait.
    package func endStart() { core.startRuns.end() }

    /// Refuses new calls from outside, waits for those in flight, then stops components in the reverse order of their
    /// requirements. A second stop waits for the first, and returns an empty report; in a handler of an event, which the
    /// first may wait for, it returns at once.
    ///
    /// - Parameter timeout: how long calls in flight may take before they are cancelled. A component that is still
    ///   running then is not destroyed, and the report names it.
    /// - Returns: A report of cancelled calls and of components that are still running.
    @discardableResult
    public func stop(timeout: Duration = .seconds(5)) async -> StopReport {
        let isInHandler = LinkHost.isInHandler
        if isInHandler, core.isStopping.load(ordering: .acquiring) { return StopReport() }
        return await awaitResume { [core] resume in
            let stop: @Sendable () -> Void = { resume(core.stop(timeout: timeout, isInHandler: isInHandler)) }
            if !startThread(named: "hslink-stop", stop) { stop() }
        }
    }
}

// Shortcuts for the calls of `link`, which document them.
extension LinkHost {
    /// Calls a selector and passes the three parts of the answer to `callback`, exactly once. The callback runs on the
    /// threads that ``ComponentKit/Link`` documents.
    public func call(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        link.call(className, selector, payload, kind: kind, timeout: timeout, callback: callback)
    }

    /// Calls a selector and passes the whole answer, including an error, to `callback`, exactly once.
    public func call(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil, callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        link.call(className, selector, payload, kind: kind, timeout: timeout, callback: callback)
    }

    /// See ``ComponentKit/Link/call(_:_:_:kind:timeout:)``.
    public func call(
        _ className: String, _ selector: String, _ payload: consuming Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await link.call(className, selector, payload, kind: kind, timeout: timeout)
    }

    /// See ``ComponentKit/Link/callAndWait(_:_:_:kind:timeout:)``.
    public func callAndWait(
        _ className: String, _ selector: String, _ payload: borrowing Payload = .null, kind: SelectorKind = .object,
        timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        try link.callAndWait(className, selector, payload, kind: kind, timeout: timeout)
    }

    /// See ``ComponentKit/Link/bind(_:_:kind:)``.
    public func bind(
        _ className: String, _ selector: String, kind: SelectorKind = .object
    ) throws(LinkError) -> BoundCall {
        try link.bind(className, selector, kind: kind)
    }

    /// See ``ComponentKit/Link/isAvailable(_:_:kind:)``.
    public func isAvailable(
        _ className: String, _ selector: String? = nil, kind: SelectorKind = .object
    ) -> Bool {
        link.isAvailable(className, selector, kind: kind)
    }

    /// See ``ComponentKit/Link/isLoaded(_:)``.
    public func isLoaded(_ className: String) -> Bool { link.isLoaded(className) }

    /// Performs an action and passes the three parts of the answer to `callback`, exactly once.
    ///
    ///     host.perform(target: "Video", action: "probe", ["path": "clip.mp4"]) { value, performSuccess, classIsLoad in … }
    ///
    /// The class of the target `Video` is `VideoLink`, else `Video`, else `Target_Video`.
    /// ``ComponentKit/Link/perform(target:action:_:timeout:)`` documents how the method is found, and what happens if
    /// there is none. The callback runs on the threads that ``ComponentKit/Link`` documents.
    public func perform(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil,
        callback:
            @escaping @Sendable (
                _ returnValue: Payload?, _ performSuccess: Bool, _ classIsLoad: Bool
            ) -> Void
    ) {
        link.perform(target: target, action: action, payload, timeout: timeout, callback: callback)
    }

    /// Performs an action and passes the whole answer, including an error, to `callback`, exactly once.
    public func perform(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil,
        callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        link.perform(target: target, action: action, payload, timeout: timeout, callback: callback)
    }

    /// See ``ComponentKit/Link/perform(target:action:_:timeout:)``.
    public func perform(
        target: String, action: String, _ payload: consuming Payload = .null, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await link.perform(target: target, action: action, payload, timeout: timeout)
    }

    /// See ``ComponentKit/Link/performAndWait(target:action:_:timeout:)``.
    public func performAndWait(
        target: String, action: String, _ payload: borrowing Payload = .null, timeout: Duration? = nil
    ) throws(LinkError) -> Payload {
        try link.performAndWait(target: target, action: action, payload, timeout: timeout)
    }

    /// See ``ComponentKit/Link/check(target:action:)``.
    public func check(target: String, action: String? = nil) -> Bool { link.check(target: target, action: action) }
}

/// Typed calls of the program's own code; see ``ComponentKit/Link``.
extension LinkHost {
    /// See ``ComponentKit/Link/service(_:from:through:)``.
    public func service<Client: ServiceClient>(
        _ type: Client.Type = Client.self, from component: String? = nil, through access: ServiceAccess = .calls
    ) throws(LinkError) -> Client {
        try link.service(type, from: component, through: access)
    }

    /// See ``ComponentKit/Link/makeService(_:with:from:)``.
    public func makeService<Client: ConfigurableServiceClient>(
        _ type: Client.Type = Client.self, with arguments: Client.ServiceArguments, from component: String? = nil
    ) throws -> Client {
        try link.makeService(type, with: arguments, from: component)
    }

    /// See ``ComponentKit/Link/provides(_:)``.
    public func provides<Client: ServiceClient>(_ type: Client.Type) -> Bool { link.provides(type) }
}

extension LinkHost {
    /// Returns every class that declares the service, in order of preference: those of the program itself, then those
    /// of components from the highest version to the lowest, or in search order if versions are equal. Classes of
    /// shadowed files come last. Loads nothing. May be called from any thread.
    ///
    /// - Parameter service: the name of the service, such as "com.example.account/1".
    /// - Returns: The providers; empty if there is none.
    public func providers(of service: String) -> [ServiceProvider] { core.registry.providers(of: service) }

    /// The providers of all services, sorted by the names of the services, without the class that every host has.
    public var services: [ServiceProvider] { core.registry.providers }

    /// The manifests of the active versions of all components, including those that cannot be loaded. A component in
    /// memory has the manifest that it was loaded with, even if its file has been replaced.
    package var runningManifests: [Manifest] {
        core.registry.contents.withLock { $0.components }.map(\.manifest)
    }

    /// Watches the directories and rescans them automatically when something changes there.
    ///
    ///     for await change in host.watch() {
    ///         print(change.component ?? change.path ?? "", change)
    ///     }
    ///
    /// Directories that do not exist yet, or are deleted and made again, are picked up when they appear. A file that is
    /// being written is read once it is closed and the directories have been quiet for a moment, or after two seconds
    /// of further changes. If the system has no watches left, the host logs that and scans the directories every few
    /// seconds. A component whose start has failed stays failed until such a scan finds a new component or another file
    /// for one, until ``retry(_:)`` or until ``rescan()``.
    ///
    /// Each sequence delivers all changes that any scan finds, including those of ``rescan()``. All sequences share one
    /// thread, which ends with the last of them. May be called from any thread.
    public func watch() -> CatalogChanges { CatalogChanges(stream: core.watching.subscribe(core)) }
}

extension LinkHost {
    /// Makes a call for a thread that must not block, such as an event loop. Quick methods of loaded classes whose
    /// instance exists run in place, except asynchronous ones with a deadline. All others run on a thread of the host.
    ///
    /// - Parameter isLarge: whether the payload is so large that not even a quick method reads it at once. Then it runs on
    ///   a thread of the host.
    package func beginWithoutBlocking(
        _ target: CallTarget, _ payload: Payload, deadline: Deadline?, isLarge: Bool
    ) -> BegunCall {
        core.begin(
            target, payload, mode: isLarge ? .onlyOnHostThread(deadline) : .onHostThread(deadline, callerSleeps: false))
    }

    /// Returns the innermost of the quick methods that a thread is running, which is to blame if the thread is blocked;
    /// nil if it runs none of this host.
    package func innermostQuickMethod(on thread: ThreadContext) -> (className: String, selector: String)? {
        core.innermostQuickMethod(on: thread)
    }

    /// Stops treating any method of the component that has this class as quick, because one of its quick methods has
    /// blocked.
    package func distrustQuickMethods(ofComponentOf className: String) {
        guard case .loaded(let linkClass) = core.registry.find(className) else { return }
        unsafe linkClass.takeUnretainedValue().runState.setSlow()
    }

    /// Cancels a call; no effect once it has ended. Its method is notified on another thread.
    package func cancel(_ call: CallIdentifier) {
        guard let pending = PendingReply(identifier: call) else { return }
        pending.end(with: LinkError(.cancelled)) { [core] handler in
            // Finding the component takes a lock.
            core.engine.callers.submit {
                let component = core.engine.counters.component(ofLedger: pending.ledger)
                let unit = core.registry.all.first { $0.ledger.index == pending.ledger || $0.name == component }
                core.engine.notify(handler, of: unit)
            }
        }
    }

    /// Returns the method that ``perform(target:action:_:timeout:)`` would call; nil if there is none. Handlers for
    /// requests that nothing answers do not count. Loads nothing.
    package func resolve(target: String, action: String) -> CallTarget? { core.resolve(target, action) }
}

extension HostContents {
    /// Makes the contents of a host in this process.
    ///
    /// - Parameters:
    ///   - host: the host; nothing is loaded.
    ///   - process: the process id, if the host keeps running.
    package init(_ host: LinkHost, process: Int? = nil) {
        self = host.features.hostService.contents(of: host.core, process: process)
    }
}
