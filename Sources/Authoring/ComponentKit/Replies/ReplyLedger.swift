import Glibc
import Synchronization

/// Counts late replies: second replies, and replies after a deadline or cancellation.
///
/// When a late reply arrives, its slot may already serve another call, so the slot cannot identify the component to
/// blame. Therefore the token carries the index of the ledger. Like slots, the counters are never freed.
package struct ReplyLedger: Sendable {
    package let index: UInt16

    /// Returns an unused counter that starts at zero. If all 65,535 are in use, returns the shared one with index 0.
    package static func make() -> ReplyLedger {
        let index = unused.withLock { $0.take() } ?? 0
        let ledger = ReplyLedger(index: index)
        if index != 0 { unsafe counters.values[Int(index)].store(0, ordering: .relaxed) }
        return ledger
    }

    /// Releases the counter for reuse. Replies that arrive after that are counted for its next owner.
    package func retire() {
        if index != 0 { ReplyLedger.unused.withLock { $0.retired.append(index) } }
    }

    /// The number of late replies.
    package var lateReplies: Int {
        unsafe ReplyLedger.counters.values[Int(index)].load(ordering: .relaxed)
    }

    static func countLateReply(_ token: ReplyToken) {
        unsafe counters.values[token.ledger].add(1, ordering: .relaxed)
    }

    @safe
    // Unchecked: a constant pointer to atomics that live as long as the process.
    private struct Counters: @unchecked Sendable {
        /// As many as a token can name.
        static let count = 1 << 16
        let values: UnsafeMutablePointer<Atomic<Int>>

        init() {
            // Zeroed memory is an atomic zero. Pages whose ledgers nothing uses take up no memory.
            guard let memory = unsafe calloc(Counters.count, MemoryLayout<Atomic<Int>>.stride) else {
                // Without memory for half a megabyte of counters, nothing else would go on either.
                fatalError("no memory for the counters of late replies")
            }
            unsafe values = memory.bindMemory(to: Atomic<Int>.self, capacity: Counters.count)
        }
    }

    /// The ledgers that nothing uses.
    private struct Unused {
        var retired: [UInt16] = []
        /// The first of those that have never been used; 0 if there are none left.
        var next: UInt16 = 1

        mutating func take() -> UInt16? {
            if let index = retired.popLast() { return index }
            guard next != 0 else { return nil }
            defer { next &+= 1 }
            return next
        }
    }

    private static let counters = Counters()
    private static let unused = Lock(Unused())
}
