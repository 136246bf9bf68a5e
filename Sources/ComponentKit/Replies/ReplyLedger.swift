import Synchronization

/// Counts replies that come too late: second ones, and those after a deadline or cancellation.
///
/// A late reply finds its slot reused for another call, so the slot cannot say which
/// component is to blame: the index of the ledger travels in the token. The counters are never freed, as slots are not.
package struct ReplyLedger: Sendable {
    package let index: UInt16

    /// A counter of its own, starting at zero. With all 4,095 in use the shared one, index 0.
    package static func make() -> ReplyLedger {
        let index = free.withLock { free in free.popLast() } ?? 0
        let ledger = ReplyLedger(index: index)
        if index != 0 { unsafe counters.values[Int(index)].store(0, ordering: .relaxed) }
        return ledger
    }

    /// Gives the counter back. Replies that come even later count for its next owner.
    package func retire() {
        if index != 0 { ReplyLedger.free.withLock { $0.append(index) } }
    }

    /// How many replies came too late.
    package var lateReplies: Int {
        unsafe ReplyLedger.counters.values[Int(index)].load(ordering: .relaxed)
    }

    static func countLateReply(_ token: ReplyToken) {
        unsafe counters.values[min(token.ledger, Counters.count - 1)].add(1, ordering: .relaxed)
    }

    @safe
    // Unchecked: a constant pointer to atomics that live as long as the process.
    private struct Counters: @unchecked Sendable {
        static let count = 4096
        let values: UnsafeMutablePointer<Atomic<Int>>

        init() {
            unsafe values = .allocate(capacity: Counters.count)
            for index in 0..<Counters.count { unsafe (values + index).initialize(to: Atomic(0)) }
        }
    }

    private static let counters = Counters()
    private static let free = Lock<[UInt16]>((1..<UInt16(Counters.count)).reversed())
}
