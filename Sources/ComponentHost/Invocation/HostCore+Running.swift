import CHSLink
import ComponentKit
import Synchronization

// The way of a call inside the host: mark the thread, look whether the component runs, call the function
// pointer. Nothing here takes a lock, a shared counter or a reference while the component runs.
extension HostCore {
    /// Calls the method on this thread with a reply that arrives in `pending`.
    @inline(__always)
    func invoke(
        _ entry: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>, _ pending: PendingReply,
        on thread: CallThread, caller: hslink_string, deadline: UInt64, flags: UInt32
    ) throws(LinkError) -> Int32 {
        let cell = unsafe entry.pointee.cell
        unsafe thread.enter(cell.identity)
        defer { thread.leave() }
        guard unsafe cell.pointee.runState.load(ordering: .sequentiallyConsistent) == ComponentCell.RunState.running
        else {
            throw unsafe refusal(of: cell)
        }
        var call = unsafe hslink_call(
            struct_size: UInt32(MemoryLayout<hslink_call>.size), flags: flags, reply: pending.handle(on: thread),
            deadline: deadline, caller: caller, component: entry.pointee.component,
            carried: nil)
        switch unsafe entry.pointee.instance {
        case .none:
            return unsafe entry.pointee.function(entry.pointee.context, nil, payload, &call)
        case .shared:
            let shared = unsafe entry.pointee.linkClass._withUnsafeGuaranteedRef {
                $0.sharedInstance.load(ordering: .acquiring)
            }
            if let instance = unsafe UnsafeMutablePointer<hslink_object>(bitPattern: shared) {
                return unsafe entry.pointee.function(entry.pointee.context, instance, payload, &call)
            }
            return try unsafe invokeMakingInstance(entry, payload, &call)
        case .perCall, .perConsumer:
            return try unsafe invokeMakingInstance(entry, payload, &call)
        }
    }

    @inline(never)
    private func refusal(of cell: UnsafeMutablePointer<ComponentCell>) -> LinkError {
        unsafe cell.pointee.runState.load(ordering: .acquiring) == ComponentCell.RunState.stuck
            ? LinkError(.stuck) : LinkError(.stopped)
    }

    @inline(never)
    private func invokeMakingInstance(
        _ entry: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>,
        _ call: inout hslink_call
    ) throws(LinkError) -> Int32 {
        let linkClass = unsafe entry.pointee.linkClass.takeUnretainedValue()
        switch unsafe entry.pointee.instance {
        case .shared:
            let instance = unsafe try linkClass.makeSharedInstance(gates)
            return unsafe entry.pointee.function(entry.pointee.context, instance, payload, &call)
        case .perConsumer:
            let instance = unsafe try linkClass.instance(for: String(call.caller), gates)
            return unsafe entry.pointee.function(entry.pointee.context, instance, payload, &call)
        case .none, .perCall:
            let instance = unsafe try linkClass.makeInstance()
            defer { unsafe instance.pointee.type.pointee.release(instance) }
            return unsafe entry.pointee.function(entry.pointee.context, instance, payload, &call)
        }
    }

    /// Calls the method on this thread and waits for a later reply.
    @inline(__always)
    func callAndWait(
        _ entry: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>
    ) throws(LinkError) -> Payload {
        let thread = CallThread.current
        let pending = unsafe PendingReply.open(on: thread, ledger: entry.pointee.ledger)
        let status: Int32
        do throws(LinkError) {
            status = unsafe try invoke(
                entry, payload, pending, on: thread, caller: hslink_string(), deadline: 0,
                flags: UInt32(HSLINK_CALL_WAITS))
        } catch {
            pending.void(on: thread)
            throw unsafe entry.pointee.named(error)
        }
        if status == Int32(HSLINK_REPLIED), let value = pending.takeValue(on: thread) { return value }
        return unsafe try finishWaiting(entry, pending, thread, status)
    }

    /// Everything but "replied at once, with success".
    @inline(never)
    private func finishWaiting(
        _ entry: UnsafePointer<MethodEntry>, _ pending: PendingReply, _ thread: CallThread, _ status: Int32
    ) throws(LinkError) -> Payload {
        if status == Int32(HSLINK_LATER) {
            let wait = BlockingWait()
            _ = unsafe whenDone(entry, pending, thread, .outcome { wait.finish($0) })
            return try wait.wait()
        }
        do throws(LinkError) {
            return try HostCore.outcome(of: pending, on: thread, status).get()
        } catch {
            throw unsafe entry.pointee.named(error)
        }
    }

    /// Calls the method on this thread and hands the outcome to `completion`.
    ///
    /// - Returns: nil when `completion` was called already.
    @inline(__always)
    func run(
        _ entry: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>, caller: hslink_string,
        deadline: UInt64, flags: UInt32, _ completion: CallCompletion
    ) -> CallIdentifier? {
        let thread = CallThread.current
        let pending = unsafe PendingReply.open(on: thread, ledger: entry.pointee.ledger)
        do throws(LinkError) {
            let status = unsafe try invoke(
                entry, payload, pending, on: thread, caller: caller, deadline: deadline, flags: flags)
            if status == Int32(HSLINK_REPLIED), let value = pending.takeValue(on: thread) {
                completion.succeed(value)
                return nil
            }
            return unsafe finishRunning(entry, pending, thread, status, completion)
        } catch {
            pending.void(on: thread)
            unsafe completion.fail(entry.pointee.named(error))
            return nil
        }
    }

    /// Everything but "replied at once, with success".
    @inline(never)
    private func finishRunning(
        _ entry: UnsafePointer<MethodEntry>, _ pending: PendingReply, _ thread: CallThread, _ status: Int32,
        _ completion: CallCompletion
    ) -> CallIdentifier? {
        if status == Int32(HSLINK_LATER) { return unsafe whenDone(entry, pending, thread, completion) }
        completion.finish(
            HostCore.outcome(of: pending, on: thread, status).mapError { unsafe entry.pointee.named($0) })
        return nil
    }

    /// Calls the method on this thread, and tells nobody yet when it replies later.
    func begin(_ entry: UnsafePointer<MethodEntry>, _ payload: UnsafePointer<hslink_value>) -> InPlaceCall {
        let thread = CallThread.current
        let pending = unsafe PendingReply.open(on: thread, ledger: entry.pointee.ledger)
        do throws(LinkError) {
            let status = unsafe try invoke(
                entry, payload, pending, on: thread, caller: hslink_string(), deadline: 0, flags: 0)
            if status == Int32(HSLINK_LATER), pending.isOpen {
                return .runs { completion in
                    unsafe self.whenDone(entry, pending, CallThread.current, completion)
                }
            }
            return .ended(
                HostCore.outcome(of: pending, on: thread, status).mapError { unsafe entry.pointee.named($0) })
        } catch {
            pending.void(on: thread)
            return unsafe .ended(.failure(entry.pointee.named(error)))
        }
    }

    /// Waits for the reply that a method has promised, as one of the component's outstanding calls.
    private func whenDone(
        _ entry: UnsafePointer<MethodEntry>, _ pending: PendingReply, _ thread: CallThread,
        _ completion: CallCompletion
    ) -> CallIdentifier? {
        let unit = unsafe entry.pointee.linkClass.takeUnretainedValue().unit
        let key = unit.outstanding.add(pending)
        let names = unsafe (entry.pointee.className, entry.pointee.selector)
        pending.whenDone(on: thread) { outcome in
            unit.outstanding.remove(key)
            completion.finish(
                outcome.mapError { $0.naming(className: names.0, selector: names.1, component: unit.name) })
        }
        // Nobody would end it any more.
        if isStopOver { pending.end(with: LinkError(.cancelled)) }
        return pending.identifier
    }

    /// What came of a method that does not reply later. The pending reply has ended afterwards.
    @inline(__always)
    static func outcome(
        of pending: PendingReply, on thread: CallThread, _ status: Int32
    ) -> Result<Payload, LinkError> {
        if let reply = pending.takeReplied(on: thread) { return reply }
        return .failure(status == Int32(HSLINK_REPLIED) ? LinkError(.noReply) : noReply(status))
    }

    static func noReply(_ status: Int32) -> LinkError {
        LinkError(
            .noReply, message: "the method returned \(status), which is neither HSLINK_REPLIED nor HSLINK_LATER")
    }
}

extension MethodEntry {
    var className: String { unsafe linkClass.takeUnretainedValue().name }

    /// The error with the names of this method filled in.
    func named(_ error: LinkError) -> LinkError {
        let linkClass = unsafe linkClass.takeUnretainedValue()
        return error.naming(className: linkClass.name, selector: selector, component: linkClass.unit.name)
    }
}
