/// What carries out the calls of a ``Link``: the host itself, or the way to it over the boundary.
package protocol LinkBackend: AnyObject, Sendable {
    /// Makes a call.
    func begin(_ target: CallTarget, _ payload: borrowing Payload, _ mode: CallMode) -> BegunCall

    /// Makes a call by name: the same as ``begin(_:_:_:)`` without a copy of the names.
    func begin(
        _ className: borrowing String, _ selector: borrowing String, _ kind: SelectorKind, _ payload: borrowing Payload,
        _ mode: CallMode
    ) -> BegunCall

    /// Calls a method by name on this thread and waits for its end: the same with less to hand around.
    func callAndWait(
        _ className: borrowing String, _ selector: borrowing String, _ kind: SelectorKind, _ payload: borrowing Payload
    ) throws(LinkError) -> Payload

    /// Ends a call as cancelled; no effect once it has ended.
    func cancel(_ call: CallIdentifier)

    /// Resolves class and selector; loads the component where that has not happened.
    func bind(_ className: String, _ selector: String, _ kind: SelectorKind) throws(LinkError) -> any BoundMethod

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool
    func isLoaded(_ className: String) -> Bool

    /// Brackets author code that runs on behalf of an object.
    ///
    /// - Returns: why it must not run; then do not leave.
    func enter() -> LinkError?
    func leave()

    /// Brackets author code that goes on after its method has returned, on whatever thread; false: the component was
    /// stopped.
    func beginWork() -> Bool
    func endWork()

    func log(_ level: LogLevel, _ message: String)

    /// The shared instances of ``HSLinkClass`` subclasses that use this backend.
    var sharedObjects: SharedObjects { get }
}

/// A class and selector resolved once.
package protocol BoundMethod: AnyObject, Sendable {
    /// Makes a call.
    func begin(_ payload: borrowing Payload, _ mode: CallMode) -> BegunCall
    /// Calls the method on this thread and waits for a reply that comes later: the quickest way.
    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload
    /// Ends a call that this has made; no effect once it has ended.
    func cancel(_ call: CallIdentifier)
}

extension BoundMethod {
    /// Calls the method and suspends until it has replied.
    func callAndAwait(_ payload: borrowing Payload, _ deadline: Deadline?) async -> Result<Payload, LinkError> {
        let payload = copy payload
        return await awaitCall(cancel: cancel) { begin(payload, .onHostThread(deadline, callerSleeps: false)) }
    }
}

/// How much a line in the host's log matters.
public enum LogLevel: Int32, Sendable {
    case debug = 0
    case info = 1
    case warning = 2
    case error = 3
}
