import CHSLink
import Synchronization

extension ReplySlot {
    /// Moves the slot from unanswered to claimed, if it is still this token's; the one place where that
    /// happens. Who gets a phase calls the handler of ``takeCancelHandler(_:)``, writes the outcome and calls
    /// ``publish(_:_:from:)``.
    ///
    /// - Returns: the phase it was in; nil when the call had ended before.
    @inline(__always)
    static func claim(_ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken) -> UInt64? {
        let open = token.generation << 3 | Phase.open
        let waiting = token.generation << 3 | Phase.waiting
        var expected = open
        while true {
            let attempt = unsafe slot.pointee.state.compareExchange(
                expected: expected, desired: token.generation << 3 | Phase.claimed,
                ordering: .sequentiallyConsistent)
            if attempt.exchanged { break }
            guard attempt.original == open || attempt.original == waiting else { return nil }
            expected = attempt.original
        }
        return expected & Phase.mask
    }

    /// Hands on what was written after ``claim(_:_:)``.
    @inline(__always)
    static func publish(_ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken, from phase: UInt64) {
        guard phase == Phase.waiting else {
            unsafe slot.pointee.state.store(token.generation << 3 | Phase.done, ordering: .releasing)
            return
        }
        unsafe runContinuation(slot, token)
    }

    @inline(never)
    private static func runContinuation(_ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken) {
        let continuation = unsafe slot.owned.pointee.continuation.take()
        let isReply = unsafe slot.result.pointee.isReply
        let outcome = unsafe takeOutcome(slot)
        unsafe slot.pointee.state.store(token.generation << 3 | Phase.idle, ordering: .releasing)
        unsafe ThreadContext.current.giveSlot(slot)
        continuation?(outcome, isReply)
    }

    /// Moves the outcome out of a slot that holds one.
    static func takeOutcome(_ slot: UnsafeMutablePointer<ReplySlot>) -> Outcome {
        guard unsafe slot.result.pointee.hasFailed else { return unsafe .success(takeValue(slot)) }
        unsafe slot.result.pointee.hasFailed = false
        unsafe slot.result.pointee.isReply = true
        return unsafe .failure(slot.result.pointee.failure.take() ?? LinkError(.noReply))
    }

    /// Moves the value out of a slot that has not failed, without touching reference counts.
    @inline(__always)
    static func takeValue(_ slot: UnsafeMutablePointer<ReplySlot>) -> Payload {
        unsafe withUnsafeMutablePointer(to: &slot.result.pointee.value) { value in
            let taken = unsafe value.move()
            unsafe value.initialize(to: .null)
            return taken
        }
    }

    /// Writes why a claimed call failed.
    static func setFailure(_ slot: UnsafeMutablePointer<ReplySlot>, _ error: LinkError) {
        unsafe slot.result.pointee.failure = error
        unsafe slot.result.pointee.hasFailed = true
    }

    static func isOpen(_ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken) -> Bool {
        let state = unsafe slot.pointee.state.load(ordering: .sequentiallyConsistent)
        return state == token.generation << 3 | Phase.open || state == token.generation << 3 | Phase.waiting
    }

    /// Keeps `handler` until the end of the call.
    ///
    /// - Returns: false when the call has ended; then `handler` is not kept.
    static func onCancel(
        _ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken, _ handler: CancelHandler
    ) -> Bool {
        let (isKept, previous) = unsafe slot.pointee.cancelHandler.withLock { kept -> (Bool, CancelHandler?) in
            guard unsafe isOpen(slot, token) else { return (false, nil) }
            let previous = kept
            kept = handler
            unsafe slot.pointee.hasCancelHandler.store(true, ordering: .sequentiallyConsistent)
            // Who settles the call claims it first and looks for a handler second; this stores first and
            // looks second, so one of the two sees the other.
            if unsafe isOpen(slot, token) { return (true, previous) }
            // Who claimed it meanwhile waits for this lock where there was one before, and tells that how it ended.
            kept = previous
            unsafe slot.pointee.hasCancelHandler.store(previous != nil, ordering: .sequentiallyConsistent)
            return (false, nil)
        }
        previous?.call(cancelled: false)
        return isKept
    }

    /// Takes the handler of a claimed call, if there is one, to be called with no lock held.
    @inline(__always)
    static func takeCancelHandler(_ slot: UnsafeMutablePointer<ReplySlot>) -> CancelHandler? {
        guard unsafe slot.pointee.hasCancelHandler.load(ordering: .sequentiallyConsistent) else { return nil }
        return unsafe takeKeptHandler(slot)
    }

    @inline(never)
    private static func takeKeptHandler(_ slot: UnsafeMutablePointer<ReplySlot>) -> CancelHandler? {
        unsafe slot.pointee.cancelHandler.withLock { kept -> CancelHandler? in
            unsafe slot.pointee.hasCancelHandler.store(false, ordering: .sequentiallyConsistent)
            return kept.take()
        }
    }
}

/// The functions of every reply handle that this image gives away.
// Written once when it is made, read-only from then on.
nonisolated(unsafe) let replyOps: UnsafePointer<hslink_reply_ops> = {
    let ops = UnsafeMutablePointer<hslink_reply_ops>.allocate(capacity: 1)
    unsafe ops.initialize(
        to: hslink_reply_ops(
            struct_size: UInt32(MemoryLayout<hslink_reply_ops>.size), reserved: 0,
            complete: { slot, token, value, error in
                guard let slot = unsafe slot?.assumingMemoryBound(to: ReplySlot.self) else { return Int32(HSLINK_LATE) }
                let token = ReplyToken(rawValue: token)
                guard let phase = unsafe ReplySlot.claim(slot, token) else {
                    ReplyLedger.countLateReply(token)
                    return Int32(HSLINK_LATE)
                }
                unsafe ReplySlot.takeCancelHandler(slot)?.call(cancelled: false)
                // Null, bool, int: nothing to check or to copy.
                if unsafe error == nil, let value = unsafe value, unsafe value.pointee.tag <= UInt32(HSLINK_INT) {
                    unsafe slot.result.pointee.value = unsafe Payload(node: value.pointee, owner: nil)
                } else {
                    unsafe ReplySlot.write(slot, value, error)
                }
                unsafe ReplySlot.publish(slot, token, from: phase)
                return Int32(HSLINK_OK)
            },
            is_cancelled: { slot, token in
                guard let slot = unsafe slot?.assumingMemoryBound(to: ReplySlot.self) else { return Int32(HSLINK_LATE) }
                return unsafe Int32(ReplySlot.isOpen(slot, ReplyToken(rawValue: token)) ? HSLINK_OK : HSLINK_LATE)
            },
            on_cancel: { slot, token, handler, context in
                guard let slot = unsafe slot?.assumingMemoryBound(to: ReplySlot.self) else { return Int32(HSLINK_LATE) }
                let handler = unsafe ReplySlot.CancelHandler(function: handler, context: context)
                let isKept = unsafe ReplySlot.onCancel(slot, ReplyToken(rawValue: token), handler)
                return Int32(isKept ? HSLINK_OK : HSLINK_LATE)
            }))
    return unsafe UnsafePointer(ops)
}()

extension ReplySlot {
    /// Writes a copy of what a method replied; an invalid value becomes an error that says where.
    @inline(never)
    fileprivate static func write(
        _ slot: UnsafeMutablePointer<ReplySlot>, _ value: UnsafePointer<hslink_value>?,
        _ error: UnsafePointer<hslink_error>?
    ) {
        if let error = unsafe error { return unsafe setFailure(slot, LinkError(copying: error)) }
        guard let value = unsafe value else { return }
        do {
            unsafe slot.result.pointee.value = try unsafe Payload(copying: value.pointee, limits: .standard)
        } catch {
            unsafe setFailure(slot, LinkError(.invalidReply, message: "the reply is not a valid payload: \(error)"))
        }
    }
}
