import CHSLink
import Foundation
import Synchronization
import Testing

@testable import ComponentKit

@Suite("A reply slot")
struct ReplySlotTests {
    @Test("the first reply counts, before the method returns")
    func first() throws {
        let ledger = ReplyLedger.make()
        defer { ledger.retire() }
        let (pending, handle) = unsafe PendingReply.opened(ledger: ledger.index)
        #expect(pending.isOpen)
        #expect(unsafe !handle.isCancelled)
        #expect(unsafe handle.complete("one") == Int32(HSLINK_OK))
        #expect(unsafe handle.isCancelled)
        #expect(unsafe handle.complete("two") == Int32(HSLINK_LATE))
        #expect(unsafe handle.fail(LinkError(.methodFailed)) == Int32(HSLINK_LATE))
        #expect(!pending.end(with: LinkError(.cancelled)))
        let outcome = try #require(pending.takeReplied(on: .current))
        #expect(try outcome.get() == "one")
        #expect(ledger.lateReplies == 2)
    }

    @Test("generations wrap around when a token has no more bits", arguments: 1...4)
    func generations(distance: UInt64) throws {
        let thread = ThreadContext.current
        let slot = unsafe thread.takeSlot()
        let last: UInt64 = 1 << 48 - 1
        unsafe slot.pointee.state.store(
            (last - distance) << 3 | ReplySlot.Phase.idle, ordering: .relaxed)
        unsafe thread.giveSlot(slot)
        var handles: [hslink_reply] = unsafe []
        for number in 0..<8 {
            let (pending, handle) = unsafe PendingReply.opened()
            #expect(unsafe UnsafeMutableRawPointer(slot) == handle.slot)
            #expect(unsafe handles.allSatisfy { unsafe $0.complete(-1) == Int32(HSLINK_LATE) })
            #expect(unsafe handle.complete(Payload(number)) == Int32(HSLINK_OK))
            #expect(try pending.takeReplied(on: .current)?.get() == Payload(number))
            unsafe handles.append(handle)
        }
    }

    @Test("an error is a reply; no value at all is null")
    func errorAndNull() throws {
        let (failed, failing) = unsafe PendingReply.opened()
        #expect(unsafe failing.fail(LinkError(domain: "test", number: 5, message: "no")) == Int32(HSLINK_OK))
        guard case .failure(let error) = failed.takeReplied(on: .current) else {
            Issue.record("the error is missing")
            return
        }
        #expect(error.domain == "test")
        #expect(error.number == 5)
        let (pending, handle) = unsafe PendingReply.opened()
        #expect(unsafe handle.ops.pointee.complete(handle.slot, handle.token, nil, nil) == Int32(HSLINK_OK))
        #expect(try pending.takeReplied(on: .current)?.get() == .null)
    }

    @Test("an invalid value becomes an error")
    func invalid() {
        let (pending, handle) = unsafe PendingReply.opened()
        var value = unsafe hslink_array(nil, 3)
        #expect(unsafe handle.ops.pointee.complete(handle.slot, handle.token, &value, nil) == Int32(HSLINK_OK))
        guard case .failure(let error) = pending.takeReplied(on: .current) else {
            Issue.record("the value was taken")
            return
        }
        #expect(error.code == .invalidReply)
    }

    @Test("without a reply the use ends, and a reply afterwards is late")
    func void() {
        let ledger = ReplyLedger.make()
        defer { ledger.retire() }
        let (pending, handle) = unsafe PendingReply.opened(ledger: ledger.index)
        #expect(pending.takeReplied(on: .current) == nil)
        #expect(!pending.isOpen)
        #expect(unsafe handle.complete(1) == Int32(HSLINK_LATE))
        #expect(ledger.lateReplies == 1)
    }

    @Test("a handle of an earlier use does not affect a later one")
    func generations() throws {
        let ledger = ReplyLedger.make()
        defer { ledger.retire() }
        var old: [Shared] = []
        for round in 0..<100 {
            let (pending, handle) = unsafe PendingReply.opened(ledger: ledger.index)
            if let first = old.first { #expect(unsafe first.handle.slot == handle.slot) }
            for earlier in old {
                #expect(unsafe earlier.handle.complete("old") == Int32(HSLINK_LATE))
                #expect(unsafe earlier.handle.isCancelled)
                #expect(unsafe earlier.handle.onCancel(CancelCalls()) == Int32(HSLINK_LATE))
            }
            #expect(unsafe handle.complete(Payload(round)) == Int32(HSLINK_OK))
            #expect(try pending.takeReplied(on: .current)?.get() == Payload(round))
            unsafe old.append(Shared(pending: pending, handle: handle))
        }
        #expect(ledger.lateReplies == 99 * 100 / 2)
    }

    @Test("a later reply runs the continuation once, on the thread that replies")
    func later() async {
        let calls = CancelCalls()
        let (pending, handle) = unsafe PendingReply.opened()
        pending.whenDone(on: .current, wakes: false) { outcome, _ in
            calls.add((try? outcome.get().int()).map(Int32.init) ?? -1)
        }
        #expect(pending.isOpen)
        #expect(calls.all == [])
        await onThreads(1) { _ in
            #expect(unsafe handle.complete(7) == Int32(HSLINK_OK))
            #expect(calls.all == [7])
            #expect(unsafe handle.complete(8) == Int32(HSLINK_LATE))
        }
        #expect(calls.all == [7])
    }

    @Test("an earlier reply runs the continuation at once")
    func already() {
        let calls = CancelCalls()
        let (pending, handle) = unsafe PendingReply.opened()
        #expect(unsafe handle.complete(7) == Int32(HSLINK_OK))
        pending.whenDone(on: .current, wakes: false) { outcome, _ in
            calls.add((try? outcome.get().int()).map(Int32.init) ?? -1)
        }
        #expect(calls.all == [7])
    }

    @Test("a continuation may open and end other calls")
    func reentrant() {
        let calls = CancelCalls()
        let (pending, handle) = unsafe PendingReply.opened()
        pending.whenDone(on: .current, wakes: false) { _, _ in
            for number in 0..<10 {
                let (inner, innerHandle) = unsafe PendingReply.opened()
                inner.whenDone(on: .current, wakes: false) { _, _ in calls.add(Int32(number)) }
                #expect(unsafe innerHandle.complete(.null) == Int32(HSLINK_OK))
            }
        }
        #expect(unsafe handle.complete(.null) == Int32(HSLINK_OK))
        #expect(calls.all == Array(0..<10))
    }

    @Test("a NULL slot is late, and has no other effect")
    func null() {
        let (pending, handle) = unsafe PendingReply.opened()
        let null = unsafe hslink_reply(ops: handle.ops, slot: nil, token: handle.token)
        #expect(unsafe null.complete(1) == Int32(HSLINK_LATE))
        #expect(unsafe null.isCancelled)
        #expect(unsafe null.onCancel(CancelCalls()) == Int32(HSLINK_LATE))
        #expect(pending.isOpen)
        pending.void(on: .current)
    }

    @Test("more slots are open at once than a thread keeps")
    func many() throws {
        let open = unsafe (0..<500).map { _ in unsafe PendingReply.opened() }
        #expect(unsafe Set(open.map { unsafe UInt(bitPattern: $0.handle.slot) }).count == 500)
        for unsafe(index, call) in unsafe open.enumerated() {
            #expect(unsafe call.handle.complete(Payload(index)) == Int32(HSLINK_OK))
        }
        for unsafe(index, call) in unsafe open.enumerated().reversed() {
            #expect(try unsafe call.pending.takeReplied(on: .current)?.get() == Payload(index))
        }
    }
}
