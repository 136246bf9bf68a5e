import CHSLink

/// A selector of an object as a bound method. Bound calls of components are objects of the host, whose empty
/// selector calls the method.
final class ObjectMethod: BoundMethod {
    private let object: LinkObject
    private let objectSelector: String
    private let link: Link
    /// What errors name.
    private let className: String
    private let selector: String

    /// A bound call of a component.
    init(bound object: LinkObject, _ link: Link, _ className: String, _ selector: String) {
        self.object = object
        objectSelector = ""
        self.link = link
        self.className = className
        self.selector = selector
    }

    /// A selector of an instance.
    init(_ object: LinkObject, _ selector: String, _ link: Link) {
        self.object = object
        objectSelector = selector
        self.link = link
        className = object.className
        self.selector = selector
    }

    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        let thread = CallThread.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let status = unsafe object.invoke(
            objectSelector, payload,
            hslink_call(
                struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: UInt32(HSLINK_CALL_WAITS),
                reply: pending.handle(on: thread), deadline: 0, caller: hslink_string(), component: nil,
                carried: nil))
        do throws(LinkError) {
            return try pending.wait(on: thread, status)
        } catch {
            throw error.naming(className: className, selector: selector, component: "")
        }
    }

    func callAndWait(_ payload: Payload, _ deadline: Deadline) throws(LinkError) -> Payload {
        let wait = BlockingWait()
        _ = start(payload, deadline, isDetached: true, .outcome { wait.finish($0) })
        return try wait.wait()
    }

    func start(
        _ payload: Payload, _ deadline: Deadline?, isDetached: Bool, _ completion: CallCompletion
    ) -> CallIdentifier? {
        var request = CallRequest(object, objectSelector, payload)
        request.deadline = deadline
        request.isDetached = isDetached
        return link.backend.start(
            request,
            .outcome { [className, selector] outcome in
                completion.finish(
                    outcome.mapError { $0.naming(className: className, selector: selector, component: "") })
            })
    }

    func cancel(_ call: CallIdentifier) { link.backend.cancel(call) }
}
