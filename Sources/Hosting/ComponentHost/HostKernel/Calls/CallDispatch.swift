import CGlibc
import CHSLink
import ComponentKit

// Resolves the names or the object of a call to a method, and calls it in place or on a thread of the host.
//
// From the target, `begin` goes on with `beginNamed` or `beginObject`; the former finds the method, and goes on with
// `beginMethod`, or with `beginListed` if the component is not loaded. `beginUntraced` decides where the call runs.
extension HostCore {
    // MARK: - Calls of the host's own code

    func begin(_ target: CallTarget, _ payload: borrowing Payload, mode: CallMode) -> BegunCall {
        if case .object(let object, _) = target, let core = HostCore.core(of: object), core !== self {
            return core.begin(target, payload, mode: mode)
        }
        guard Carried.isInUse else { return begin(target, payload, mode: mode, from: nil, carried: nil) }
        switch Carried.ofRunningCode {
        case .success(let carried): return begin(target, payload, mode: mode, from: nil, carried: carried)
        case .failure(let error): return .ended(.failure(error))
        }
    }

    func begin(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode
    ) -> BegunCall {
        guard !Carried.isInUse else {
            return begin(.named(className: copy className, selector: copy selector, kind), payload, mode: mode)
        }
        return beginNamed(className, selector, kind: kind, payload: payload, mode: mode, from: nil, carried: nil)
    }

    func call(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload,
        mode: CallMode, callback: @escaping @Sendable (Payload?, Bool, Bool) -> Void
    ) {
        var carried: Payload?
        if Carried.isInUse {
            switch Carried.ofRunningCode {
            case .success(let texts): carried = texts
            case .failure(let error): return callback(nil, false, error.classIsLoad)
            }
        }
        switch registry.find(className) {
        case .loaded(let linkClass):
            guard let method = unsafe registry.find(selector, kind, of: linkClass) else {
                let code = unsafe linkClass._withUnsafeGuaranteedRef { $0.refuseMissing() }
                return callback(nil, false, code.meansClassIsLoaded)
            }
            unsafe beginMethod(method, payload, mode: mode, from: nil, carried: carried).finish(.parts(callback))
        case .none:
            engine.counters.missing.refuse(.classNotFound)
            callback(nil, false, LinkError.Code.classNotFound.meansClassIsLoaded)
        case .listed(let listed):
            beginListed(
                listed, copy selector, kind: kind, payload: payload, mode: mode, from: nil, carried: carried
            ).finish(.parts(callback))
        }
    }

    func callAndWait(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind, payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        try unsafe callAndWait(try unsafe resolve(className, selector, kind: kind, counts: true), payload)
    }

    func bind(
        _ className: String, _ selector: String, kind: SelectorKind
    ) throws(LinkError) -> any BoundMethod {
        unsafe HostBoundMethod(self, try resolve(className, selector, kind: kind))
    }

    // MARK: - By name or by object

    /// Makes a call for a component, or for the host's own code if `caller` is nil.
    ///
    /// - Parameter carried: the strings that the call carries; nil for those of the call that this thread is running.
    func begin(
        _ target: CallTarget, _ payload: borrowing Payload, mode: CallMode, from caller: HostTable?, carried: Payload?
    ) -> BegunCall {
        switch target {
        case .named(let className, let selector, let kind):
            return beginNamed(
                className, selector, kind: kind, payload: payload, mode: mode, from: caller, carried: carried)
        case .object(let object, let selector):
            return beginObject(object, selector, payload: payload, mode: mode, from: caller, carried: carried)
        }
    }

    @inline(__always)
    private func beginNamed(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind,
        payload: borrowing Payload, mode: CallMode, from caller: HostTable?, carried: Payload?
    ) -> BegunCall {
        switch registry.find(className) {
        case .loaded(let linkClass):
            guard let method = unsafe registry.find(selector, kind, of: linkClass) else {
                return unsafe .ended(.failure(missing(copy selector, linkClass, counts: true)))
            }
            return unsafe beginMethod(method, payload, mode: mode, from: caller, carried: carried)
        case .none:
            engine.counters.missing.refuse(.classNotFound)
            return .ended(.failure(registry.missingClass(copy className, copy selector)))
        case .listed(let listed):
            return beginListed(
                listed, copy selector, kind: kind, payload: payload, mode: mode, from: caller, carried: carried)
        }
    }

    /// Makes a call to a component that is not loaded.
    @inline(never)
    func beginListed(
        _ listed: ListedClass, _ selector: String, kind: SelectorKind, payload: borrowing Payload, mode: CallMode,
        from caller: HostTable?, carried: Payload?
    ) -> BegunCall {
        guard mode.isInPlace else {
            let payload = copy payload
            return traced((listed.entry.name, selector), unit: listed.unit, from: caller, carried: carried) { carried in
                let callee = Callee(
                    unit: listed.unit, counters: engine.counters.row(of: listed, selector: selector, kind: kind),
                    className: listed.entry.name, selector: selector)
                return engine.beginOnHostThread(
                    unsafe .listed(listed, selector, kind), payload, of: callee, limiter: listed.unit.limiter,
                    mode: mode, from: caller, carried: carriedAlong(carried), core: self)
            }
        }
        do throws(LinkError) {
            let method = try unsafe resolve(listed, selector, kind: kind, for: caller?.unit)
            return unsafe beginMethod(method, payload, mode: mode, from: caller, carried: carried)
        } catch {
            engine.counters.row(of: listed, selector: selector, kind: kind).refuse(error.code)
            return .ended(.failure(error))
        }
    }

    // MARK: - Finding the method

    /// Returns the method for a class and selector, and loads the component at the first call.
    ///
    /// - Parameter counts: whether it is for a call, which is counted if it fails here.
    /// - Throws: `LinkError` with code ``LinkError/Code/classNotFound``, ``LinkError/Code/selectorNotFound``,
    ///   ``LinkError/Code/notLoaded``, ``LinkError/Code/stopped``, ``LinkError/Code/wouldDeadlock`` or
    ///   ``LinkError/Code/tooDeep``.
    @inline(__always)
    func resolve(
        _ className: borrowing String, _ selector: borrowing String, kind: SelectorKind,
        for caller: ComponentUnit? = nil, counts: Bool = false
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        if case .loaded(let linkClass) = registry.find(className),
            let method = unsafe registry.find(selector, kind, of: linkClass)
        {
            return unsafe method
        }
        return try unsafe resolveMissing(copy className, copy selector, kind: kind, for: caller, counts: counts)
    }

    /// Does the same for a class that is not in memory, and fails if there is no class or no selector. Kept apart, so
    /// that the path of other calls stays short enough for the compiler to put in one piece.
    @inline(never)
    private func resolveMissing(
        _ className: String, _ selector: String, kind: SelectorKind, for caller: ComponentUnit?, counts: Bool
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        switch registry.find(className) {
        case .loaded(let linkClass):
            if let method = unsafe registry.find(selector, kind, of: linkClass) { return unsafe method }
            throw unsafe missing(selector, linkClass, counts: counts)
        case .none:
            if counts { engine.counters.missing.refuse(.classNotFound) }
            throw registry.missingClass(className, selector)
        case .listed(let listed):
            do throws(LinkError) {
                return try unsafe resolve(listed, selector, kind: kind, for: caller)
            } catch {
                if counts { engine.counters.row(of: listed, selector: selector, kind: kind).refuse(error.code) }
                throw error
            }
        }
    }

    /// Returns the error for a selector that a class in memory does not have.
    ///
    /// - Parameter counts: whether it is for a call, which is counted.
    @inline(never)
    private func missing(_ selector: String, _ linkClass: Unmanaged<LoadedClass>, counts: Bool) -> LinkError {
        let error = unsafe registry.missing(selector, linkClass)
        if counts { unsafe linkClass._withUnsafeGuaranteedRef { $0.missing.refuse(error.code) } }
        return error
    }

    func resolve(
        _ listed: ListedClass, _ selector: String, kind: SelectorKind, for caller: ComponentUnit?,
        isWanted: () -> Bool = { true }
    ) throws(LinkError) -> UnsafePointer<MethodEntry> {
        try unsafe registry.resolve(listed, selector, kind: kind, for: caller, in: self, isWanted: isWanted)
    }

    // MARK: - By method

    /// Calls a method on this thread for the host's own code, and waits until the call has ended.
    @inline(__always)
    func callAndWait(
        _ method: UnsafePointer<MethodEntry>, _ payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        guard !Carried.isInUse, !isTracing else { return try unsafe callAndWaitCarrying(method, payload) }
        return try unsafe payload.withUnsafeValue { value throws(LinkError) in
            try unsafe engine.callAndWait(method, value)
        }
    }

    @inline(never)
    private func callAndWaitCarrying(
        _ method: UnsafePointer<MethodEntry>, _ payload: borrowing Payload
    ) throws(LinkError) -> Payload {
        let carried = try Carried.ofRunningCode.get()
        guard isTracing else {
            return try unsafe payload.withUnsafeValue { value throws(LinkError) in
                guard let carried else { return try unsafe engine.callAndWait(method, value) }
                return try unsafe carried.withUnsafeValue { carried throws(LinkError) in
                    try unsafe engine.callAndWait(method, value, carried: carried)
                }
            }
        }
        return try unsafe beginMethod(method, payload, mode: .inPlace(callerSleeps: true), from: nil, carried: carried)
            .wait()
    }

    /// Calls a method, in a tracing span if the application uses tracing.
    @inline(__always)
    func beginMethod(
        _ method: UnsafePointer<MethodEntry>, _ payload: borrowing Payload, mode: CallMode, from caller: HostTable?,
        carried: Payload?
    ) -> BegunCall {
        guard !isTracing else {
            let payload = copy payload
            let linkClass = unsafe method.pointee.linkClass.takeUnretainedValue()
            let names = unsafe (linkClass.name, method.pointee.selector)
            return traced(names, unit: linkClass.unit, from: caller, carried: carried) { carried in
                unsafe beginUntraced(method, payload, mode: mode, from: caller, carried: carried)
            }
        }
        return unsafe beginUntraced(method, payload, mode: mode, from: caller, carried: carried)
    }

    /// Makes a call in a span of its own if the application uses tracing.
    func traced(
        _ names: (className: String, selector: String), unit: ComponentUnit?, from caller: HostTable?,
        carried: Payload?, making call: (Payload?) -> BegunCall
    ) -> BegunCall {
        guard let tracing else { return call(carried) }
        let carried = carriedAlong(carried)
        let callerName = caller.map { $0.unit.isHost ? "" : $0.unit.name } ?? ""
        return tracing.trace(
            names.className, names.selector, component: unit?.name ?? "", caller: callerName, carrying: carried,
            threads: engine.callers, making: call)
    }

    @inline(__always)
    private func beginUntraced(
        _ method: UnsafePointer<MethodEntry>, _ payload: borrowing Payload, mode: CallMode, from caller: HostTable?,
        carried: Payload?
    ) -> BegunCall {
        // A method that cannot block runs in place, even if the caller asked for a thread of the host.
        let deadline = mode.deadline
        guard
            unsafe mode.isInPlace
                || mode.isInPlaceIfQuick && method.pointee.runsWithoutBlocking(isUrgent: deadline != nil)
        else {
            return unsafe beginOnHostThread(method, payload, mode: mode, from: caller, carried: carried)
        }
        if let deadline, deadline.hasPassed {
            return unsafe .ended(.failure(method.pointee.refused(LinkError(.deadlineExceeded))))
        }
        return unsafe payload.withUnsafeValue { value in
            unsafe withCarried(carried) { carried in
                unsafe engine.beginInPlace(
                    method, value,
                    terms: CallTerms(
                        caller: caller?.caller ?? hslink_string(), deadline: deadline?.nanoseconds ?? 0,
                        flags: mode.callerSleeps ? UInt32(HSLINK_CALL_WAITS) : 0,
                        table: caller.map { unsafe Unmanaged.passUnretained($0) },
                        carried: carried))
            }
        }
    }

    @inline(never)
    private func beginOnHostThread(
        _ method: UnsafePointer<MethodEntry>, _ payload: borrowing Payload, mode: CallMode, from caller: HostTable?,
        carried: Payload?
    ) -> BegunCall {
        let callee = unsafe method.pointee.callee
        let limiter = unsafe method.pointee.linkClass.takeUnretainedValue().unit.limiter
        return unsafe engine.beginOnHostThread(
            .method(method), copy payload, of: callee, limiter: limiter, mode: mode, from: caller,
            carried: carriedAlong(carried), core: self)
    }

    @inline(__always)
    private func withCarried<Result>(
        _ carried: Payload?, _ body: (UnsafePointer<hslink_value>?) -> Result
    ) -> Result {
        guard let carried else { return body(nil) }
        return unsafe carried.withUnsafeValue(body)
    }

    /// Returns the strings for a call on another thread: `carried`, or else a copy of those of this thread's call.
    func carriedAlong(_ carried: Payload?) -> Payload? {
        if let carried { return carried }
        guard let value = unsafe ThreadContext.current.state.pointee.running.carried else { return nil }
        return try? unsafe Payload(copying: value.pointee, limits: .standard)
    }

    // MARK: - Objects

    /// Returns the host that has made an object, or to whose components it belongs; nil if it is unknown. Any host of
    /// the process may be asked to call it.
    static func core(of object: LinkObject) -> HostCore? {
        if let owner = unsafe object.owner { return unsafe HostTable.of(owner.host).core }
        if object.isOwn { return object.maker as? HostCore }
        let code = unsafe object.codeAddress
        return LiveBackends.all.lazy.compactMap { $0 as? HostCore }.first {
            unsafe $0.component(withCodeAt: code) != nil
        }
    }

    private func beginObject(
        _ object: LinkObject, _ selector: String, payload: borrowing Payload, mode: CallMode,
        from caller: HostTable?, carried: Payload?
    ) -> BegunCall {
        // A component's bound call counts as a call to the component that has the method, not as a call to an object.
        if selector.isEmpty, let bound = unsafe BoundObject.of(object.pointer) {
            return bound.begin(payload, mode, carried: carried)
        }
        let called = called(object, selector)
        guard isTracing else { return beginUntraced(called, payload, mode: mode, from: caller, carried: carried) }
        let payload = copy payload
        return traced((object.className, selector), unit: called.unit, from: caller, carried: carried) { carried in
            beginUntraced(called, payload, mode: mode, from: caller, carried: carried)
        }
    }

    private func beginUntraced(
        _ called: CalledObject, _ payload: borrowing Payload, mode: CallMode, from caller: HostTable?, carried: Payload?
    ) -> BegunCall {
        guard mode.isInPlace else {
            return engine.beginOnHostThread(
                .object(called), copy payload, of: called.callee, limiter: called.limiter, mode: mode, from: caller,
                carried: carriedAlong(carried), core: self)
        }
        return unsafe withCarried(carried) { carried in
            unsafe engine.beginInPlace(
                called, payload,
                terms: CallTerms(
                    caller: caller?.caller ?? hslink_string(),
                    flags: mode.callerSleeps ? UInt32(HSLINK_CALL_WAITS) : 0,
                    table: caller.map { unsafe Unmanaged.passUnretained($0) }, carried: carried))
        }
    }
}
