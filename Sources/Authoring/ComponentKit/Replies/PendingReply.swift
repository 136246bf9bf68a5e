package import CHSLink
import Glibc
import Synchronization

/// One use of a reply slot. It is made for one call, and ends with exactly one outcome.
@safe
// Unchecked: a pointer to a slot that is never freed, and whose own state synchronises access to it.
package struct PendingReply: @unchecked Sendable {
    package typealias Outcome = Result<Payload, LinkError>

    let slot: UnsafeMutablePointer<ReplySlot>
    package let token: ReplyToken

    /// The index of the ledger that counts replies after the end of the call.
    package var ledger: UInt16 { UInt16(token.ledger) }

    /// Opens one of this thread's slots.
    ///
    /// - Parameter ledger: the index of the ledger that counts replies after the end of the call.
    @inline(__always)
    package static func open(on thread: ThreadContext, ledger: UInt16) -> PendingReply {
        let slot = unsafe thread.takeSlot()
        // The slot is idle: no other thread writes its state.
        let generation = unsafe ReplyToken.generation(after: slot.pointee.state.load(ordering: .relaxed) >> 3)
        unsafe slot.pointee.state.store(generation << 3 | ReplySlot.Phase.open, ordering: .releasing)
        return unsafe PendingReply(slot: slot, token: ReplyToken(generation: generation, ledger: ledger))
    }

    /// Returns the handle to pass to the callee.
    @inline(__always)
    package func handle(on thread: ThreadContext) -> hslink_reply {
        unsafe hslink_reply(ops: thread.replyOps, slot: slot, token: token.rawValue)
    }

    /// Takes the outcome of a method that returned `HSLINK_REPLIED`, and ends this use.
    ///
    /// - Returns: nil if there is no reply; a reply that comes later is counted as late.
    package func takeReplied(on thread: ThreadContext) -> Outcome? {
        let done = token.generation << 3 | ReplySlot.Phase.done
        if unsafe slot.pointee.state.load(ordering: .acquiring) != done, !waitUntilDone() { return nil }
        let outcome = unsafe ReplySlot.takeOutcome(slot)
        close(on: thread)
        return outcome
    }

    /// The fast form of ``takeReplied(on:)`` for a call that has already succeeded.
    ///
    /// - Returns: nil if the call has not succeeded; this use then continues.
    @inline(__always)
    package func takeValue(on thread: ThreadContext) -> Payload? {
        let done = token.generation << 3 | ReplySlot.Phase.done
        guard unsafe slot.pointee.state.load(ordering: .acquiring) == done, unsafe !slot.result.pointee.hasFailed else {
            return nil
        }
        let value = unsafe ReplySlot.takeValue(slot)
        close(on: thread)
        return value
    }

    /// Ends a use for which no method was called.
    package func void(on thread: ThreadContext) { _ = takeReplied(on: thread) }

    /// Passes the outcome of a method that replies later to `continuation`, exactly once: immediately on this thread if
    /// the call has already ended, otherwise on the thread that ends it, in the context that the caller has now.
    ///
    /// - Parameters:
    ///   - wakes: whether the continuation only wakes a thread or a task, so it needs no context.
    ///   - continuation: receives the outcome, and whether it is the method's own reply.
    package func whenDone(
        on thread: ThreadContext, wakes: Bool, _ continuation: @escaping @Sendable (Outcome, _ isReply: Bool) -> Void
    ) {
        unsafe slot.owned.pointee.continuation = continuation
        unsafe slot.owned.pointee.context = wakes ? nil : .current
        let open = token.generation << 3 | ReplySlot.Phase.open
        let waiting = token.generation << 3 | ReplySlot.Phase.waiting
        if unsafe slot.pointee.state.compareExchange(
            expected: open, desired: waiting, ordering: .sequentiallyConsistent
        ).exchanged {
            return
        }
        unsafe slot.owned.pointee.continuation = nil
        unsafe slot.owned.pointee.context = nil
        // The slot has already been claimed: the outcome has been written, or another thread is writing it.
        let done = token.generation << 3 | ReplySlot.Phase.done
        while unsafe slot.pointee.state.load(ordering: .acquiring) != done { sched_yield() }
        let isReply = unsafe slot.result.pointee.isReply
        let outcome = unsafe ReplySlot.takeOutcome(slot)
        close(on: thread)
        continuation(outcome, isReply)
    }

    /// Ends the call from outside (deadline, cancellation, stop) and notifies the method.
    ///
    /// - Parameters:
    ///   - isReply: whether this outcome comes from the method itself, and so counts as its reply.
    ///   - notify: receives and runs the method's cancellation handler, on another thread if this one must not wait for
    ///     author code.
    /// - Returns: true if this ended the call; false if it had already ended.
    @discardableResult
    package func end(
        with error: LinkError, isReply: Bool = false, notify: (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) -> Bool {
        guard let phase = unsafe ReplySlot.claim(slot, token) else { return false }
        if let handler = unsafe ReplySlot.takeCancelHandler(slot) {
            if isReply { handler.discard() } else { notify { handler.cancel() } }
        }
        unsafe ReplySlot.setFailure(slot, error)
        unsafe slot.result.pointee.isReply = isReply
        unsafe ReplySlot.publish(slot, token, from: phase)
        return true
    }

    /// Whether a reply of this image has a cancellation handler, whose code runs when the call is answered.
    ///
    /// - Parameter own: a function that does not count.
    package static func hasHandler(_ reply: hslink_reply, besides own: hslink_cancel_handler) -> Bool {
        guard unsafe reply.ops == replyOps, let slot = unsafe reply.slot?.assumingMemoryBound(to: ReplySlot.self),
            unsafe slot.pointee.hasCancelHandler.load(ordering: .sequentiallyConsistent)
        else { return false }
        let ownAddress = unsafe unsafeBitCast(own, to: UInt.self)
        return unsafe slot.pointee.cancelHandler.withLock { handler in
            guard let handler else { return false }
            return unsafe unsafeBitCast(handler.function, to: UInt.self) != ownAddress
        }
    }

    /// Whether the call is still waiting for its reply.
    package var isOpen: Bool { unsafe ReplySlot.isOpen(slot, token) }

    /// Waits until the thread that claimed the slot has written the outcome. If no thread has, voids this use.
    ///
    /// - Returns: whether there is an outcome.
    private func waitUntilDone() -> Bool {
        let open = token.generation << 3 | ReplySlot.Phase.open
        let claimed = token.generation << 3 | ReplySlot.Phase.claimed
        if unsafe slot.pointee.state.compareExchange(
            expected: open, desired: claimed, ordering: .sequentiallyConsistent
        ).exchanged {
            unsafe ReplySlot.takeCancelHandler(slot)?.discard()
            close(on: ThreadContext.current)
            return false
        }
        let done = token.generation << 3 | ReplySlot.Phase.done
        while unsafe slot.pointee.state.load(ordering: .acquiring) != done { sched_yield() }
        return true
    }

    @inline(__always)
    private func close(on thread: ThreadContext) {
        unsafe slot.pointee.state.store(token.generation << 3 | ReplySlot.Phase.idle, ordering: .releasing)
        unsafe thread.giveSlot(slot)
    }
}

/// Identifies one use of a reply slot by the slot's generation, and names the ledger that counts replies after its end.
package struct ReplyToken: Hashable, Sendable {
    package let rawValue: UInt64

    /// A token has room for a 48-bit generation. A handle that is kept while its slot is used 2^48 times matches again.
    private static let generationMask: UInt64 = 1 << 48 - 1

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(generation: UInt64, ledger: UInt16) { rawValue = generation << 16 | UInt64(ledger) }

    /// The generation of the next use of a slot.
    @inline(__always)
    static func generation(after generation: UInt64) -> UInt64 { (generation &+ 1) & generationMask }

    var generation: UInt64 { rawValue >> 16 }
    var ledger: Int { Int(rawValue & 0xFFFF) }
}
