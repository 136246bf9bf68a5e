import CHSLink

/// A bound call as a component has it: an object of the host whose empty selector calls the method.
final class BridgeBoundMethod: BoundMethod {
    private let object: LinkObject
    private let link: Link
    private let className: String
    private let selector: String

    init(_ object: LinkObject, _ link: Link, _ className: String, _ selector: String) {
        self.object = object
        self.link = link
        self.className = className
        self.selector = selector
    }

    func callAndWait(_ payload: borrowing Payload) throws(LinkError) -> Payload {
        let thread = CallThread.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let call = unsafe hslink_call(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: UInt32(HSLINK_CALL_WAITS),
            reply: pending.handle(on: thread),
            deadline: 0, caller: hslink_string(), component: nil)
        let status = unsafe payload.withUnsafeValue { value in
            unsafe withUnsafePointer(to: call) {
                unsafe object.pointer.pointee.type.pointee.invoke(object.pointer, hslink_string(), value, $0)
            }
        }
        return try pending.wait(on: thread, status)
    }

    func callAndWait(_ payload: Payload, _ deadline: Deadline) throws(LinkError) -> Payload {
        let wait = BlockingWait()
        _ = start(payload, deadline, isDetached: true, .outcome { wait.finish($0) })
        return try wait.wait()
    }

    func start(
        _ payload: Payload, _ deadline: Deadline?, isDetached: Bool, _ completion: CallCompletion
    ) -> CallIdentifier? {
        var request = CallRequest(object, "", payload)
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
