/// Who carries out the calls of a ``Link``: the host itself, or the way to it over the boundary.
package protocol LinkBackend: AnyObject, Sendable {
    /// Carries out a call. `completion` is called exactly once: before this returns when the method
    /// replied at once, else on the thread that ends the call.
    ///
    /// - Returns: what ``cancel(_:)`` takes; nil when the call has ended already.
    func start(_ request: borrowing CallRequest, _ completion: CallCompletion) -> CallIdentifier?

    /// Carries out a call and waits for its end.
    func callAndWait(_ request: borrowing CallRequest) throws(LinkError) -> Payload

    /// Ends a call as cancelled; no effect once it has ended.
    func cancel(_ call: CallIdentifier)

    /// Resolves class and selector; loads the component where that has not happened.
    func bind(_ className: String, _ selector: String, _ kind: SelectorKind) throws(LinkError) -> any BoundMethod

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool
    func isLoaded(_ className: String) -> Bool

    /// Brackets author code that runs on behalf of an object; false: the component was stopped.
    func enter() -> Bool
    func leave()

    func log(_ level: LogLevel, _ message: String)

    /// The shared instances of ``HSLinkClass`` subclasses that use this backend.
    var sharedObjects: SharedObjects { get }
}

/// A class and selector resolved once.
package protocol BoundMethod: AnyObject, Sendable {
    /// Calls the method on this thread and waits for a reply that comes later.
    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload
    func start(
        _ payload: Payload, _ deadline: Deadline?, isDetached: Bool, _ completion: CallCompletion
    ) -> CallIdentifier?
    func callAndWait(_ payload: Payload, _ deadline: Deadline) throws(LinkError) -> Payload
    /// Calls the method on this thread, if it never blocks, for a caller that would suspend.
    func beginInPlace(_ payload: borrowing Payload) -> InPlaceCall
    /// Ends a call that this started; no effect once it has ended.
    func cancel(_ call: CallIdentifier)
}

extension BoundMethod {
    package func beginInPlace(_ payload: borrowing Payload) -> InPlaceCall { .mayBlock }
}

/// What came of a call for which its caller did not suspend yet.
package enum InPlaceCall {
    /// The method may block: it was not called.
    case mayBlock
    case ended(Result<Payload, LinkError>)
    /// It replies later. The function is called once, with who is told.
    case runs((CallCompletion) -> CallIdentifier?)
}

/// Names a call that has begun, for cancelling it.
@safe
// Unchecked: only compared, and followed by who made it.
package struct CallIdentifier: @unchecked Sendable {
    package let slot: UnsafeMutableRawPointer?
    package let token: UInt64

    package init(slot: UnsafeMutableRawPointer?, token: UInt64) {
        unsafe self.slot = unsafe slot
        self.token = token
    }
}

/// How much a line in the host's log matters.
public enum LogLevel: Int32, Sendable {
    case debug = 0
    case info = 1
    case warning = 2
    case error = 3
}
