import CHSLink
import ComponentKit

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
