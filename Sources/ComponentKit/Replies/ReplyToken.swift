/// Names one use of a reply slot: the slot's generation, and the ledger in which replies are counted that
/// come after its end.
package struct ReplyToken: Hashable, Sendable {
    package let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(generation: UInt64, ledger: UInt16) { rawValue = generation << 16 | UInt64(ledger) }

    var generation: UInt64 { rawValue >> 16 }
    var ledger: Int { Int(rawValue & 0xFFFF) }
}
