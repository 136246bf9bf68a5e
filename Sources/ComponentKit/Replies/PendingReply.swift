package import CHSLink
import Glibc
import Synchronization

/// One use of a reply slot: made for a call, ends with exactly one outcome.
@safe
// Unchecked: a pointer to a slot that is never freed and synchronises by its own state.
package struct PendingReply: @unchecked Sendable {
    package typealias Outcome = Result<Payload, LinkError>

    let slot: UnsafeMutablePointer<ReplySlot>
    package let token: ReplyToken

    /// Opens a slot of this thread.
    ///
    /// - Parameter ledger: where replies after the end are counted.
    @inline(__always)
    package static func open(on thread: CallThread, ledger: UInt16) -> PendingReply {
        let slot = unsafe thread.takeSlot()
        // The slot is idle: nobody else writes its state.
        let generation = unsafe (slot.pointee.state.load(ordering: .relaxed) >> 3) &+ 1
        unsafe slot.pointee.state.store(generation << 3 | ReplySlot.Phase.open, ordering: .releasing)
        return unsafe PendingReply(slot: slot, token: ReplyToken(generation: generation, ledger: ledger))
    }

    /// The handle to give away.
    @inline(__always)
    package func handle(on thread: CallThread) -> hslink_reply {
        unsafe hslink_reply(ops: thread.replyOps, slot: slot, token: token.rawValue)
    }

    /// Takes the outcome of a method that returned `HSLINK_REPLIED`, and ends this use.
    ///
    /// - Returns: nil when nobody has replied; a reply that comes now is late.
    package func takeReplied(on thread: CallThread) -> Outcome? {
        let done = token.generation << 3 | ReplySlot.Phase.done
        if unsafe slot.pointee.state.load(ordering: .acquiring) != done, !waitUntilDone() { return nil }
        let outcome = unsafe ReplySlot.takeOutcome(slot)
        close(on: thread)
        return outcome
    }

    /// The quick form of ``takeReplied(on:)`` for a call that succeeded already.
    ///
    /// - Returns: nil when it has not; then this use has not ended.
    @inline(__always)
    package func takeValue(on thread: CallThread) -> Payload? {
        let done = token.generation << 3 | ReplySlot.Phase.done
        guard unsafe slot.pointee.state.load(ordering: .acquiring) == done, unsafe !slot.result.pointee.hasFailed else {
            return nil
        }
        let value = unsafe ReplySlot.takeValue(slot)
        close(on: thread)
        return value
    }

    /// Ends a use for which no method was called.
    package func void(on thread: CallThread) { _ = takeReplied(on: thread) }

    /// For a method that promised a reply: hands the outcome to `continuation`, exactly once, at once on
    /// this thread when it has come already, else on the thread that ends the call.
    package func whenDone(on thread: CallThread, _ continuation: @escaping @Sendable (Outcome) -> Void) {
        unsafe slot.owned.pointee.continuation = continuation
        let open = token.generation << 3 | ReplySlot.Phase.open
        let waiting = token.generation << 3 | ReplySlot.Phase.waiting
        if unsafe slot.pointee.state.compareExchange(
            expected: open, desired: waiting, ordering: .sequentiallyConsistent
        ).exchanged {
            return
        }
        unsafe slot.owned.pointee.continuation = nil
        guard let outcome = takeReplied(on: thread) else { return }
        continuation(outcome)
    }

    /// Ends the call from outside (deadline, cancellation, stop) and tells the method.
    ///
    /// - Returns: whether this was what ended it; false when it had ended before.
    @discardableResult
    package func end(with error: LinkError) -> Bool {
        guard let phase = unsafe ReplySlot.claim(slot, token, cancelled: true) else { return false }
        unsafe ReplySlot.setFailure(slot, error)
        unsafe ReplySlot.publish(slot, token, from: phase)
        return true
    }

    /// Whether the call still waits for its reply.
    package var isOpen: Bool { unsafe ReplySlot.isOpen(slot, token) }

    /// Someone claimed the slot just now and is writing: waits for it. When nobody did, voids this use.
    private func waitUntilDone() -> Bool {
        let open = token.generation << 3 | ReplySlot.Phase.open
        let claimed = token.generation << 3 | ReplySlot.Phase.claimed
        if unsafe slot.pointee.state.compareExchange(
            expected: open, desired: claimed, ordering: .sequentiallyConsistent
        ).exchanged {
            unsafe ReplySlot.tellCancelHandler(slot, cancelled: false)
            close(on: CallThread.current)
            return false
        }
        let done = token.generation << 3 | ReplySlot.Phase.done
        while unsafe slot.pointee.state.load(ordering: .acquiring) != done { sched_yield() }
        return true
    }

    @inline(__always)
    private func close(on thread: CallThread) {
        unsafe slot.pointee.state.store(token.generation << 3 | ReplySlot.Phase.idle, ordering: .releasing)
        unsafe thread.giveSlot(slot)
    }
}
