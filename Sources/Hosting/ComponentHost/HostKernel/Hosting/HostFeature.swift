import CHSLink
import ComponentCatalog
import ComponentKit

/// What a host does besides finding, loading and calling components, such as delivering events. A feature is an object
/// with the state and the options of its own, and the kernel tells it through these functions what happens. Each has a
/// default that does nothing.
///
/// The kernel asks one feature after the other, in the order of their places. In the life of a host, it calls
///
/// 1. ``publish(_:)``, ``scanned(_:)`` and ``ready(in:)`` while the host is made;
/// 2. ``starting(in:)`` before the first component that starts with the host, and ``announceAndWait(_:_:until:in:)``
///    with `HostStarted` after the last; neither if the host is not started;
/// 3. ``publish(_:)`` and ``scanned(_:)`` in each later scan, then ``announce(_:_:in:)`` with `ComponentsChanged`;
/// 4. ``check(_:)`` before a component is loaded, and ``loaded(_:in:)`` after it;
/// 5. ``announceAndWait(_:_:until:in:)`` with `HostWillStop`, then ``closing()`` once calls from outside are refused,
///    ``isAtWork`` while calls in flight end, ``stopped(_:in:)`` once the components are destroyed, and ``over(in:)``.
///
/// The host holds its features, so a feature does not keep the core that it is passed: what lasts longer than the call,
/// such as a thread, has it weakly, and closures of the program that are kept, which hold it, are released in
/// ``stopped(_:in:)``. A host that is released without a stop calls none of these functions, so a feature ends its
/// threads in its `deinit`, too.
protocol HostFeature: AnyObject, Sendable {
    /// Its index among the features of each host.
    static var place: Int { get }

    /// The classes that a host has because of this feature. They are made once for all hosts of the process, so they
    /// find the feature of the host that they are called in with ``HostCore/feature(_:)``.
    static var classes: [ProvidedClass] { get }

    // MARK: Scans

    /// Receives the components in loading order, before calls can find those that are new. Called with the locks of
    /// scans and of the registry's contents held, so it must not ask the registry, and runs no author's code.
    func publish(_ units: [ComponentUnit])

    /// Receives the same components when calls can find them. Called with the lock of scans held, so it must not scan,
    /// and runs no author's code.
    func scanned(_ units: [ComponentUnit])

    /// The files and directories to watch besides those with components. Asked each time when watching begins.
    var watchedFiles: [String] { get }

    /// Is told that the watched files or directories have changed and been quiet since. Called after the scan, without
    /// locks, on the thread that watches them.
    func settled(in core: HostCore)

    // MARK: Components

    /// Throws the reason why a component must not be loaded. Called in the gate of the component, on the thread that
    /// loads it, before what it requires is loaded.
    func check(_ unit: ComponentUnit) throws(LinkError)

    /// Is told that a component which could not be loaded is to be tried again. Called before it is available again,
    /// without locks, from any thread.
    func retrying(_ unit: ComponentUnit)

    /// A number that differs once ``check(_:)`` may have another result. If it changes while a component fails because
    /// of its configuration, or of one that it requires, the component is tried again. Asked from any thread.
    var generation: Int { get }

    /// Is told that a component is in memory. Called without locks and outside of its gate, on the thread that has
    /// loaded it, so it may call the component.
    func loaded(_ unit: ComponentUnit, in core: HostCore)

    /// Returns why the resources of a component cannot be used; nil if they can, or if it has none. Called from any
    /// thread without locks; may read files.
    ///
    /// - Parameter bundles: the bundles beside the components of one list.
    func resourceProblem(of unit: ComponentUnit, _ bundles: ResourceBundles) -> String?

    /// Returns the functions that a component gets for the name of an extension; nil for the names of others. They
    /// outlive all hosts and receive the table of the component. Called from any thread, with any lock held.
    func extensionTable(_ name: hslink_string) -> UnsafeRawPointer?

    // MARK: Events in the life of the host

    /// Tells components and the program about an event, with nothing carried, and waits for no one. Called without
    /// locks, from any thread, also after the stop.
    func announce(_ event: String, _ payload: Payload, in core: HostCore)

    /// Tells components and the program about an event, with nothing carried, and blocks this thread until all have
    /// handled it. Called without locks, on the thread that starts or stops the host.
    ///
    /// - Parameter end: when they must have handled it; nil if the feature decides.
    func announceAndWait(_ event: String, _ payload: Payload, until end: Deadline?, in core: HostCore)

    // MARK: The life of the host

    /// Is told that the host has been made. Called without locks, before anyone else has the host.
    func ready(in core: HostCore)

    /// Is told that the host starts. Called without locks, on the thread that starts it; a stop may begin meanwhile.
    func starting(in core: HostCore)

    /// Is told that calls from outside are refused from now on. Called without locks, on the thread that stops the host,
    /// perhaps while another one starts it.
    func closing()

    /// Whether it is yet to make calls for what began before ``closing()``, besides those that are open. The stop waits
    /// for it until its deadline. Asked often, without locks.
    var isAtWork: Bool { get }

    /// Is told that the components are destroyed, except for those in the report. No call reaches a component any more.
    /// Called without locks, on the thread that stops the host. Releases what holds the host, and accepts no more of it.
    func stopped(_ report: StopReport, in core: HostCore)

    /// Is told that all calls are refused from now on. Called as ``stopped(_:in:)`` is, as the last of all.
    func over(in core: HostCore)
}

extension HostFeature {
    static var classes: [ProvidedClass] { [] }

    func publish(_ units: [ComponentUnit]) {}
    func scanned(_ units: [ComponentUnit]) {}
    var watchedFiles: [String] { [] }
    func settled(in core: HostCore) {}

    func check(_ unit: ComponentUnit) throws(LinkError) {}
    func retrying(_ unit: ComponentUnit) {}
    var generation: Int { 0 }
    func loaded(_ unit: ComponentUnit, in core: HostCore) {}
    func resourceProblem(of unit: ComponentUnit, _ bundles: ResourceBundles) -> String? { nil }
    func extensionTable(_ name: hslink_string) -> UnsafeRawPointer? { nil }

    func announce(_ event: String, _ payload: Payload, in core: HostCore) {}
    func announceAndWait(_ event: String, _ payload: Payload, until end: Deadline?, in core: HostCore) {}

    func ready(in core: HostCore) {}
    func starting(in core: HostCore) {}
    func closing() {}
    var isAtWork: Bool { false }
    func stopped(_ report: StopReport, in core: HostCore) {}
    func over(in core: HostCore) {}
}
