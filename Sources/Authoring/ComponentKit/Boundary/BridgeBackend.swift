package import CHSLink
import SystemSupport

/// The link backend of a component, which reaches its host over the boundary.
@safe
// Unchecked: a constant pointer to a table that is valid while retained, and callable from any thread.
final class BridgeBackend: LinkBackend, @unchecked Sendable {
    let host: UnsafePointer<hslink_host>
    let sharedObjects = SharedObjects()

    init(_ host: UnsafePointer<hslink_host>) {
        unsafe host.pointee.retain(host)
        unsafe self.host = unsafe host
        LiveBackends.add(self)
    }

    deinit {
        LiveBackends.remove(self)
        unsafe host.pointee.release(host)
    }

    func begin(_ target: CallTarget, _ payload: borrowing Payload, mode: CallMode) -> BegunCall {
        switch target {
        case .named(let className, let selector, let kind):
            unsafe begin(className, selector, kind: kind, object: nil, payload: payload, mode: mode)
        case .object(let object, let selector):
            unsafe begin("", selector, kind: .object, object: object.pointer, payload: payload, mode: mode)
        }
    }

    func callAndWait(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        try unsafe begin(
            className, selector, kind: kind, object: nil, payload: payload, mode: .inPlace(callerSleeps: true)
        ).wait()
    }

    func begin(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode
    ) -> BegunCall {
        unsafe begin(className, selector, kind: kind, object: nil, payload: payload, mode: mode)
    }

    func cancel(_ call: CallIdentifier) {
        unsafe host.pointee.cancel(host, hslink_call_id(slot: call.slot, token: call.token))
    }

    func bind(
        _ className: String, _ selector: String, kind: SelectorKind
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
        return unsafe ObjectMethod(
            bound: LinkObject(adopting: bound), Link(self), className: className, selector: selector)
    }

    func isAvailable(_ className: String, _ selector: String?, kind: SelectorKind) -> Bool {
        // Over the boundary, an empty selector asks for the class alone.
        guard selector?.isEmpty != true else { return false }
        return unsafe className.withLinkString { className in
            unsafe (selector ?? "").withLinkString {
                unsafe host.pointee.is_available(host, className, $0, kind.boundary) != 0
            }
        }
    }

    func isLoaded(_ className: String) -> Bool {
        unsafe className.withLinkString { unsafe host.pointee.is_loaded(host, $0) != 0 }
    }

    func enter() -> LinkError? {
        switch Int(unsafe host.pointee.enter(host)) {
        case HSLINK_OK: nil
        case HSLINK_ERROR_TOO_DEEP:
            LinkError(
                .tooDeep,
                message: "calls are nested deeper than the thread's stack allows; end the recursion, or continue "
                    + "after the call has returned")
        default: LinkError(.stopped)
        }
    }

    func leave() { unsafe host.pointee.leave(host) }

    func beginWork() -> Bool { unsafe host.pointee.begin_work(host) == 0 }

    func endWork() { unsafe host.pointee.end_work(host) }

    func log(_ level: LogLevel, _ message: String) {
        unsafe message.withLinkMessage { unsafe host.pointee.log(host, level.rawValue, $0) }
    }

    private func begin(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind,
        object: UnsafeMutablePointer<hslink_object>?, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall {
        let thread = ThreadContext.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let flags = (mode.isInPlace ? 0 : HSLINK_DETACH) | (mode.callerSleeps ? HSLINK_WAITS : 0)
        var identifier = unsafe hslink_call_id()
        let status = unsafe className.withLinkString { className in
            unsafe selector.withLinkString { selector in
                unsafe payload.withUnsafeValue { payload in
                    unsafe Carried.withCurrent { carried in
                        var request = unsafe hslink_request(
                            struct_size: UInt32(MemoryLayout<hslink_request>.size), kind: kind.boundary,
                            class_name: className, selector: selector, object: object, payload: payload,
                            deadline: mode.deadline?.nanoseconds ?? 0, flags: UInt64(flags), carried: carried)
                        return unsafe host.pointee.call(host, &request, pending.handle(on: thread), &identifier)
                    }
                }
            }
        }
        return pending.begun(
            on: thread, status, unsafe CallIdentifier(slot: identifier.slot, token: identifier.token), of: className)
    }
}

extension Link {
    /// The host's function table, as given to the component of this link; nil if the link crosses no boundary.
    package var hostFunctions: UnsafePointer<hslink_host>? { unsafe (backend as? BridgeBackend)?.host }
}

extension PendingReply {
    /// Returns the state of a call over the boundary whose function returned `status`.
    ///
    /// - Parameters:
    ///   - identifier: the identifier that cancels the call; nil to use that of this reply.
    ///   - className: the class that was called by its name; empty for an object.
    func begun(
        on thread: ThreadContext, _ status: Int32, _ identifier: CallIdentifier? = nil,
        of className: borrowing String = ""
    ) -> BegunCall {
        guard status == Int32(HSLINK_LATER) else {
            let outcome = takeReplied(on: thread) ?? .failure(LinkError(.noReply))
            guard case .failure(let error) = outcome, !className.isEmpty else { return .ended(outcome) }
            return .ended(.failure(error.answering(className)))
        }
        let called = copy className
        return .runs { completion in
            whenDone(on: .current, wakes: !completion.runsCallersCode) { outcome, _ in
                guard case .failure(let error) = outcome, !called.isEmpty else { return completion.finish(outcome) }
                completion.fail(error.answering(called))
            }
            return identifier ?? self.identifier
        }
    }
}

extension BridgeBackend {
    /// Returns the path of the component's data directory, which the host's extension `hslink.data/1` provides.
    ///
    /// - Throws: the host's own error, or a `LinkError` with the domain `hslink.data` if the host lacks the extension
    ///   or gives no valid answer.
    func dataDirectory(isCache: Bool = false) throws(LinkError) -> String {
        // As HSLINK_HAS in C: hosts of the first revision lack the member.
        let cacheEnd =
            unsafe (MemoryLayout<hslink_host_data>.offset(of: \.cache_directory) ?? .max - 8)
            + MemoryLayout<UnsafeRawPointer>.size
        let table = unsafe HSLINK_DATA.withLinkString { unsafe host.pointee.get_extension(host, $0) }
        guard let table = unsafe table?.assumingMemoryBound(to: hslink_host_data.self),
            unsafe Int(table.pointee.struct_size) >= (isCache ? cacheEnd : HSLINK_HOST_DATA_SIZE_1_0)
        else {
            throw LinkError(
                domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_NONE),
                message: "the host does not support \(HSLINK_DATA) and keeps no component data; use a newer host")
        }
        let report = FailureReport()
        var path = unsafe hslink_string()
        let status = unsafe report.withUnsafeFailure {
            unsafe isCache
                ? table.pointee.cache_directory(host, &path, $0) : table.pointee.directory(host, &path, $0)
        }
        guard status == 0 else {
            throw report.error
                ?? LinkError(
                    domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_SYSTEM),
                    message: "the host could not provide a data directory and gave no reason")
        }
        guard let text = unsafe path.text(limit: HSLINK_MESSAGE_BYTES) else {
            throw LinkError(
                domain: HSLINK_DATA_DOMAIN, number: Int32(HSLINK_DATA_SYSTEM),
                message: "the host returned an invalid path: \(unsafe path.placeholder)")
        }
        return text
    }
}

// A component finds targets by asking its host which classes and selectors there are, so any host will do, and the
// boundary has calls only.
extension BridgeBackend {
    func perform(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall {
        let (target, action) = (copy target, copy action)
        guard let className = availableClass(of: target) else {
            return performUnavailable(target, action, payload: payload, mode: mode)
        }
        if let (selector, kind) = availableSelector(of: action, in: className) {
            return begin(className, selector, kind: kind, payload: payload, mode: mode)
        }
        if let (selector, kind) = availableSelector(of: TargetNames.notFound, in: className) {
            let request = requestPayload(target: target, action: action, params: payload)
            return begin(className, selector, kind: kind, payload: request, mode: mode)
        }
        return passOn(target, action, payload: payload, mode: mode)
            ?? begin(className, action, kind: .object, payload: payload, mode: mode)
    }

    func performAndWait(
        _ target: borrowing String, _ action: borrowing String, payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        try perform(target, action, payload: payload, mode: .inPlace(callerSleeps: true)).wait()
    }

    func check(_ target: String, _ action: String?) -> Bool {
        guard let className = availableClass(of: target) else { return false }
        guard let action else { return true }
        return availableSelector(of: action, in: className) != nil
    }

    /// Performs the action of a target none of whose classes is available. One of them may belong to a component that
    /// has failed or been stopped, and the call to it gives the reason.
    private func performUnavailable(
        _ target: String, _ action: String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall {
        for className in TargetNames.classes(of: target) {
            let begun = begin(className, action, kind: .object, payload: payload, mode: mode)
            if case .ended(.failure(let error)) = begun, error.code == .classNotFound,
                error.className.isExactly(className)
            {
                continue
            }
            return begun
        }
        return passOn(target, action, payload: payload, mode: mode)
            ?? .ended(.failure(LinkError(.classNotFound, className: target, selector: action)))
    }

    /// Passes a request on to the target for all requests that no other target answers; nil if there is none.
    private func passOn(
        _ target: String, _ action: String, payload: borrowing Payload, mode: CallMode
    ) -> BegunCall? {
        guard let className = availableClass(of: TargetNames.fallback.target),
            let (selector, kind) = availableSelector(of: TargetNames.fallback.action, in: className)
        else { return nil }
        let request = requestPayload(target: target, action: action, params: payload)
        return begin(className, selector, kind: kind, payload: request, mode: mode)
    }

    private func availableClass(of target: String) -> String? {
        TargetNames.classes(of: target).first { isAvailable($0, nil, kind: .object) }
    }

    private func availableSelector(of action: String, in className: String) -> (String, SelectorKind)? {
        for kind in [SelectorKind.object, .class] {
            for selector in TargetNames.selectors(of: action, in: className)
            where isAvailable(className, selector, kind: kind) {
                return (selector, kind)
            }
        }
        return nil
    }
}
