package import CHSLink

/// A reference to an object of this component, another component or the host: an instance, a closure or a stream. The
/// object lives at least as long as this reference.
@safe
// Unchecked: a constant pointer to an object whose functions, by contract, may be called from any thread.
public final class LinkObject: @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<hslink_object>

    /// Creates a reference that retains the object.
    package init(retaining pointer: UnsafeMutablePointer<hslink_object>) {
        unsafe pointer.pointee.type.pointee.retain(pointer)
        unsafe self.pointer = unsafe pointer
    }

    /// Creates a reference that takes over the caller's.
    package init(adopting pointer: UnsafeMutablePointer<hslink_object>) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe pointer.pointee.type.pointee.release(pointer) }

    /// The host's function table, as given to the component that owns the object, and whether the object calls its
    /// `enter` and `leave`; nil if the object does not declare an owner.
    package var owner: (host: UnsafePointer<hslink_host>, enters: Bool)? {
        guard unsafe Int(pointer.pointee.type.pointee.struct_size) >= HSLINK_OBJECT_TYPE_SIZE_1_0,
            let getExtension = unsafe pointer.pointee.type.pointee.get_extension,
            let table = unsafe HSLINK_OWNER.withLinkString({ unsafe getExtension(pointer.pointee.type, $0) }),
            unsafe Int(table.load(as: UInt32.self)) >= HSLINK_OBJECT_OWNER_SIZE_1_0,
            unsafe table.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) != nil
        else { return nil }
        let owner = unsafe table.assumingMemoryBound(to: hslink_object_owner.self)
        guard let host = unsafe owner.pointee.host(pointer) else { return nil }
        return unsafe (host, owner.pointee.flags & UInt32(HSLINK_OWNER_ENTERS) != 0)
    }

    /// The address of the object's `invoke` function.
    package var codeAddress: UnsafeRawPointer {
        unsafe unsafeBitCast(pointer.pointee.type.pointee.invoke, to: UnsafeRawPointer.self)
    }

    /// Whether this image has made the object.
    package var isOwn: Bool { unsafe ObjectBox.isOwn(pointer) }

    /// The backend that has made the object; nil if another image has.
    package var maker: (any LinkBackend)? { unsafe ObjectBox.backend(of: pointer) }

    /// Whether the object's class has this name.
    package func isNamed(_ name: String) -> Bool {
        let own = unsafe pointer.pointee.type.pointee.name
        guard unsafe own.utf8 != nil, unsafe own.length == name.utf8.count else { return false }
        return unsafe name.utf8.elementsEqual(UnsafeRawBufferPointer(start: own.utf8, count: own.length))
    }

    /// The name of the object's class; "closure" for a closure.
    public var className: String { unsafe String(name: pointer.pointee.type.pointee.name) }
}

extension LinkObject {
    /// Calls a selector of the object on this thread, and blocks the thread until it has replied. The empty selector
    /// calls a closure.
    ///
    /// - Throws: `LinkError` with the reason why the method was not performed, such as ``LinkError/Code/stopped`` if
    ///   the component that owns the object has been stopped.
    public func callAndWait(_ selector: String = "", _ payload: Payload = .null) throws(LinkError) -> Payload {
        try begin(selector, payload, callerSleeps: true).wait()
    }

    /// Calls a selector of the object on this thread and passes the answer to `callback`, exactly once. `callback` runs
    /// before this function returns or, if the method replies later, on the thread that replies.
    public func call(
        _ selector: String = "", _ payload: Payload = .null,
        callback: @escaping @Sendable (_ answer: Answer) -> Void
    ) {
        begin(selector, payload, callerSleeps: false).finish(.answer(callback))
    }

    /// Calls a selector of the object and suspends until it has replied. The method runs on the current thread, so one
    /// that blocks occupies a thread of Swift's cooperative thread pool. To avoid that, use
    /// ``Link/call(_:_:_:timeout:)``.
    public func call(_ selector: String = "", _ payload: Payload = .null) async throws(LinkError) -> Payload {
        let backend = backend
        return try await awaitCall(cancel: { [backend] call in
            if let backend { return backend.cancel(call) }
            PendingReply(identifier: call)?.end(with: LinkError(.cancelled))
        }) {
            backend?.begin(.object(self, selector: selector), payload, mode: .inPlace(callerSleeps: false))
                ?? beginWithoutHost(selector, payload, callerSleeps: false)
        }.get()
    }

    /// Calls the object on this thread for the running code, through its host.
    func begin(_ selector: String, _ payload: borrowing Payload, callerSleeps: Bool) -> BegunCall {
        guard let backend else { return beginWithoutHost(selector, payload, callerSleeps: callerSleeps) }
        return backend.begin(.object(self, selector: selector), payload, mode: .inPlace(callerSleeps: callerSleeps))
    }

    /// The backend for calls of the running code; nil if this image has no host.
    private var backend: (any LinkBackend)? {
        maker ?? LiveBackends.any
    }

    /// Calls the object directly, in a program that has no host.
    private func beginWithoutHost(
        _ selector: String, _ payload: borrowing Payload, callerSleeps: Bool
    ) -> BegunCall {
        let thread = ThreadContext.current
        let pending = PendingReply.open(on: thread, ledger: 0)
        let status = unsafe invoke(
            selector, payload,
            call: hslink_call(pending.handle(on: thread), flags: callerSleeps ? UInt32(HSLINK_CALL_WAITS) : 0))
        return pending.begun(on: thread, status).mapError { [className] in
            $0.naming(className: className, selector: selector, component: "")
        }
    }

    /// Calls the object's `invoke` function, and adds the strings that the running code has set if `call` carries none.
    ///
    /// - Returns: `HSLINK_REPLIED`, `HSLINK_LATER`, or any other status from a broken object.
    func invoke(_ selector: String, _ payload: borrowing Payload, call: hslink_call) -> Int32 {
        guard unsafe call.carried == nil, let carried = Carried.current else {
            return unsafe invokeAsIs(selector, payload, call: call)
        }
        return unsafe carried.withUnsafeValue { carried in
            var call = unsafe call
            unsafe call.carried = unsafe carried
            return unsafe invokeAsIs(selector, payload, call: call)
        }
    }

    /// Calls the object's `invoke` function.
    ///
    /// - Returns: `HSLINK_REPLIED`, `HSLINK_LATER`, or any other status from a broken object.
    package func invokeAsIs(_ selector: String, _ payload: borrowing Payload, call: hslink_call) -> Int32 {
        let state = unsafe ThreadContext.current.state
        let isInsideAnother = unsafe state.pointee.running.isCallingObject
        unsafe state.pointee.running.isCallingObject = true
        defer { unsafe state.pointee.running.isCallingObject = isInsideAnother }
        return unsafe selector.withLinkString { selector in
            unsafe payload.withUnsafeValue { value in
                unsafe withUnsafePointer(to: call) {
                    unsafe pointer.pointee.type.pointee.invoke(pointer, selector, value, $0)
                }
            }
        }
    }
}

extension Link {
    /// Calls a selector of an object on a thread of the host, and suspends until it has replied. Cancelling the task
    /// ends the call with ``LinkError/Code/cancelled`` and notifies the object.
    ///
    /// - Parameters:
    ///   - object: an instance or a closure.
    ///   - selector: a method of the instance; empty for a closure.
    ///   - payload: the payload that the method receives.
    ///   - timeout: how long the answer may take; nil for no limit.
    /// - Throws: `LinkError` with the reason why the method was not performed.
    public func call(
        _ object: LinkObject, _ selector: String = "", _ payload: Payload = .null, timeout: Duration? = nil
    ) async throws(LinkError) -> Payload {
        try await awaitCall(cancel: backend.cancel) {
            backend.begin(
                .object(object, selector: selector), payload,
                mode: .onHostThread(timeout.map(Deadline.after), callerSleeps: false))
        }.get()
    }
}

extension hslink_call {
    /// Creates a call to an object, or a call through an object, such as a bound call. It has no `component`.
    ///
    /// - Parameters:
    ///   - deadline: nanoseconds of CLOCK_MONOTONIC; 0 for none.
    ///   - caller: the name of the calling component; empty for the host's own code.
    package init(
        _ reply: hslink_reply, flags: UInt32, deadline: UInt64 = 0, caller: hslink_string = unsafe hslink_string()
    ) {
        unsafe self.init(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: flags, reply: reply, deadline: deadline,
            caller: caller, component: nil, carried: nil)
    }
}

extension PendingReply {
    package var identifier: CallIdentifier { unsafe CallIdentifier(slot: slot, token: token.rawValue) }

    /// Finds the pending reply of a call by its identifier; nil if the identifier has no slot. The slot must belong to
    /// this image.
    package init?(identifier: CallIdentifier) {
        guard let slot = unsafe identifier.slot else { return nil }
        unsafe self.init(
            slot: slot.assumingMemoryBound(to: ReplySlot.self), token: ReplyToken(rawValue: identifier.token))
    }
}

/// Checks that an object received over the boundary obeys the contract, as far as possible without calling it. A broken
/// component may leave members null that the header declares nonnull.
package enum ObjectCheck {
    /// - Throws: `PayloadError` if the object has no type, or its type is too small or lacks a function.
    package static func check(_ object: UnsafeMutablePointer<hslink_object>) throws(PayloadError) {
        guard let type = unsafe UnsafeRawPointer(object).loadUnaligned(as: UnsafeRawPointer?.self) else {
            throw PayloadError(expected: "object", found: "an object without a type")
        }
        let size = unsafe type.loadUnaligned(as: UInt32.self)
        guard size >= HSLINK_OBJECT_TYPE_SIZE_1_0 else {
            throw PayloadError(expected: "object", found: "an object whose type declares a size of \(size) bytes")
        }
        // retain, release and invoke.
        for offset in [24, 32, 40] {
            guard unsafe type.loadUnaligned(fromByteOffset: offset, as: UnsafeRawPointer?.self) != nil else {
                throw PayloadError(expected: "object", found: "an object whose type lacks a function")
            }
        }
    }
}
