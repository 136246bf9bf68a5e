public import ComponentKit
import SystemSupport

/// A program's view of its components: finds them in directories, loads each at the first call to it, and
/// goes on without those that are missing or broken.
///
///     let host = LinkHost(components: ["plugins"])
///     host.call("VideoLink", "probe", ["path": "clip.mp4"]) { returnValue, performSuccess, classIsLoad in … }
///     let info = try await host.call("VideoLink", "probe", ["path": "clip.mp4"])   // throws LinkError
///     let probe = try host.bind("VideoLink", "probe")                              // resolved once, for hot paths
///     host.isAvailable("VideoLink", "probe")                                       // asks manifests
///     host.isLoaded("VideoLink")                                                   // asks memory
///     host.state(of: "ComponentVideo")                                             // and why not
///     await host.stop()
///
/// A program may make several; they share code, never state. All functions may be called from any thread.
/// Releasing the last reference stops the host: calls in flight are cancelled, and each component that threads are inside of, or
/// that has open work, is given a moment. Then its own end is waited for.
public final class LinkHost: Sendable {
    let core: HostCore

    /// The calling interface; pass it to code that does not need the host itself.
    public let link: Link

    /// Scans the directories and determines which components are available; loads nothing.
    ///
    /// Reads files; do not call it from code that must not block. A directory that does not exist or cannot be
    /// trusted is listed in ``catalog`` with the reason; the host runs with what is left.
    ///
    /// - Parameters:
    ///   - directories: where plugin files lie, the first before the next; nil for the directories of
    ///     `HSLINK_PATH` (separated by colons), else `plugins` beside the executable.
    ///   - includesBuiltIn: whether components that are linked into the executable take part.
    ///   - provides: the program's own link classes, which its components may call.
    ///   - options: what is different from the usual.
    public init(
        components directories: [String]? = nil, includesBuiltIn: Bool = true, provides: [ProvidedClass] = [],
        options: HostOptions = HostOptions()
    ) {
        let scan = HostScan(
            directories: directories ?? Catalog.defaultDirectories(), includesBuiltIn: includesBuiltIn,
            provides: provides, options: options)
        core = HostCore(scan)
        link = Link(core)
    }

    deinit { _ = core.stop(timeout: .zero) }

    /// What lies in the directories: every component, and every other file and directory with the reason why it is
    /// not used. What is in memory may be something else; see ``ComponentInfo/onDisk``.
    public var catalog: Catalog { core.registry.contents.withLock { $0.catalog } }

    /// All components with their states, in the order in which they can be loaded.
    public var components: [ComponentInfo] { core.registry.componentInfos() }

    /// The state of a component; nil when there is none of that name.
    public func state(of component: String) -> ComponentState? {
        core.registry.unit(named: component)?.publicState
    }

    /// Loads a component now instead of at its first call.
    ///
    /// - Throws: why it cannot be loaded; ``ComponentKit/LinkError/Code/classNotFound`` when there is none of that name.
    public func load(_ component: String) throws(LinkError) {
        guard let unit = core.registry.unit(named: component) else {
            throw LinkError(.classNotFound, message: "no component \(component) was found", component: component)
        }
        try core.registry.load(unit, in: core)
    }

    /// Resets a component that failed to load; its next call tries again.
    ///
    /// - Returns: false when there is none of that name, or it has not failed. What its directory says is read
    ///   anew by ``rescan()``.
    @discardableResult
    public func retry(_ component: String) -> Bool {
        guard let unit = core.registry.unit(named: component), unit.loaded == nil else { return false }
        return unit.reset()
    }

    /// Looks through the directories again. Components that are in memory stay as they are; others are taken
    /// from what lies there now, and those that had failed are tried again at the next call to them.
    ///
    /// Reads files, so not for code that must not block; ``watch()`` does it by itself.
    ///
    /// - Returns: what is different from the last look; nothing after ``stop(timeout:)``.
    @discardableResult
    public func rescan() -> [CatalogChange] { core.rescan() }

    /// Takes the data directory of the options for this host now instead of at a component's first use, so that
    /// a program finds out at its start when another host has it. Makes directories, so not for code that must not
    /// block.
    ///
    /// - Returns: its absolute path, without links.
    /// - Throws: an error of the domain `hslink.data`: there is none in the options, another host has it (the message
    ///   names the process and its program), others may write to it, or the system refuses; or
    ///   ``ComponentKit/LinkError/Code/stopped``.
    @discardableResult
    public func claimDataDirectory() throws(LinkError) -> String { try core.data.claim() }

    /// Refuses new calls from outside, waits for those in flight, then ends components in the reverse order of their
    /// requirements.
    ///
    /// - Parameter timeout: how long calls in flight may take; they are ended as cancelled then. A component that
    ///   a thread is still inside of is not ended, and named in the report.
    @discardableResult
    public func stop(timeout: Duration = .seconds(5)) async -> StopReport {
        await awaitResume { [core] resume in
            let stop: @Sendable () -> Void = { resume(core.stop(timeout: timeout)) }
            if !startThread(named: "hslink-stop", stop) { stop() }
        }
    }
}

// The short way to the calls of `link`, where they are documented.
extension LinkHost {
    /// Calls a selector and hands the three parts of the answer to `callback`, exactly once; threads as with the forms of
    /// ``ComponentKit/Link``.
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

    /// The same with the whole answer, and the error where there is one.
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
}

/// Typed calls of the program's own code; see ``ComponentKit/Link``.
extension LinkHost {
    /// See ``ComponentKit/Link/service(_:from:)``.
    public func service<Client: ServiceClient>(
        _ type: Client.Type = Client.self, from component: String? = nil
    ) throws(LinkError) -> Client {
        try link.service(type, from: component)
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
    /// Every class that says it provides the service, in the order of choice: those of the program itself, then the
    /// highest version of a component, then the one found first; of files that others have displaced last. Loads
    /// nothing. Any thread.
    ///
    /// - Parameter service: its name, as in "com.example.account/1".
    /// - Returns: none when nobody does.
    public func providers(of service: String) -> [ServiceProvider] { core.registry.providers(of: service) }

    /// The providers of all services, by the names of the services.
    public var services: [ServiceProvider] {
        core.registry.contents.withLock { $0.services }.services.flatMap { core.registry.providers(of: $0) }
    }
}

extension LinkHost {
    /// What components that can be called say about themselves: of one in memory what it says, not what lies in its
    /// place by now.
    package var runningManifests: [Manifest] {
        core.registry.contents.withLock { $0.components }.map(\.manifest)
    }
}

extension LinkHost {
    /// Watches the directories and looks through them again by itself when something has changed there.
    ///
    ///     for await change in host.watch() {
    ///         print(change.component ?? change.path ?? "", change)
    ///     }
    ///
    /// Directories that do not exist yet, or are deleted and made again, are waited for. A file that is being written
    /// is looked at when it is closed and nothing has happened for a moment, after two seconds at the latest. Where the
    /// system has no watches left, the log says so and the directories are looked at every few seconds.
    ///
    /// Each sequence is told everything that any look finds, ``rescan()`` included. All of them share one thread, which
    /// ends with the last of them. Any thread.
    public func watch() -> CatalogChanges { CatalogChanges(stream: core.watching.subscribe(core)) }
}

extension LinkHost {
    /// Makes a call for a thread that must not block, as an event loop: in place where nothing in it can block,
    /// which are quick methods of classes in memory whose instance is made; else on a thread of the host.
    package func beginWithoutBlocking(
        _ target: CallTarget, _ payload: Payload, _ deadline: Deadline?
    ) -> BegunCall {
        core.begin(target, payload, .onHostThread(deadline, callerSleeps: false))
    }

    /// Has the methods of a class's component run on threads of the host from now on, also those that say they are quick: one
    /// of them has blocked.
    package func distrustQuickMethods(ofComponentOf className: String) {
        guard case .loaded(let linkClass) = core.registry.find(className) else { return }
        unsafe linkClass.takeUnretainedValue().runState.setSlow()
    }

    /// Ends a call as cancelled; no effect once it has ended. Its method is told on another thread.
    package func cancel(_ call: CallIdentifier) {
        guard let pending = PendingReply(identifier: call) else { return }
        pending.end(with: LinkError(.cancelled)) { [core] handler in
            // Looking for the component takes a lock.
            core.engine.callers.submit {
                let unit = core.registry.all.first { $0.ledger.index == pending.ledger }
                core.engine.notify(handler, of: unit)
            }
        }
    }
}
