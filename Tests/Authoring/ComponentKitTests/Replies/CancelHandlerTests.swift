import CHSLink
import Synchronization
import Testing

@testable import ComponentKit

@Suite("Cancel handlers")
struct CancelHandlerTests {
    enum End: String, CaseIterable {
        case replied, failed, ended, void, repliedLater, endedLater

        /// The arguments that the handler received.
        var flag: Int32 { self == .ended || self == .endedLater ? 1 : 0 }
    }

    @Test("are called once, with 1 only if the caller no longer waits", arguments: End.allCases)
    func flag(end: End) {
        let calls = CancelCalls()
        let (pending, handle) = unsafe PendingReply.opened()
        #expect(unsafe handle.onCancel(calls) == Int32(HSLINK_OK))
        switch end {
        case .replied:
            #expect(unsafe handle.complete(1) == Int32(HSLINK_OK))
            #expect(pending.takeReplied(on: .current) != nil)
        case .failed:
            #expect(unsafe handle.fail(LinkError(.cancelled)) == Int32(HSLINK_OK))
            #expect(pending.takeReplied(on: .current) != nil)
        case .ended:
            #expect(pending.end(with: LinkError(.deadlineExceeded)))
            #expect(pending.takeReplied(on: .current) != nil)
        case .void: #expect(pending.takeReplied(on: .current) == nil)
        case .repliedLater:
            pending.whenDone(on: .current, wakes: false) { _, _ in }
            #expect(unsafe handle.complete(1) == Int32(HSLINK_OK))
        case .endedLater:
            pending.whenDone(on: .current, wakes: false) { _, _ in }
            #expect(pending.end(with: LinkError(.cancelled)))
        }
        #expect(calls.all == [end.flag])
        #expect(unsafe handle.onCancel(calls) == Int32(HSLINK_LATE))
        #expect(unsafe handle.complete(2) == Int32(HSLINK_LATE))
        #expect(calls.all == [end.flag])
    }

    /// Something that a handler keeps, which tells whose session it is released in.
    private final class Keepsake: Sendable {
        private let seen: Sessions

        init(_ seen: Sessions) { self.seen = seen }

        deinit {
            let session = Session.current?.id ?? "nobody"
            seen.all.withLock { $0.append(session) }
        }
    }

    private final class Sessions: Sendable {
        let all = Lock<[String]>([])
    }

    @Test("what they keep is released in the context in which they were set", arguments: ["ada", nil], [false, true])
    func released(whose: String?, isCancelled: Bool) throws {
        func acting(_ whose: String?, _ body: () -> Void) throws {
            guard let whose else { return body() }
            try Session.with(Session(id: whose)) { body() }
        }
        let seen = Sessions()
        let (pending, handle) = unsafe PendingReply.opened()
        // A reply that is dropped answers.
        let reply = unsafe Reply(handle)
        try acting(whose) {
            let kept = Keepsake(seen)
            reply.onCancel { withExtendedLifetime(kept) {} }
        }
        try acting("bob") {
            if isCancelled {
                #expect(pending.end(with: LinkError(.cancelled)))
            } else {
                #expect(unsafe handle.complete(1) == Int32(HSLINK_OK))
            }
        }
        #expect(seen.all.withLock { $0 } == [whose ?? "nobody"])
        withExtendedLifetime(reply) {}
        _ = pending.takeReplied(on: .current)
    }

    @Test("run with the texts that the code carries which has set them, whoever ends the call", arguments: End.allCases)
    func texts(end: End) throws {
        func carrying(_ whose: String, _ body: () -> Void) {
            let texts: Payload = ["session": .string(whose)]
            let thread = ThreadContext.current
            unsafe texts.withUnsafeValue { value in
                unsafe thread.state.pointee.running.carried = unsafe value
                body()
                unsafe thread.state.pointee.running.carried = nil
            }
        }
        let seen = SeenTexts()
        let (pending, handle) = unsafe PendingReply.opened()
        carrying("ada") {
            let status = unsafe handle.ops.pointee.on_cancel(
                handle.slot, handle.token,
                { context, _ in
                    guard let context = unsafe context else { return }
                    let carried = unsafe ThreadContext.current.state.pointee.running.carried
                    let texts = unsafe carried.flatMap { unsafe try? Payload(copying: $0.pointee, limits: .standard) }
                    unsafe Unmanaged<SeenTexts>.fromOpaque(context).takeUnretainedValue().add(texts)
                }, Unmanaged.passUnretained(seen).toOpaque())
            #expect(status == Int32(HSLINK_OK))
        }
        if end == .repliedLater || end == .endedLater { pending.whenDone(on: .current, wakes: true) { _, _ in } }
        carrying("grace") {
            switch end {
            case .replied, .repliedLater: _ = unsafe handle.complete(1)
            case .failed: _ = unsafe handle.fail(LinkError(.cancelled))
            case .ended, .endedLater: pending.end(with: LinkError(.cancelled))
            case .void: break
            }
            if end != .repliedLater, end != .endedLater { _ = pending.takeReplied(on: .current) }
        }
        #expect(seen.all == [["session": "ada"]])
    }

    @Test("the last one set counts, earlier ones are called with 0")
    func last() {
        let (first, second, third) = (CancelCalls(), CancelCalls(), CancelCalls())
        let (pending, handle) = unsafe PendingReply.opened()
        #expect(unsafe handle.onCancel(first) == Int32(HSLINK_OK))
        #expect(unsafe handle.onCancel(second) == Int32(HSLINK_OK))
        #expect(first.all == [0])
        #expect(unsafe handle.onCancel(third) == Int32(HSLINK_OK))
        #expect(second.all == [0])
        #expect(third.all == [])
        #expect(pending.end(with: LinkError(.cancelled)))
        #expect([first.all, second.all, third.all] == [[0], [0], [1]])
        #expect(pending.takeReplied(on: .current) != nil)
    }

    @Test("one that is replaced during cancellation is called with 1")
    func replacedWhileCancelled() async {
        for _ in 0..<2_000 {
            let (first, second) = (CancelCalls(), CancelCalls())
            let (pending, handle) = unsafe PendingReply.opened()
            #expect(unsafe handle.onCancel(first) == Int32(HSLINK_OK))
            let isEnding = Atomic(false)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { @Sendable in
                    while !isEnding.load(ordering: .acquiring) {}
                    pending.end(with: LinkError(.cancelled))
                }
                isEnding.store(true, ordering: .releasing)
                let isKept = unsafe handle.onCancel(second) == Int32(HSLINK_OK)
                await group.waitForAll()
                #expect(first.all == [isKept ? 0 : 1])
                #expect(second.all == (isKept ? [1] : []))
            }
            #expect(pending.takeReplied(on: .current) != nil)
        }
    }

    @Test("the handler of one call is not the next one's")
    func next() {
        let calls = CancelCalls()
        let (pending, handle) = unsafe PendingReply.opened()
        #expect(unsafe handle.onCancel(calls) == Int32(HSLINK_OK))
        pending.void(on: .current)
        let (other, otherHandle) = unsafe PendingReply.opened()
        #expect(unsafe otherHandle.slot == handle.slot)
        #expect(other.end(with: LinkError(.cancelled)))
        #expect(other.takeReplied(on: .current) != nil)
        #expect(calls.all == [0])
    }
}

/// The texts that handlers carried.
private final class SeenTexts: Sendable {
    private let texts = Lock<[Payload?]>([])
    var all: [Payload?] { texts.withLock { $0 } }
    func add(_ text: Payload?) { texts.withLock { $0.append(text) } }
}
