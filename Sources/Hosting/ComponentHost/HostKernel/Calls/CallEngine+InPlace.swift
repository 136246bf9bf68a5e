import CHSLink
import ComponentKit
import Synchronization

/// The properties of a call that its method receives in addition to the payload.
@unsafe
struct CallTerms {
    /// The name of the calling component; empty for the host's own code.
    var caller = unsafe hslink_string()
    /// The deadline in nanoseconds of CLOCK_MONOTONIC; 0 for none.
    var deadline: UInt64 = 0
    /// The flags `HSLINK_CALL_…`.
    var flags: UInt32 = 0
    /// The host table of the calling component or of the program's own classes; nil for the host's other code.
    /// Borrowed.
    var table: Unmanaged<HostTable>?
    /// The strings that the call carries; nil for those of the call that the thread is running.
    var carried: UnsafePointer<hslink_value>?

    /// Whether the calling thread sleeps until the reply.
    var callerSleeps: Bool { unsafe flags & UInt32(HSLINK_CALL_WAITS) != 0 }

    /// The calling component.
    var unit: ComponentUnit? { unsafe table?.takeUnretainedValue().unit }
}

// The path of a call through the host: mark the thread, check that the component is running, call the function pointer.
// While the component runs, nothing here takes a lock, updates a shared counter, issues a fence or retains an object,
// except to find or make an instance.
extension CallEngine {
    /// Calls the method on this thread. Its reply arrives in `pending`.
    @inline(__always)
    func invoke(
        _ method: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>, pending: PendingReply,
        on thread: ThreadContext, terms: CallTerms
    ) throws(LinkError) -> Int32 {
        let runState = unsafe method.pointee.runState
        let depth = thread.depth
        guard unsafe thread.enter(runState.identity, method: UInt(bitPattern: method)) else {
            throw CallOrigin.tooDeepError(thread)
        }
        defer { if !thread.leave(to: depth) { unsafe logUnbalanced(method) } }
        guard unsafe runState.isRunning || mayGoOn(method, on: thread, terms) else {
            throw unsafe refusal(of: method)
        }
        let outer = unsafe thread.state.pointee.running.carried
        var call = unsafe hslink_call(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: terms.flags, reply: pending.handle(on: thread),
            deadline: terms.deadline, caller: terms.caller, component: method.pointee.component,
            carried: terms.carried ?? outer)
        unsafe thread.state.pointee.running.carried = unsafe call.carried
        defer { unsafe thread.state.pointee.running.carried = unsafe outer }
        switch unsafe method.pointee.instance {
        case .none:
            return unsafe method.pointee.function(method.pointee.context, nil, payload, &call)
        case .shared:
            let shared = unsafe method.pointee.linkClass._withUnsafeGuaranteedRef {
                $0.sharedInstance.load(ordering: .acquiring)
            }
            if let instance = unsafe UnsafeMutablePointer<hslink_object>(bitPattern: shared) {
                return unsafe method.pointee.function(method.pointee.context, instance, payload, &call)
            }
            return try unsafe invokeMakingInstance(method, payload, call: &call, terms: terms)
        case .perCall, .perConsumer:
            return try unsafe invokeMakingInstance(method, payload, call: &call, terms: terms)
        }
    }

    /// Whether a component whose host is stopping accepts the call: it accepts only calls from components and from
    /// calls in flight.
    @inline(never)
    private func mayGoOn(
        _ method: UnsafePointer<MethodEntry>, on thread: ThreadContext, _ terms: CallTerms
    ) -> Bool {
        // This call's own mark counts as one.
        unsafe mayGoOn(method.pointee.runState, on: thread, terms, ownMarks: 1)
    }

    /// - Parameter ownMarks: the number of marks that the thread has for this call.
    private func mayGoOn(
        _ runState: UnsafeMutablePointer<ComponentRunState>, on thread: ThreadContext, _ terms: CallTerms,
        ownMarks: Int
    ) -> Bool {
        guard unsafe runState.phase == ComponentRunState.Phase.closing else { return false }
        return unsafe terms.table != nil || thread.ownDepth > ownMarks || thread.state.pointee.running.origin != nil
            || thread.state.pointee.running.isInFlight
    }

    @inline(never)
    private func refusal(of method: UnsafePointer<MethodEntry>) -> LinkError {
        unsafe method.pointee.runState.refusal
    }

    @inline(never)
    private func logUnbalanced(_ method: UnsafePointer<MethodEntry>) { unsafe logUnbalanced(method.pointee.callee) }

    private func logUnbalanced(_ callee: Callee) { logUnbalanced("\(callee)", of: callee.unit) }

    func logUnbalanced(_ code: String, of unit: ComponentUnit?) {
        options.log(
            .warning, "\(code) called enter more often than leave; the host has removed the extra marks",
            component: unit?.name ?? "")
    }

    @inline(never)
    private func invokeMakingInstance(
        _ method: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>, call: inout hslink_call,
        terms: CallTerms
    ) throws(LinkError) -> Int32 {
        let linkClass = unsafe method.pointee.linkClass.takeUnretainedValue()
        switch unsafe method.pointee.instance {
        case .shared:
            let instance = unsafe try linkClass.makeSharedInstance(for: terms.unit?.number ?? .host, gates)
            return unsafe method.pointee.function(method.pointee.context, instance, payload, &call)
        case .perConsumer:
            let instance = unsafe try linkClass.instance(for: String(call.caller), terms.unit?.number ?? .host, gates)
            return unsafe method.pointee.function(method.pointee.context, instance, payload, &call)
        case .none, .perCall:
            let instance = unsafe try linkClass.makeInstance()
            defer { unsafe instance.pointee.type.pointee.release(instance) }
            return unsafe method.pointee.function(method.pointee.context, instance, payload, &call)
        }
    }

    /// Calls the method on this thread and waits for its reply. Does the same as ``beginInPlace(_:_:terms:)`` at less cost.
    ///
    /// - Parameter carried: the strings that the call carries; nil for those of the call that the thread is running.
    @inline(__always)
    func callAndWait(
        _ method: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>,
        carried: UnsafePointer<hslink_value>? = nil
    ) throws(LinkError) -> Payload {
        let thread = HostThread.current
        let pending = unsafe PendingReply.open(on: thread, ledger: method.pointee.ledger)
        let timing = unsafe method.count()
        let status: Int32
        let terms = unsafe CallTerms(flags: UInt32(HSLINK_CALL_WAITS), carried: carried)
        do throws(LinkError) {
            status = unsafe try invoke(method, payload, pending: pending, on: thread, terms: terms)
        } catch {
            throw unsafe failed(method, pending: pending, on: thread, timing: timing, error: error)
        }
        if status == Int32(HSLINK_REPLIED), let value = pending.takeValue(on: thread) {
            if timing.isTimed { unsafe method.ended(timing) }
            return value
        }
        return try unsafe begun(method, pending: pending, on: thread, timing: timing, status: status, terms: terms)
            .wait()
    }

    /// Calls the method on this thread.
    @inline(__always)
    func beginInPlace(
        _ method: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>, terms: CallTerms
    ) -> BegunCall {
        let thread = HostThread.current
        let pending = unsafe PendingReply.open(on: thread, ledger: method.pointee.ledger)
        let timing = unsafe method.count()
        do throws(LinkError) {
            let status = unsafe try invoke(method, payload, pending: pending, on: thread, terms: terms)
            if status == Int32(HSLINK_REPLIED), let value = pending.takeValue(on: thread) {
                if timing.isTimed { unsafe method.ended(timing) }
                return .ended(.success(value))
            }
            return unsafe begun(method, pending: pending, on: thread, timing: timing, status: status, terms: terms)
        } catch {
            return unsafe .ended(.failure(failed(method, pending: pending, on: thread, timing: timing, error: error)))
        }
    }

    /// Calls the method on this thread; its answer is ignored.
    ///
    /// - Returns: Nil if it has succeeded.
    @inline(__always)
    func beginForEffect(
        _ method: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>, terms: CallTerms
    ) -> BegunCall? {
        let thread = HostThread.current
        let pending = unsafe PendingReply.open(on: thread, ledger: method.pointee.ledger)
        let timing = unsafe method.count()
        do throws(LinkError) {
            let status = unsafe try invoke(method, payload, pending: pending, on: thread, terms: terms)
            if status == Int32(HSLINK_REPLIED), pending.takeValue(on: thread) != nil {
                if timing.isTimed { unsafe method.ended(timing) }
                return nil
            }
            return unsafe begun(method, pending: pending, on: thread, timing: timing, status: status, terms: terms)
        } catch {
            return unsafe .ended(.failure(failed(method, pending: pending, on: thread, timing: timing, error: error)))
        }
    }

    /// Discards the pending reply of a call whose method did not run, and adds the method's names to the error.
    @inline(never)
    private func failed(
        _ method: UnsafePointer<MethodEntry>, pending: PendingReply, on thread: ThreadContext, timing: CallTiming,
        error: LinkError
    ) -> LinkError {
        pending.void(on: thread)
        unsafe method.pointee.counters._withUnsafeGuaranteedRef { $0.end(.failure(error), timing) }
        return unsafe method.pointee.named(error)
    }

    /// Handles everything except an immediate, successful reply.
    @inline(never)
    private func begun(
        _ method: UnsafePointer<MethodEntry>, pending: PendingReply, on thread: ThreadContext, timing: CallTiming,
        status: Int32, terms: CallTerms
    ) -> BegunCall {
        // Most asynchronous methods have replied by now.
        guard status == Int32(HSLINK_LATER), pending.isOpen else {
            let outcome = outcome(of: pending, on: thread, status)
            unsafe method.pointee.counters._withUnsafeGuaranteedRef { $0.end(outcome, timing) }
            return .ended(outcome.mapError { unsafe method.pointee.named($0) })
        }
        // The call has begun, so the limit on sleeping threads must not refuse it.
        let sleep =
            unsafe terms.callerSleeps
            ? try? Sleep(on: thread, owedBy: method.pointee.runState.component, self, isNecessary: true) : nil
        return unsafe later(pending, of: method.pointee.callee, timing: timing, sleep: sleep, terms: terms)
    }

    /// Returns a call that is answered later. Registers it as one of the component's open calls, and delivers its
    /// outcome.
    private func later(
        _ pending: PendingReply, of callee: Callee, timing: CallTiming, sleep: Sleep?, terms: CallTerms
    ) -> BegunCall {
        let (caller, deadline) = unsafe (terms.unit, Deadline(boundary: terms.deadline))
        return .runs { [self] completion in
            let open = openCalls(of: callee.unit)
            let key = open.add(pending, of: callee)
            let item = deadline.map { expire(pending, of: callee.unit, at: $0) }
            pending.whenDone(on: .current, wakes: !completion.runsCallersCode) { [self] outcome, _ in
                sleep?.end()
                if let item { timer.cancel(item) }
                open.remove(key)
                callee.counters.end(outcome, timing)
                deliver(outcome.mapError(callee.named), to: completion, of: caller)
            }
            // The component has stopped, so nothing else would end this call.
            if open.isEnded { pending.end(with: LinkError(.cancelled)) }
            return pending.identifier
        }
    }

    /// Returns the outcome of a method that has replied or never will, and ends the pending reply.
    private func outcome(
        of pending: PendingReply, on thread: ThreadContext, _ status: Int32
    ) -> Result<Payload, LinkError> {
        if let reply = pending.takeReplied(on: thread) { return reply }
        return .failure(status == Int32(HSLINK_REPLIED) ? LinkError(.noReply) : CallEngine.noReply(status))
    }

    static func noReply(_ status: Int32) -> LinkError {
        LinkError(
            .noReply, message: "the method returned \(status), which is neither HSLINK_REPLIED nor HSLINK_LATER")
    }
}

// The path of a call to an object, which is the same as that of a call to a method: it is counted, admitted, marked and
// answered by the same rules.
extension CallEngine {
    /// Calls the object on this thread.
    func beginInPlace(_ called: CalledObject, _ payload: borrowing Payload, terms: CallTerms) -> BegunCall {
        let thread = HostThread.current
        let counters = called.counters
        let ledger = counters.ledger.index == 0 ? called.unit?.ledger.index ?? 0 : counters.ledger.index
        let pending = PendingReply.open(on: thread, ledger: ledger)
        let timing = CallTiming(after: ThreadCells.add(counters.number), share: CallTiming.sampled)
        let status: Int32
        do throws(LinkError) {
            status = unsafe try invoke(called, payload, pending: pending, on: thread, terms: terms)
        } catch {
            pending.void(on: thread)
            counters.end(.failure(error), timing)
            return .ended(.failure(called.callee.named(error)))
        }
        if status == Int32(HSLINK_REPLIED), let value = pending.takeValue(on: thread) {
            counters.add(timing)
            return .ended(.success(value))
        }
        guard status == Int32(HSLINK_LATER), pending.isOpen else {
            let outcome = outcome(of: pending, on: thread, status)
            counters.end(outcome, timing)
            return .ended(outcome.mapError(called.callee.named))
        }
        // The call has begun, so the limit on sleeping threads must not refuse it.
        let sleep =
            unsafe terms.callerSleeps
            ? try? Sleep(on: thread, owedBy: called.unit?.number ?? .host, self, isNecessary: true) : nil
        return unsafe later(pending, of: called.callee, timing: timing, sleep: sleep, terms: terms)
    }

    /// Calls the object on this thread. Its reply arrives in `pending`.
    func invoke(
        _ called: CalledObject, _ payload: borrowing Payload, pending: PendingReply, on thread: ThreadContext,
        terms: CallTerms
    ) throws(LinkError) -> Int32 {
        let depth = thread.depth
        let ownMarks = called.isBracketed ? 0 : 1
        guard thread.hasRoom,
            unsafe called.isBracketed
                || thread.enter(called.runState.identity, method: ThreadContext.objectMark)
        else { throw CallOrigin.tooDeepError(thread) }
        defer { if !thread.leave(to: depth, expecting: ownMarks) { logUnbalanced(called.callee) } }
        guard
            unsafe called.runState.isRunning
                || mayGoOn(called.runState, on: thread, terms, ownMarks: ownMarks)
        else { throw unsafe called.runState.refusal }
        let outer = unsafe thread.state.pointee.running.carried
        var call = unsafe hslink_call(
            pending.handle(on: thread), flags: terms.flags, deadline: terms.deadline, caller: terms.caller)
        unsafe call.carried = unsafe terms.carried ?? outer
        unsafe thread.state.pointee.running.carried = unsafe call.carried
        defer { unsafe thread.state.pointee.running.carried = unsafe outer }
        return unsafe called.object.invokeAsIs(called.selector, payload, call: call)
    }
}
