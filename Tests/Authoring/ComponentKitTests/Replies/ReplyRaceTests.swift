import CHSLink
import Foundation
import Synchronization
import Testing

@testable import ComponentKit

@Suite("Replies that race")
struct ReplyRaceTests {
    @Test("exactly one of many replies, ends and a return counts", arguments: [true, false])
    func exactlyOne(isLater: Bool) async {
        let ledger = ReplyLedger.make()
        defer { ledger.retire() }
        let (threads, rounds) = (6, 500)
        let start = ThreadBarrier(threads)
        let wins = Atomic<Int>(0)
        let outcomes = Atomic<Int>(0)
        let voids = Atomic<Int>(0)
        let lateReplies = Atomic<Int>(0)
        let current = Lock<Shared?>(nil)
        await onThreads(threads) { thread in
            for _ in 0..<rounds {
                if thread == 0 {
                    let (pending, handle) = unsafe PendingReply.opened(ledger: ledger.index)
                    current.withLock { $0 = unsafe Shared(pending: pending, handle: handle) }
                }
                start.arrive()
                guard let shared = current.withLock({ $0 }) else { continue }
                switch thread {
                case 0:
                    if isLater {
                        shared.pending.whenDone(on: .current, wakes: false) { _, _ in
                            outcomes.add(1, ordering: .relaxed)
                        }
                    } else if shared.pending.takeReplied(on: .current) != nil {
                        outcomes.add(1, ordering: .relaxed)
                    } else {
                        voids.add(1, ordering: .relaxed)
                    }
                case 1:
                    if shared.pending.end(with: LinkError(.cancelled)) { wins.add(1, ordering: .relaxed) }
                default:
                    if unsafe shared.handle.complete(Payload(thread)) == Int32(HSLINK_OK) {
                        wins.add(1, ordering: .relaxed)
                    } else {
                        lateReplies.add(1, ordering: .relaxed)
                    }
                }
                start.arrive()
            }
        }
        #expect(wins.load(ordering: .relaxed) + voids.load(ordering: .relaxed) == rounds)
        #expect(outcomes.load(ordering: .relaxed) == wins.load(ordering: .relaxed))
        #expect(ledger.lateReplies == lateReplies.load(ordering: .relaxed))
        #expect(isLater == (voids.load(ordering: .relaxed) == 0) || !isLater)
    }

    @Test("every kept cancel handler is called once in any race")
    func cancelHandlers() async {
        let rounds = 500
        let start = ThreadBarrier(4)
        let current = Lock<Shared?>(nil)
        let handlers = (0..<rounds * 2).map { _ in CancelCalls() }
        let kept = Lock<Set<Int>>([])
        let cancelledRounds = Lock<Set<Int>>([])
        await onThreads(4) { thread in
            for round in 0..<rounds {
                if thread == 0 {
                    let (pending, handle) = unsafe PendingReply.opened()
                    current.withLock { $0 = unsafe Shared(pending: pending, handle: handle) }
                }
                start.arrive()
                guard let shared = current.withLock({ $0 }) else { continue }
                switch thread {
                case 0: shared.pending.whenDone(on: .current, wakes: false) { _, _ in }
                case 1:
                    if round.isMultiple(of: 2) {
                        _ = unsafe shared.handle.complete(.null)
                    } else if shared.pending.end(with: LinkError(.deadlineExceeded)) {
                        cancelledRounds.withLock { _ = $0.insert(round) }
                    }
                default:
                    let number = round * 2 + thread - 2
                    if unsafe shared.handle.onCancel(handlers[number]) == Int32(HSLINK_OK) {
                        kept.withLock { _ = $0.insert(number) }
                    }
                }
                start.arrive()
            }
        }
        let keptNumbers = kept.withLock { $0 }
        let cancelled = cancelledRounds.withLock { $0 }
        for (number, handler) in handlers.enumerated() {
            guard keptNumbers.contains(number) else {
                #expect(handler.all == [])
                continue
            }
            #expect(handler.all.count == 1)
            // Handlers are called with 1 only if there was a cancellation.
            if !cancelled.contains(number / 2) { #expect(handler.all == [0]) }
        }
    }

    @Test("old handles have no effect on reused slots")
    func oldHandles() async {
        let ledger = ReplyLedger.make()
        let isOver = Atomic<Bool>(false)
        let old = Lock<Shared?>(nil)
        let late = Atomic<Int>(0)
        let wrong = Atomic<Int>(0)
        await onThreads(3) { thread in
            if thread > 0 {
                let calls = CancelCalls()
                while !isOver.load(ordering: .relaxed) {
                    guard let shared = old.withLock({ $0 }) else { continue }
                    if unsafe shared.handle.onCancel(calls) == Int32(HSLINK_OK) { wrong.add(1, ordering: .relaxed) }
                    if unsafe shared.handle.complete("old") == Int32(HSLINK_LATE) { late.add(1, ordering: .relaxed) }
                    if shared.pending.end(with: LinkError(.cancelled)) { wrong.add(1, ordering: .relaxed) }
                }
                #expect(calls.all == [])
                return
            }
            for round in 0..<5000 {
                let (pending, handle) = unsafe PendingReply.opened(ledger: ledger.index)
                let calls = CancelCalls()
                #expect(unsafe handle.onCancel(calls) == Int32(HSLINK_OK))
                #expect(unsafe handle.complete(Payload(round)) == Int32(HSLINK_OK))
                #expect((try? pending.takeReplied(on: .current)?.get()) == Payload(round))
                #expect(calls.all == [0])
                old.withLock { $0 = unsafe Shared(pending: pending, handle: handle) }
            }
            isOver.store(true, ordering: .relaxed)
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(ledger.lateReplies == late.load(ordering: .relaxed))
    }

    @Test("replies may come from threads that end at once")
    func shortThreads() async {
        let done = Atomic<Int>(0)
        for _ in 0..<200 {
            let (pending, handle) = unsafe PendingReply.opened()
            pending.whenDone(on: .current, wakes: false) { _, _ in done.add(1, ordering: .relaxed) }
            await onThreads(2) { _ in _ = unsafe handle.complete(.null) }
        }
        #expect(done.load(ordering: .relaxed) == 200)
    }
}

/// A call that several threads share.
@safe
struct Shared: @unchecked Sendable {
    // Unchecked: a reply handle may be used from any thread by contract.
    let pending: PendingReply
    let handle: hslink_reply
}
