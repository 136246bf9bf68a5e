import CHSLink

/// A selector of an object as a bound method. In a component, a bound call is an object of the host whose empty
/// selector calls the method.
final class ObjectMethod: BoundMethod {
    private let object: LinkObject
    private let objectSelector: String
    /// Whether the object is a bound call of the host.
    private let isBound: Bool
    private let link: Link
    /// The class and selector that errors name.
    private let className: String
    private let selector: String

    /// Creates a bound call of a component.
    init(bound object: LinkObject, _ link: Link, className: String, selector: String) {
        self.object = object
        objectSelector = ""
        isBound = true
        self.link = link
        self.className = className
        self.selector = selector
    }

    /// Creates a bound method for a selector of an instance.
    init(_ object: LinkObject, _ selector: String, link: Link) {
        self.object = object
        objectSelector = selector
        isBound = false
        self.link = link
        className = object.className
        self.selector = selector
    }

    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        guard isBound else { return try begin(payload, .inPlace(callerSleeps: true)).wait() }
        // The host's function makes the call, which saves the way through its function for all calls.
        let thread = ThreadContext.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let status = unsafe object.invoke(
            objectSelector, payload,
            call: hslink_call(pending.handle(on: thread), flags: UInt32(HSLINK_CALL_WAITS)))
        do throws(LinkError) {
            return try pending.begun(on: thread, status).wait()
        } catch {
            throw error.naming(className: className, selector: selector, component: "")
        }
    }

    func begin(_ payload: borrowing Payload, _ mode: CallMode) -> BegunCall {
        switch link.backend.begin(.object(object, selector: objectSelector), payload, mode: mode) {
        case .ended(let outcome):
            return .ended(outcome.mapError { $0.naming(className: className, selector: selector, component: "") })
        case .runs(let whenDone):
            return .runs { [className, selector] completion in
                whenDone(
                    completion.mapError { $0.naming(className: className, selector: selector, component: "") })
            }
        }
    }

    func cancel(_ call: CallIdentifier) { link.backend.cancel(call) }
}
