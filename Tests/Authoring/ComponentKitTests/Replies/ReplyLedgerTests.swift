import Testing

@testable import ComponentKit

@Suite("Counters of late replies")
struct ReplyLedgerTests {
    @Test("count separately, and start at zero again")
    func own() {
        let (first, second) = (ReplyLedger.make(), ReplyLedger.make())
        #expect(first.index != second.index)
        for _ in 0..<3 { ReplyLedger.countLateReply(ReplyToken(generation: 1, ledger: first.index)) }
        #expect(first.lateReplies == 3)
        #expect(second.lateReplies == 0)
        first.retire()
        let third = ReplyLedger.make()
        #expect(third.lateReplies == 0)
        second.retire()
        third.retire()
    }

    @Test("fall back to a shared one if all are in use")
    func all() async {
        // In a separate process, because other tests use ledgers too.
        await #expect(processExitsWith: .success) {
            let ledgers = (0..<70_000).map { _ in ReplyLedger.make() }
            precondition(Set(ledgers.map(\.index)).count == 65_536)
            precondition(ledgers.count { $0.index == 0 } == 70_000 - 65_535)
            for ledger in ledgers { ledger.retire() }
            precondition(ReplyLedger.make().index != 0)
        }
    }

    @Test(
        "a token separates generation and counter", arguments: [UInt64(0), 1, 1 << 40], [UInt16(0), 1, 4095, 65535])
    func token(generation: UInt64, ledger: UInt16) {
        let token = ReplyToken(generation: generation, ledger: ledger)
        #expect(token.generation == generation)
        #expect(token.ledger == Int(ledger))
        #expect(ReplyToken(rawValue: token.rawValue) == token)
        // A late reply without a counter does no harm.
        if ledger == 65535 { ReplyLedger.countLateReply(token) }
    }
}
