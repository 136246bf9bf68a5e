/// Carries out the calls of a ``Link``: either the host itself, or the bridge to it over the boundary.
package protocol LinkBackend: AnyObject, Sendable {
    /// Makes a call.
    func begin(_ target: CallTarget, _ payload: borrowing Payload, mode: CallMode) -> BegunCall

    /// Makes a call by name, like ``begin(_:_:mode:)`` but without copying the names.
    func begin(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode
    ) -> BegunCall

    /// Makes a call by name and passes the three parts of its answer to `callback`, like ``begin(_:_:mode:)`` and
    /// ``BegunCall/finish(_:)``, but without making an error that nobody reads.
    func call(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode, callback: @escaping @Sendable (Payload?, Bool, Bool) -> Void)

    /// Calls a method by name on this thread and waits until it has replied, with less overhead than
    /// ``begin(_:_:mode:)``.
    func callAndWait(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload
    ) throws(LinkError) -> Payload

    /// Makes a call by target and action; see ``Link/perform(target:action:_:timeout:)``.
    func perform(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall

    /// Makes a call by target and action on this thread and waits until it has ended.
    func performAndWait(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload
    ) throws(LinkError) -> Payload

    /// Returns whether a target is available and, unless it is nil, has the action.
    func check(_ target: String, _ action: String?) -> Bool

    /// Ends a call as cancelled. Has no effect once the call has ended.
    func cancel(_ call: CallIdentifier)

    /// Resolves a class and selector, and loads the component if necessary.
    func bind(_ className: String, _ selector: String, kind: SelectorKind) throws(LinkError) -> any BoundMethod

    func isAvailable(_ className: String, _ selector: String?, kind: SelectorKind) -> Bool
    func isLoaded(_ className: String) -> Bool

    /// Begins a bracket around author code that runs on behalf of an object.
    ///
    /// - Returns: the reason why the code must not run, in which case ``leave()`` must not be called; nil if it may
    ///   run.
    func enter() -> LinkError?
    func leave()

    /// Begins a bracket around author code that continues after its method has returned, on any thread.
    ///
    /// - Returns: false if the component has been stopped.
    func beginWork() -> Bool
    func endWork()

    func log(_ level: LogLevel, _ message: String)

    /// The shared instances of ``HSLinkClass`` subclasses that use this backend.
    var sharedObjects: SharedObjects { get }
}

extension LinkBackend {
    package func call(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode, callback: @escaping @Sendable (Payload?, Bool, Bool) -> Void
    ) {
        begin(className, selector, kind: kind, payload: payload, mode: mode).finish(.parts(callback))
    }
}

/// The backends of this image that exist, for calls of objects that are made without a ``Link``.
///
/// Any of them will do: the host finds out for which component the thread runs.
package enum LiveBackends {
    private struct Entry: Sendable {
        weak let backend: (any LinkBackend)?
    }

    private static let entries = Lock<[ObjectIdentifier: Entry]>([:])

    package static func add(_ backend: any LinkBackend) {
        let entry = Entry(backend: backend)
        entries.withLock { $0[ObjectIdentifier(backend)] = entry }
    }

    package static func remove(_ backend: any LinkBackend) {
        let key = ObjectIdentifier(backend)
        entries.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// One of the backends; nil if there are none.
    static var any: (any LinkBackend)? {
        entries.withLock { entries in
            // Each reference is read once: the backend may go between two readings, and while the lock is held none may be
            // released that no one else keeps.
            for entry in entries.values {
                if let backend = entry.backend { return backend }
            }
            return nil
        }
    }

    /// All of the backends.
    package static var all: [any LinkBackend] { entries.withLock { $0.values.compactMap(\.backend) } }
}

/// A class and selector that have been resolved.
package protocol BoundMethod: AnyObject, Sendable {
    /// Makes a call.
    func begin(_ payload: borrowing Payload, _ mode: CallMode) -> BegunCall
    /// Calls the method on this thread and waits until it has replied. This is the fastest form.
    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload
    /// Ends a call that was made through this method as cancelled. Has no effect once the call has ended.
    func cancel(_ call: CallIdentifier)
}

extension BoundMethod {
    /// Calls the method and suspends until it has replied.
    func callAndAwait(_ payload: borrowing Payload, _ deadline: Deadline?) async -> Result<Payload, LinkError> {
        let payload = copy payload
        return await awaitCall(cancel: cancel) { begin(payload, .onHostThread(deadline, callerSleeps: false)) }
    }
}

/// The severity of a line in the host's log.
public enum LogLevel: Int32, Sendable {
    case debug = 0
    case info = 1
    case warning = 2
    case error = 3
}
