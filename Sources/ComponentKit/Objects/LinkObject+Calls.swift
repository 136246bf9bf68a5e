package import CHSLink

extension LinkObject {
    /// Calls a selector of the object on this thread; one that replies later blocks it until then. The
    /// empty selector calls a closure.
    ///
    /// - Throws: why it was not performed, among others ``LinkError/Code/stopped`` when the component that
    ///   owns the object has been stopped.
    public func callAndWait(_ selector: String = "", _ payload: Payload = .null) throws(LinkError) -> Payload {
        let wait = BlockingWait()
        start(selector, payload, flags: UInt32(HSLINK_CALL_WAITS)) { wait.finish($0) }
        return try wait.wait()
    }

    /// Calls a selector of the object on this thread and hands the answer to `callback`, exactly once:
    /// before this returns, or, for one that replies later, on the thread that replies.
    public func call(
        _ selector: String = "", _ payload: Payload = .null,
        callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        start(selector, payload) { callback(Answer($0)) }
    }

    /// Calls a selector of the object and suspends until it has replied. A method that blocks occupies the
    /// thread that this runs on: where that matters, call through ``Link/call(_:_:_:timeout:)``.
    public func call(_ selector: String = "", _ payload: Payload = .null) async throws(LinkError) -> Payload {
        try await awaitOutcome(cancel: { PendingReply(identifier: $0)?.end(with: LinkError(.cancelled)) }) {
            start(selector, payload, $0)
        }.get()
    }

    /// Calls the object through the boundary.
    @discardableResult
    package func start(
        _ selector: String, _ payload: Payload, flags: UInt32 = 0,
        _ completion: @escaping @Sendable (Result<Payload, LinkError>) -> Void
    ) -> CallIdentifier? {
        let thread = CallThread.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let status = unsafe invoke(
            selector, payload,
            hslink_call(
                struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: flags, reply: pending.handle(on: thread),
                deadline: 0, caller: hslink_string(), component: nil, carried: nil))
        let name = className
        let named: @Sendable (Result<Payload, LinkError>) -> Void = { outcome in
            completion(outcome.mapError { $0.naming(className: name, selector: selector, component: "") })
        }
        guard status == Int32(HSLINK_LATER) else {
            named(pending.takeReplied(on: thread) ?? .failure(LinkError(.noReply)))
            return nil
        }
        pending.whenDone(on: thread, named)
        return pending.isOpen ? pending.identifier : nil
    }

    /// The bare call.
    ///
    /// - Returns: `HSLINK_REPLIED`, `HSLINK_LATER`, or whatever a broken object returns.
    package func invoke(_ selector: String, _ payload: borrowing Payload, _ call: hslink_call) -> Int32 {
        unsafe selector.withLinkString { selector in
            unsafe payload.withUnsafeValue { value in
                unsafe withUnsafePointer(to: call) {
                    unsafe pointer.pointee.type.pointee.invoke(pointer, selector, value, $0)
                }
            }
        }
    }
}

extension Link {
    /// Calls a selector of an object on a thread of the host, and suspends until it has replied. Cancelling
    /// the task ends the call with ``LinkError/Code/cancelled`` and tells the object.
    ///
    /// - Parameters:
    ///   - object: an instance or a closure.
    ///   - selector: a method of it; empty for a closure.
    ///   - payload: what it is given.
    ///   - timeout: how long the answer may take; nil for as long as it takes.
    /// - Throws: why it was not performed.
    public func call(
        _ object: LinkObject, _ selector: String = "", _ payload: Payload = .null, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        var request = CallRequest(object, selector, payload)
        request.deadline = timeout.map(Deadline.after)
        request.isDetached = true
        return try await awaitAnswer(request)
    }
}

extension PendingReply {
    package var identifier: CallIdentifier { unsafe CallIdentifier(slot: slot, token: token.rawValue) }

    /// The call that an identifier names, if it is one of this image.
    package init?(identifier: CallIdentifier) {
        guard let slot = unsafe identifier.slot else { return nil }
        unsafe self.init(
            slot: slot.assumingMemoryBound(to: ReplySlot.self), token: ReplyToken(rawValue: identifier.token))
    }
}
