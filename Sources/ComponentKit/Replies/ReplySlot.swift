import CHSLink
import Synchronization

/// Where one reply arrives. Slots are reused and never freed, so a reply handle may be kept for ever; each
/// use has a generation, and a reply counts only while the slot is in that generation and unanswered.
///
/// The life of one use:
///
///     idle ── open ──┬─────────────── claimed ── done ── idle      answered before the method returned
///                    └── waiting ──── claimed ── idle              answered later: the continuation runs
///
/// Whoever moves it to `claimed` (a reply, a deadline, a cancellation, stop) is the only one to write the
/// result. All orderings are sequentially consistent: `onCancel` relies on it.
///
/// Old handles look at the slot at any time, so nothing in it but the atomics ever changes: what does lies
/// behind pointers, where each part has one owner at a time.
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
    /// Whether `cancelHandler` may hold one; spares the lock on the quick way.
    let hasCancelHandler = Atomic<Bool>(false)
    let cancelHandler = Lock<CancelHandler?>(nil)
    /// What came of the call: written by who claimed the slot, read after `done` or for the continuation.
    let result: UnsafeMutablePointer<Result>
    /// What belongs to the thread that the slot belongs to; after `waiting`, to who claims it.
    let owned: UnsafeMutablePointer<Owned>

    init() {
        unsafe result = .allocate(capacity: 1)
        unsafe result.initialize(to: Result())
        unsafe owned = .allocate(capacity: 1)
        unsafe owned.initialize(to: Owned())
    }

    @unsafe
    struct Result {
        /// What was replied, unless `hasFailed`.
        var value = Payload.null
        /// Why the call failed; nil unless `hasFailed`.
        var failure: LinkError?
        var hasFailed = false
        /// Whether the method has replied, and nobody ended the call before.
        var isReply = true
    }

    @unsafe
    struct Owned {
        /// Written before `waiting`, taken by who claims it from there.
        var continuation: Continuation?
        /// The next slot of a free list.
        var next: UnsafeMutablePointer<ReplySlot>?
    }

    @safe
    // Unchecked: a C function with its context, which by contract may be called from any thread.
    struct CancelHandler: @unchecked Sendable {
        let function: hslink_cancel_handler
        let context: UnsafeMutableRawPointer?

        func call(cancelled: Bool) { unsafe function(context, cancelled ? 1 : 0) }
    }
}

// Reads of the slot: writing `slot.pointee.result.pointee.value` would count as changing the slot.
extension UnsafeMutablePointer<ReplySlot> {
    @inline(__always)
    var result: UnsafeMutablePointer<ReplySlot.Result> { unsafe pointee.result }

    @inline(__always)
    var owned: UnsafeMutablePointer<ReplySlot.Owned> { unsafe pointee.owned }
}
