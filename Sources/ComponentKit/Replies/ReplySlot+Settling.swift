import CHSLink
import Synchronization

extension ReplySlot {
    /// Moves the slot from unanswered to answered, if it is still this token's; the one place where that
    /// happens.
    ///
    /// - Parameters:
    ///   - cancelled: what the method's cancel handler is told.
    ///   - makeOutcome: called only when this settles the call.
    /// - Returns: false when the call had ended before.
    static func settle(
        _ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken, cancelled: Bool,
        _ makeOutcome: () -> Outcome
    ) -> Bool {
        let open = token.generation << 3 | Phase.open
        let waiting = token.generation << 3 | Phase.waiting
        let claimed = token.generation << 3 | Phase.claimed
        var expected = open
        while true {
            let attempt = unsafe slot.pointee.state.compareExchange(
                expected: expected, desired: claimed, ordering: .sequentiallyConsistent)
            if attempt.exchanged { break }
            guard attempt.original == open || attempt.original == waiting else { return false }
            expected = attempt.original
        }
        if unsafe slot.pointee.hasCancelHandler.load(ordering: .sequentiallyConsistent) {
            unsafe tellCancelHandler(slot, cancelled: cancelled)
        }
        let outcome = makeOutcome()
        if expected == open {
            unsafe slot.pointee.outcome = outcome
            unsafe slot.pointee.state.store(token.generation << 3 | Phase.done, ordering: .releasing)
        } else {
            let continuation = unsafe slot.pointee.continuation.take()
            unsafe slot.pointee.state.store(token.generation << 3 | Phase.idle, ordering: .releasing)
            unsafe CallThread.current.giveSlot(slot)
            continuation?(outcome)
        }
        return true
    }

    static func isOpen(_ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken) -> Bool {
        let state = unsafe slot.pointee.state.load(ordering: .acquiring)
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
            kept = nil
            unsafe slot.pointee.hasCancelHandler.store(false, ordering: .sequentiallyConsistent)
            return (false, previous)
        }
        previous.map { unsafe $0.function($0.context, 0) }
        return isKept
    }

    /// Takes the handler, if there is one, and calls it with no lock held.
    static func tellCancelHandler(_ slot: UnsafeMutablePointer<ReplySlot>, cancelled: Bool) {
        let handler = unsafe slot.pointee.cancelHandler.withLock { kept -> CancelHandler? in
            unsafe slot.pointee.hasCancelHandler.store(false, ordering: .sequentiallyConsistent)
            return kept.take()
        }
        handler.map { unsafe $0.function($0.context, cancelled ? 1 : 0) }
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
                let isSettled = unsafe ReplySlot.settle(slot, token, cancelled: false) {
                    unsafe ReplySlot.outcome(value, error)
                }
                if isSettled { return Int32(HSLINK_OK) }
                ReplyLedger.countLateReply(token)
                return Int32(HSLINK_LATE)
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
    /// A copy of what a method replied; an invalid value becomes an error that says where.
    @inline(__always)
    static func outcome(
        _ value: UnsafePointer<hslink_value>?, _ error: UnsafePointer<hslink_error>?
    ) -> Outcome {
        if let error = unsafe error { return unsafe .failure(LinkError(copying: error)) }
        guard let value = unsafe value else { return .success(.null) }
        do {
            return unsafe .success(try Payload(copying: value.pointee, limits: .standard))
        } catch {
            return .failure(LinkError(.invalidReply, message: "the reply is no valid payload: \(error)"))
        }
    }
}
