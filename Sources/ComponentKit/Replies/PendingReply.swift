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

    /// The index of the ledger in which replies after the end are counted.
    package var ledger: UInt16 { UInt16(token.ledger) }

    /// Opens a slot of this thread.
    ///
    /// - Parameter ledger: where replies after the end are counted.
    @inline(__always)
    package static func open(on thread: ThreadContext, ledger: UInt16) -> PendingReply {
        let slot = unsafe thread.takeSlot()
        // The slot is idle: no other thread writes its state.
        let generation = unsafe ReplyToken.generation(after: slot.pointee.state.load(ordering: .relaxed) >> 3)
        unsafe slot.pointee.state.store(generation << 3 | ReplySlot.Phase.open, ordering: .releasing)
        return unsafe PendingReply(slot: slot, token: ReplyToken(generation: generation, ledger: ledger))
    }

    /// The handle to give away.
    @inline(__always)
    package func handle(on thread: ThreadContext) -> hslink_reply {
        unsafe hslink_reply(ops: thread.replyOps, slot: slot, token: token.rawValue)
    }

    /// Takes the outcome of a method that returned `HSLINK_REPLIED`, and ends this use.
    ///
    /// - Returns: nil when there is no reply; one that comes now is late.
    package func takeReplied(on thread: ThreadContext) -> Outcome? {
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

    /// For a method that promised a reply: hands the outcome to `continuation`, exactly once, at once on
    /// this thread when it has come already, else on the thread that ends the call.
    ///
    /// - Parameter continuation: is given the outcome, and whether that is the method's reply.
    package func whenDone(
        on thread: ThreadContext, _ continuation: @escaping @Sendable (Outcome, _ isReply: Bool) -> Void
    ) {
        unsafe slot.owned.pointee.continuation = continuation
        let open = token.generation << 3 | ReplySlot.Phase.open
        let waiting = token.generation << 3 | ReplySlot.Phase.waiting
        if unsafe slot.pointee.state.compareExchange(
            expected: open, desired: waiting, ordering: .sequentiallyConsistent
        ).exchanged {
            return
        }
        unsafe slot.owned.pointee.continuation = nil
        // Claimed already: its outcome is being written at the most.
        let done = token.generation << 3 | ReplySlot.Phase.done
        while unsafe slot.pointee.state.load(ordering: .acquiring) != done { sched_yield() }
        let isReply = unsafe slot.result.pointee.isReply
        let outcome = unsafe ReplySlot.takeOutcome(slot)
        close(on: thread)
        continuation(outcome, isReply)
    }

    /// Ends the call from outside (deadline, cancellation, stop) and tells the method.
    ///
    /// - Parameters:
    ///   - isReply: the method itself has come to this end.
    ///   - notify: runs the method's own handler, which it is given; on another thread where this one must not wait for an
    ///     author's code.
    /// - Returns: whether this was what ended it; false when it had ended before.
    @discardableResult
    package func end(
        with error: LinkError, isReply: Bool = false, notify: (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) -> Bool {
        guard let phase = unsafe ReplySlot.claim(slot, token) else { return false }
        if let handler = unsafe ReplySlot.takeCancelHandler(slot) { notify { handler.call(cancelled: true) } }
        unsafe ReplySlot.setFailure(slot, error)
        unsafe slot.result.pointee.isReply = isReply
        unsafe ReplySlot.publish(slot, token, from: phase)
        return true
    }

    /// Whether the call still waits for its reply.
    package var isOpen: Bool { unsafe ReplySlot.isOpen(slot, token) }

    /// Waits for a thread that has claimed the slot and is writing. If there is none, voids this use.
    private func waitUntilDone() -> Bool {
        let open = token.generation << 3 | ReplySlot.Phase.open
        let claimed = token.generation << 3 | ReplySlot.Phase.claimed
        if unsafe slot.pointee.state.compareExchange(
            expected: open, desired: claimed, ordering: .sequentiallyConsistent
        ).exchanged {
            unsafe ReplySlot.takeCancelHandler(slot)?.call(cancelled: false)
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

/// Names one use of a reply slot: the slot's generation, and the ledger in which replies are counted that
/// come after its end.
package struct ReplyToken: Hashable, Sendable {
    package let rawValue: UInt64

    /// A token has room for 48 bits; a handle that is kept while its slot is used 2^48 times fits once more.
    private static let generationMask: UInt64 = 1 << 48 - 1

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(generation: UInt64, ledger: UInt16) { rawValue = generation << 16 | UInt64(ledger) }

    /// The generation of the next use of a slot.
    @inline(__always)
    static func generation(after generation: UInt64) -> UInt64 { (generation &+ 1) & generationMask }

    var generation: UInt64 { rawValue >> 16 }
    var ledger: Int { Int(rawValue & 0xFFFF) }
}
