import CHSLink
import Testing

@testable import ComponentKit

@Suite("A component's Reply")
struct ReplyTests {
    @Test("answers once")
    func once() throws {
        let ledger = ReplyLedger.make()
        defer { ledger.retire() }
        let (pending, handle) = unsafe PendingReply.opened(ledger: ledger.index)
        let reply = unsafe Reply(handle)
        #expect(!reply.isCancelled)
        #expect(reply.succeed("one"))
        #expect(!reply.succeed("two"))
        #expect(!reply.fail(LinkError(.methodFailed)))
        #expect(try pending.takeReplied(on: .current)?.get() == "one")
        // The second replies have not left the component.
        #expect(ledger.lateReplies == 0)
    }

    @Test("answers dropped when it is released")
    func dropped() {
        let (pending, handle) = unsafe PendingReply.opened()
        do { _ = unsafe Reply(handle) }
        guard case .failure(let error) = pending.takeReplied(on: .current) else {
            Issue.record("it was not answered")
            return
        }
        #expect(error.code == .replyDropped)
    }

    @Test("reports a cancellation, even an earlier one")
    func cancelled() {
        let calls = CancelCalls()
        let (pending, handle) = unsafe PendingReply.opened()
        let reply = unsafe Reply(handle)
        reply.onCancel { calls.add(1) }
        reply.onCancel { calls.add(2) }
        #expect(pending.end(with: LinkError(.cancelled)))
        #expect(calls.all == [2])
        #expect(reply.isCancelled)
        reply.onCancel { calls.add(3) }
        #expect(calls.all == [2, 3])
        #expect(!reply.succeed())
        reply.onCancel { calls.add(4) }
        #expect(calls.all == [2, 3])
        #expect(pending.takeReplied(on: .current) != nil)
    }

    @Test("frees its cancel handler when it answers")
    func freed() {
        weak var token: CancelCalls?
        let (pending, handle) = unsafe PendingReply.opened()
        let reply = unsafe Reply(handle)
        do {
            let kept = CancelCalls()
            token = kept
            reply.onCancel { kept.add(1) }
            reply.onCancel { kept.add(2) }
        }
        #expect(token != nil)
        #expect(reply.succeed())
        #expect(token == nil)
        #expect(pending.takeReplied(on: .current) != nil)
    }
}
