import CHSLink
import Synchronization

/// The slot at which one reply arrives. Slots are reused and never freed, so a reply handle may be kept forever. Each
/// use has a generation, and a reply counts only while the slot is in that generation and unanswered.
///
/// An answer lends its thread and nothing else: the continuation and the cancellation handler run in the context
/// of the code that has registered them; see ``CallerContext``.
///
/// The life of one use:
///
///     idle ── open ──┬─────────────── claimed ── done ── idle      answered before the method returned
///                    └── waiting ──── claimed ── idle              answered later: the continuation runs
///
/// Only the thread that moves the slot to `claimed` (for a reply, a deadline, a cancellation or a stop) writes the
/// result. Claims are sequentially consistent; `onCancel` relies on that.
///
/// Old handles may read the slot at any time, so only its atomics and its lock ever change. All other mutable state
/// lies behind pointers, and each part of it has one owner at a time.
@unsafe
struct ReplySlot: ~Copyable {
    typealias Outcome = Swift.Result<Payload, LinkError>
    typealias Continuation = @Sendable (Outcome, _ isReply: Bool) -> Void

    enum Phase {
        static let idle: UInt64 = 0
        static let open: UInt64 = 1
        static let waiting: UInt64 = 2
        static let claimed: UInt64 = 3
        static let done: UInt64 = 4
        static let mask: UInt64 = 7
    }

    /// Generation and phase.
    let state = Atomic<UInt64>(Phase.idle)
    /// Whether `cancelHandler` may hold a handler; avoids the lock on the fast path.
    let hasCancelHandler = Atomic<Bool>(false)
    let cancelHandler = Lock<CancelHandler?>(nil)
    /// The outcome of the call: written by the thread that claimed the slot, read after `done` or for the continuation.
    let result: UnsafeMutablePointer<Result>
    /// State that belongs to the thread that owns the slot; once it is `waiting`, to the thread that claims it.
    let owned: UnsafeMutablePointer<Owned>

    init() {
        unsafe result = .allocate(capacity: 1)
        unsafe result.initialize(to: Result())
        unsafe owned = .allocate(capacity: 1)
        unsafe owned.initialize(to: Owned())
    }

    @unsafe
    struct Result {
        /// The value of the reply, unless `hasFailed`.
        var value = Payload.null
        /// The reason why the call failed; nil unless `hasFailed`.
        var failure: LinkError?
        var hasFailed = false
        /// Whether the outcome is the method's own reply, rather than a deadline, a cancellation or a stop.
        var isReply = true
    }

    @unsafe
    struct Owned {
        /// Written before the slot is `waiting`, and taken by the thread that claims it in that phase.
        var continuation: Continuation?
        /// The context in which the continuation runs; nil if any will do.
        var context: CallerContext?
        /// The next slot in a free list.
        var next: UnsafeMutablePointer<ReplySlot>?
    }

    @safe
    // Unchecked: a C function and its context; by contract the function may be called from any thread.
    struct CancelHandler: @unchecked Sendable {
        let function: hslink_cancel_handler
        let context: UnsafeMutableRawPointer?
        /// The context of the code that has registered the handler.
        let caller: CallerContext

        /// Calls the handler because the call has been cancelled.
        func cancel() { caller.run { unsafe function(context, 1) } }

        /// Lets the handler release what it keeps: it is not needed any more.
        func discard() { caller.runInC { unsafe function(context, 0) } }
    }
}

// These accessors only read the slot: a write to `slot.pointee.result.pointee.value` would count as a change to the
// slot.
extension UnsafeMutablePointer<ReplySlot> {
    @inline(__always)
    var result: UnsafeMutablePointer<ReplySlot.Result> { unsafe pointee.result }

    @inline(__always)
    var owned: UnsafeMutablePointer<ReplySlot.Owned> { unsafe pointee.owned }
}

extension ReplySlot {
    /// Moves the slot from unanswered to claimed, if it is still in use for the token. A caller that receives a phase
    /// must call the handler that ``takeCancelHandler(_:)`` returns, write the outcome, and call
    /// ``publish(_:_:from:)``.
    ///
    /// - Returns: the slot's previous phase; nil if the call had already ended.
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

    /// Publishes the outcome that was written after ``claim(_:_:)``.
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
        let context = unsafe slot.owned.pointee.context.take()
        let isReply = unsafe slot.result.pointee.isReply
        let outcome = unsafe takeOutcome(slot)
        unsafe slot.pointee.state.store(token.generation << 3 | Phase.idle, ordering: .releasing)
        unsafe ThreadContext.current.giveSlot(slot)
        guard let context else { return CallerContext.runWaking { continuation?(outcome, isReply) } }
        let thread = ThreadContext.current
        let servesAll = unsafe thread.state.pointee.servesAll
        // There are few threads for tasks, and all tasks of the process share them.
        let isOfTasks = unsafe thread.state.pointee.deliveries == 0 && withUnsafeCurrentTask { unsafe $0 != nil }
        if isOfTasks { unsafe thread.state.pointee.servesAll = true }
        context.run { continuation?(outcome, isReply) }
        unsafe thread.state.pointee.servesAll = servesAll
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

    /// Writes the reason why a claimed call failed.
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
    /// - Returns: false, without keeping `handler`, if the call has ended.
    static func onCancel(
        _ slot: UnsafeMutablePointer<ReplySlot>, _ token: ReplyToken, call handler: CancelHandler
    ) -> Bool {
        let (isKept, previous) = unsafe slot.pointee.cancelHandler.withLock { kept -> (Bool, CancelHandler?) in
            guard unsafe isOpen(slot, token) else { return (false, nil) }
            let previous = kept
            kept = handler
            unsafe slot.pointee.hasCancelHandler.store(true, ordering: .sequentiallyConsistent)
            // The thread that ends the call claims it and then checks for a handler. This thread stores the handler and
            // then checks for a claim. So at least one of the two sees the other.
            if unsafe isOpen(slot, token) { return (true, previous) }
            // If there was a previous handler, the thread that has claimed the call waits for this lock, and then calls
            // that handler.
            kept = previous
            unsafe slot.pointee.hasCancelHandler.store(previous != nil, ordering: .sequentiallyConsistent)
            return (false, nil)
        }
        previous?.discard()
        return isKept
    }

    /// Takes the handler of a claimed call, if there is one. The caller must hold no lock when it calls the handler.
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

/// The functions of every reply handle that this image issues.
// Written once during initialisation, and read-only afterwards.
nonisolated(unsafe) let replyOps = unsafe UnsafePointer(
    constant: hslink_reply_ops(
        struct_size: UInt32(MemoryLayout<hslink_reply_ops>.size), reserved: 0,
        complete: { slot, token, value, error in
            guard let slot = unsafe slot?.assumingMemoryBound(to: ReplySlot.self) else { return Int32(HSLINK_LATE) }
            let token = ReplyToken(rawValue: token)
            guard let phase = unsafe ReplySlot.claim(slot, token) else {
                ReplyLedger.countLateReply(token)
                return Int32(HSLINK_LATE)
            }
            unsafe ReplySlot.takeCancelHandler(slot)?.discard()
            // Null, bool and int need neither a check nor a copy.
            if unsafe error == nil, let value = unsafe value, unsafe value.pointee.tag <= UInt32(HSLINK_INT) {
                unsafe slot.result.pointee.value = unsafe Payload(node: value.pointee, owner: nil)
            } else {
                unsafe ReplySlot.write(value, error, to: slot)
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
            let handler = unsafe ReplySlot.CancelHandler(function: handler, context: context, caller: .current)
            let isKept = unsafe ReplySlot.onCancel(slot, ReplyToken(rawValue: token), call: handler)
            return Int32(isKept ? HSLINK_OK : HSLINK_LATE)
        }))

extension ReplySlot {
    /// Writes a copy of a method's reply. An invalid value becomes an error that names its path.
    @inline(never)
    fileprivate static func write(
        _ value: UnsafePointer<hslink_value>?, _ error: UnsafePointer<hslink_error>?,
        to slot: UnsafeMutablePointer<ReplySlot>
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
