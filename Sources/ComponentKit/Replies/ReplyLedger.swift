import Synchronization

/// Counts late replies: second replies, and replies after a deadline or cancellation.
///
/// When a late reply arrives, its slot may already serve another call, so the slot cannot identify the component to
/// blame. Therefore the token carries the index of the ledger. Like slots, the counters are never freed.
package struct ReplyLedger: Sendable {
    package let index: UInt16

    /// Returns an unused counter that starts at zero. If all 4,095 are in use, returns the shared one with index 0.
    package static func make() -> ReplyLedger {
        let index = free.withLock { free in free.popLast() } ?? 0
        let ledger = ReplyLedger(index: index)
        if index != 0 { unsafe counters.values[Int(index)].store(0, ordering: .relaxed) }
        return ledger
    }

    /// Releases the counter for reuse. Replies that arrive after that are counted for its next owner.
    package func retire() {
        if index != 0 { ReplyLedger.free.withLock { $0.append(index) } }
    }

    /// The number of late replies.
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
