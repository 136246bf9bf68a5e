package import CHSLink

/// The way from a component to its host, over the boundary.
@safe
// Unchecked: a constant pointer to a table that is valid while retained, callable from any thread.
final class BridgeBackend: LinkBackend, @unchecked Sendable {
    let host: UnsafePointer<hslink_host>
    let sharedObjects = SharedObjects()

    init(_ host: UnsafePointer<hslink_host>) {
        unsafe host.pointee.retain(host)
        unsafe self.host = unsafe host
    }

    deinit { unsafe host.pointee.release(host) }

    func start(_ request: borrowing CallRequest, _ completion: CallCompletion) -> CallIdentifier? {
        let thread = CallThread.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        var identifier = unsafe hslink_call_id()
        let status = unsafe withBoundaryRequest(request) {
            unsafe host.pointee.call(host, $0, pending.handle(on: thread), &identifier)
        }
        guard status == Int32(HSLINK_LATER) else {
            completion.finish(pending.takeReplied(on: thread) ?? .failure(LinkError(.noReply)))
            return nil
        }
        pending.whenDone(on: thread) { completion.finish($0) }
        return unsafe CallIdentifier(slot: identifier.slot, token: identifier.token)
    }

    func callAndWait(_ request: borrowing CallRequest) throws(LinkError) -> Payload {
        let thread = CallThread.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let status = unsafe withBoundaryRequest(request, waits: true) {
            unsafe host.pointee.call(host, $0, pending.handle(on: thread), nil)
        }
        return try pending.wait(on: thread, status)
    }

    func cancel(_ call: CallIdentifier) {
        unsafe host.pointee.cancel(host, hslink_call_id(slot: call.slot, token: call.token))
    }

    func bind(
        _ className: String, _ selector: String, _ kind: SelectorKind
    ) throws(LinkError) -> any BoundMethod {
        var bound: UnsafeMutablePointer<hslink_object>?
        let report = FailureReport()
        let status = unsafe className.withLinkString { className in
            unsafe selector.withLinkString { selector in
                unsafe report.withUnsafeFailure {
                    unsafe host.pointee.bind(host, className, selector, kind.boundary, &bound, $0)
                }
            }
        }
        guard status == 0, let bound = unsafe bound else {
            throw report.error ?? LinkError(.classNotFound, className: className, selector: selector)
        }
        return unsafe ObjectMethod(bound: LinkObject(adopting: bound), Link(self), className, selector)
    }

    func isAvailable(_ className: String, _ selector: String?, _ kind: SelectorKind) -> Bool {
        unsafe className.withLinkString { className in
            unsafe (selector ?? "").withLinkString {
                unsafe host.pointee.is_available(host, className, $0, kind.boundary) != 0
            }
        }
    }

    func isLoaded(_ className: String) -> Bool {
        unsafe className.withLinkString { unsafe host.pointee.is_loaded(host, $0) != 0 }
    }

    func enter() -> Bool { unsafe host.pointee.enter(host) == 0 }

    func leave() { unsafe host.pointee.leave(host) }

    func log(_ level: LogLevel, _ message: String) {
        unsafe message.withLinkMessage { unsafe host.pointee.log(host, level.rawValue, $0) }
    }

    private func withBoundaryRequest<Result>(
        _ request: borrowing CallRequest, waits: Bool = false,
        _ body: (UnsafePointer<hslink_request>) -> Result
    ) -> Result {
        unsafe request.className.withLinkString { className in
            unsafe request.selector.withLinkString { selector in
                unsafe request.payload.withUnsafeValue { payload in
                    let flags = (request.isDetached ? HSLINK_DETACH : 0) | (waits ? HSLINK_WAITS : 0)
                    var boundary = unsafe hslink_request(
                        struct_size: UInt32(MemoryLayout<hslink_request>.size), kind: request.kind.boundary,
                        class_name: className, selector: selector, object: request.object?.pointer,
                        payload: payload, deadline: request.deadline?.nanoseconds ?? 0, flags: UInt64(flags),
                        carried: nil)
                    return unsafe body(&boundary)
                }
            }
        }
    }
}

extension Link {
    /// The functions of the host as the component of this link has them; nil where there is no boundary.
    package var hostFunctions: UnsafePointer<hslink_host>? { unsafe (backend as? BridgeBackend)?.host }
}

extension PendingReply {
    /// Blocks until the reply is there, after a call that returned `status`.
    package func wait(on thread: CallThread, _ status: Int32) throws(LinkError) -> Payload {
        guard status == Int32(HSLINK_LATER) else {
            return try (takeReplied(on: thread) ?? .failure(LinkError(.noReply))).get()
        }
        let wait = BlockingWait()
        whenDone(on: thread) { wait.finish($0) }
        return try wait.wait()
    }
}
