import CHSLink
import ComponentKit

extension HostTable {
    /// Makes the C struct whose members call the functions below.
    static func makeBase(_ component: hslink_string, _ directory: hslink_string) -> hslink_host {
        unsafe hslink_host(
            struct_size: UInt32(MemoryLayout<hslink_host>.size), abi_major: UInt16(HSLINK_ABI_MAJOR),
            abi_minor: UInt16(HSLINK_ABI_MINOR), component: component, directory: directory,
            retain: { _ = unsafe HostTable.unmanaged($0).retain() },
            release: { unsafe HostTable.unmanaged($0).release() },
            call: { host, request, reply, identifier in
                unsafe HostTable.of(host).call(request, answering: reply, identifier: identifier)
            },
            cancel: { host, identifier in
                unsafe HostTable.of(host).core.engine.cancel(
                    CallIdentifier(slot: identifier.slot, token: identifier.token))
            },
            bind: { host, className, selector, kind, bound, failure in
                unsafe HostTable.of(host).bind(className, selector, kind: kind, into: bound, failure: failure)
            },
            is_available: { host, className, selector, kind in
                guard let kind = SelectorKind(boundary: kind), let className = unsafe className.name,
                    let selector = unsafe selector.name
                else { return 0 }
                let core = unsafe HostTable.of(host).core
                return core.isAvailable(className, selector.isEmpty ? nil : selector, kind: kind) ? 1 : 0
            },
            is_loaded: { host, className in
                unsafe className.name.map { unsafe HostTable.of(host).core.isLoaded($0) } == true ? 1 : 0
            },
            enter: { host in unsafe HostTable.of(host).enter() },
            leave: { host in unsafe HostTable.of(host).leave() },
            log: { host, level, message in
                let table = unsafe HostTable.of(host)
                unsafe table.core.options.log(
                    LogLevel(rawValue: level) ?? .info, String(message), component: table.unit.name)
            },
            get_extension: { host, name in unsafe HostTable.of(host).core.extensionTable(name) },
            begin_work: { host in unsafe Int32(HostTable.of(host).beginWork() ? HSLINK_OK : HSLINK_LATE) },
            end_work: { host in unsafe HostTable.of(host).endWork() })
    }

    /// Makes a call for the component and answers `reply`.
    private func call(
        _ request: UnsafePointer<hslink_request>, answering reply: hslink_reply,
        identifier: UnsafeMutablePointer<hslink_call_id>?
    ) -> Int32 {
        unsafe identifier?.pointee = unsafe hslink_call_id(slot: nil, token: 0)
        let begun: BegunCall
        do {
            begun = try unsafe begin(request)
        } catch {
            return unsafe HostTable.fail(reply, LinkError(thrown: error))
        }
        let callerSleeps = unsafe request.pointee.flags & UInt64(HSLINK_WAITS) != 0
        return unsafe HostTable.answer(
            reply, with: begun, callerSleeps: callerSleeps, engine: core.engine, identifier: identifier)
    }

    /// Answers `reply` with the outcome of a call, now or later.
    ///
    /// - Parameter callerSleeps: whether the answer only wakes a thread and runs no other code.
    static func answer(
        _ reply: hslink_reply, with begun: BegunCall, callerSleeps: Bool, engine: CallEngine,
        identifier: UnsafeMutablePointer<hslink_call_id>? = nil
    ) -> Int32 {
        switch begun {
        case .ended(let outcome):
            unsafe complete(reply, outcome)
            return Int32(HSLINK_REPLIED)
        case .runs(let whenDone):
            let answer = { @Sendable (outcome: Result<Payload, LinkError>) in
                // A method that passes its own reply on may have set a handler, which is discarded now.
                guard unsafe ThreadContext.current.state.pointee.servesAll,
                    unsafe PendingReply.hasHandler(reply, besides: endForwarded)
                else { return unsafe complete(reply, outcome) }
                engine.callers.submit { unsafe complete(reply, outcome) }
            }
            if let started = whenDone(callerSleeps ? .wakes(answer) : .outcome(answer)) {
                unsafe identifier?.pointee = unsafe hslink_call_id(slot: started.slot, token: started.token)
                unsafe end(started, with: reply, engine)
            }
            return Int32(HSLINK_LATER)
        }
    }

    /// Makes the call that a component requests, with validated copies of its payload and carried strings.
    private func begin(_ request: UnsafePointer<hslink_request>) throws -> BegunCall {
        guard unsafe Int(request.pointee.struct_size) >= HSLINK_REQUEST_SIZE_1_0 else {
            throw LinkError(.payloadMismatch, message: "the request is malformed: its struct_size is too small")
        }
        let payload =
            try unsafe request.pointee.payload.map { value throws(PayloadError) in
                try unsafe Payload(copying: value.pointee, limits: .standard)
            } ?? .null
        let carried = try unsafe request.pointee.carried.map { try unsafe Payload(carried: $0.pointee) }
        let target = try unsafe HostTable.target(of: request)
        guard case .object(let object, _) = target else {
            guard !isClosed else { throw LinkError(.stopped, component: unit.name) }
            return core.begin(target, payload, mode: unsafe CallMode(request), from: self, carried: carried)
        }
        // Objects come without a table, so they are called through any of their caller's file.
        let running = ComponentRunState.table(on: .current)
        let core = running?.core ?? HostCore.core(of: object) ?? core
        let caller = running ?? (core === self.core ? self : nil)
        guard caller?.isClosed != true else { throw LinkError(.stopped, component: caller?.unit.name ?? "") }
        return core.begin(target, payload, mode: unsafe CallMode(request), from: caller, carried: carried)
    }

    /// Returns the target of a request. The kind of method is ignored if the request has an object.
    private static func target(of request: UnsafePointer<hslink_request>) throws -> CallTarget {
        let selector = try unsafe name(request.pointee.selector, as: "selector", code: .selectorNotFound)
        if let object = unsafe request.pointee.object {
            unsafe try ObjectCheck.check(object)
            return unsafe .object(LinkObject(retaining: object), selector: selector)
        }
        guard let kind = unsafe SelectorKind(boundary: request.pointee.kind) else {
            throw LinkError(
                .payloadMismatch,
                message: "the request is malformed: \(unsafe request.pointee.kind) is not a kind of method")
        }
        let className = try unsafe name(request.pointee.class_name, as: "class name", code: .classNotFound)
        return .named(className: className, selector: selector, kind)
    }

    /// Reads a name that a component passed.
    ///
    /// - Throws: `LinkError` with code `code` if the text cannot be a name.
    private static func name(
        _ text: hslink_string, as what: String, code: LinkError.Code
    ) throws(LinkError) -> String {
        guard let name = unsafe text.name else {
            throw LinkError(
                code,
                message: "the \(what) is not valid: \(unsafe text.placeholder); names have at most "
                    + "\(HSLINK_NAME_BYTES) bytes")
        }
        return name
    }

    private func bind(
        _ className: hslink_string, _ selector: hslink_string, kind: UInt32,
        into bound: UnsafeMutablePointer<UnsafeMutablePointer<hslink_object>?>, failure: UnsafePointer<hslink_failure>?
    ) -> Int32 {
        do {
            guard let kind = SelectorKind(boundary: kind) else {
                throw LinkError(.selectorNotFound, message: "kind \(kind) is neither object nor class")
            }
            guard !isClosed else { throw LinkError(.stopped, component: unit.name) }
            let method = try unsafe core.resolve(
                HostTable.name(className, as: "class name", code: .classNotFound),
                HostTable.name(selector, as: "selector", code: .selectorNotFound), kind: kind, for: unit)
            unsafe bound.pointee = unsafe BoundObject.make(HostBoundMethod(core, method), caller: self)
            return 0
        } catch {
            guard let failure = unsafe failure else { return 1 }
            unsafe (error as? LinkError ?? LinkError(thrown: error)).withUnsafeError {
                unsafe failure.pointee.report(failure.pointee.context, $0)
            }
            return 1
        }
    }

    /// A call to which a method forwards its reply.
    private final class ForwardedCall: Sendable {
        private let call: CallIdentifier
        private let engine: CallEngine

        init(_ call: CallIdentifier, _ engine: CallEngine) {
            self.call = call
            self.engine = engine
        }

        func cancel() { engine.cancel(call) }
    }

    private static let endForwarded: hslink_cancel_handler = { context, cancelled in
        guard let context = unsafe context else { return }
        let call = unsafe Unmanaged<ForwardedCall>.fromOpaque(context).takeRetainedValue()
        if cancelled != 0 { call.cancel() }
    }

    /// Cancels `call` when the call that `reply` answers is cancelled, so that a call to which a method forwards its
    /// reply ends together with the method's own.
    static func end(_ call: CallIdentifier, with reply: hslink_reply, _ engine: CallEngine) {
        let kept = unsafe Unmanaged.passRetained(ForwardedCall(call, engine))
        let status = unsafe reply.ops.pointee.on_cancel(reply.slot, reply.token, endForwarded, kept.toOpaque())
        guard status != Int32(HSLINK_OK) else { return }
        // The handler was not registered: `reply` has just been answered or cancelled, so nothing waits for this call.
        unsafe kept.takeRetainedValue().cancel()
    }

    static func complete(_ reply: hslink_reply, _ outcome: Result<Payload, LinkError>) {
        switch outcome {
        case .success(let value):
            _ = unsafe value.withUnsafeValue { unsafe reply.ops.pointee.complete(reply.slot, reply.token, $0, nil) }
        case .failure(let error):
            _ = unsafe error.withUnsafeError { unsafe reply.ops.pointee.complete(reply.slot, reply.token, nil, $0) }
        }
    }

    static func fail(_ reply: hslink_reply, _ error: LinkError) -> Int32 {
        unsafe complete(reply, .failure(error))
        return Int32(HSLINK_REPLIED)
    }
}

extension CallMode {
    fileprivate init(_ request: UnsafePointer<hslink_request>) {
        let flags = unsafe request.pointee.flags
        let sleeps = flags & UInt64(HSLINK_WAITS) != 0
        let deadline = unsafe Deadline(boundary: request.pointee.deadline)
        self =
            deadline != nil || flags & UInt64(HSLINK_DETACH) != 0
            ? .onHostThread(deadline, callerSleeps: sleeps) : .inPlace(callerSleeps: sleeps)
    }
}
