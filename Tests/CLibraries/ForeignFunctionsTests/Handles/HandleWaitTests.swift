import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

/// Tests two threads that each use the handles of one family, and then need those of the other's.
@Suite("Threads that wait for each other's handles", .serialized)
struct HandleWaitTests {
    @Test("two families can release the last references to each other's handles")
    func releases() async throws {
        try await withLibraries("plain") { host async throws in
            for _ in 0..<20 {
                let meeting = Meeting()
                let extraEnds = Lock(0)
                let extras = [Held(), Held()]
                let watches = [Held(), Held()]
                for side in 0..<2 {
                    let box = try await host.call("Plain", "plain_box", ["value": Payload(side)])
                    let ended = host.link.closure { _ -> Payload in
                        meeting.come()
                        extras[1 - side].drop()
                        return .null
                    }
                    let extraEnded = host.link.closure { _ -> Payload in
                        extraEnds.withLock { $0 += 1 }
                        return .null
                    }
                    watches[side].put(try await host.call("Plain", "plain_watch", ["box": box, "ended": ended]))
                    extras[side].put(try await host.call("Plain", "plain_watch", ["box": box, "ended": extraEnded]))
                }
                try #require(await bothEnd { watches[$0].drop() })
                // A release that another thread has taken over may take a moment longer.
                let areReleased = await holds { extraEnds.withLock { $0 } == 2 }
                #expect(areReleased)
            }
        }
    }

    @Test("of two calls whose callbacks use each other's handle, one is refused and one performed")
    func calls() async throws {
        try await withLibraries("plain") { host async throws in
            let link = host.link
            let boxes = [
                try await host.call("Plain", "plain_box", ["value": 0]),
                try await host.call("Plain", "plain_box", ["value": 1]),
            ]
            for _ in 0..<20 {
                let meeting = Meeting()
                let outcomes = Lock<[String]>([])
                let insides = (0..<2).map { side in
                    link.closure { _ -> Payload in
                        meeting.come()
                        let outcome = visited(link, boxes[1 - side])
                        outcomes.withLock { $0.append(outcome) }
                        return .null
                    }
                }
                try #require(
                    await bothEnd { side in
                        _ = try? link.callAndWait(
                            "Plain", "plain_visit", ["box": boxes[side], "inside": insides[side]])
                    })
                // The refused call returns to its callback first.
                #expect(outcomes.withLock { $0 } == ["wouldDeadlock", "performed"])
            }
        }
    }

    @Test("a lent handle ends although another thread uses it and waits for a handle of this one")
    func lent() async throws {
        try await withLibraries("plain") { host async throws in
            let link = host.link
            let box = try await host.call("Plain", "plain_box", ["value": 7])
            for _ in 0..<20 {
                let meeting = Meeting()
                let outcome = Lock("")
                let result = Lock<Payload>(.null)
                let lentBox = Held()
                let isLent = DispatchSemaphore(value: 0)
                let insideLent = link.closure { _ -> Payload in
                    meeting.come()
                    let found = visited(link, box)
                    outcome.withLock { $0 = found }
                    return .null
                }
                let lend = link.typedClosure { (box: Payload) -> Payload in
                    lentBox.put(box)
                    isLent.signal()
                    meeting.come()
                    return .null
                }
                let inside = link.closure { _ -> Payload in
                    try link.callAndWait("Plain", "plain_lend", ["value": 5, "function": lend])
                }
                try #require(
                    await bothEnd { side in
                        if side == 0 {
                            _ = try? link.callAndWait("Plain", "plain_visit", ["box": box, "inside": inside])
                        } else {
                            isLent.wait()
                            let value = try? link.callAndWait(
                                "Plain", "plain_visit", ["box": lentBox.value, "inside": insideLent])
                            result.withLock { $0 = value ?? .null }
                        }
                    })
                #expect(outcome.withLock { $0 } == "wouldDeadlock")
                // C does not hold freed memory.
                #expect(result.withLock { $0 } == 5)
            }
        }
    }

    @Test("a handle whose family is in use by another thread is released when that thread is done")
    func handedOver() async throws {
        try await withLibraries("plain") { host async throws in
            let order = Lock<[String]>([])
            let watch = Held()
            let box = try await host.call("Plain", "plain_box", ["value": 3])
            let ended = host.link.closure { _ -> Payload in
                order.withLock { $0.append("released") }
                return .null
            }
            watch.put(try await host.call("Plain", "plain_watch", ["box": box, "ended": ended]))
            let inside = host.link.closure { _ -> Payload in
                // It would not return if it waited.
                onThread { watch.drop() }
                order.withLock { $0.append("dropped") }
                return .null
            }
            #expect(try await host.call("Plain", "plain_visit", ["box": box, "inside": inside]) == 3)
            #expect(order.withLock { $0 } == ["dropped", "released"])
            // The handle that kept it no longer does.
            _ = try await host.call("Plain", "plain_release", ["box": box])
        }
    }
}

/// The outcome of a call with a handle.
private func visited(_ link: Link, _ box: Payload) -> String {
    do throws(LinkError) {
        _ = try link.callAndWait("Plain", "plain_value", ["box": box])
        return "performed"
    } catch {
        return error.code == .wouldDeadlock ? "wouldDeadlock" : "\(error)"
    }
}

/// A reference that is released on request.
private final class Held: Sendable {
    private let payload = Lock<Payload>(.null)

    var value: Payload { payload.withLock { $0 } }
    func put(_ new: Payload) { payload.withLock { $0 = new } }

    func drop() {
        let last = payload.withLock { payload in
            let last = payload
            payload = .null
            return last
        }
        _ = last
    }
}

/// A point where two threads wait for each other.
private final class Meeting: Sendable {
    private let condition = NSCondition()
    private let count = Lock(0)

    func come() {
        condition.lock()
        defer { condition.unlock() }
        count.withLock { $0 += 1 }
        condition.broadcast()
        while count.withLock({ $0 }) < 2 { condition.wait() }
    }
}

/// Runs `body` on a new thread, and waits for it.
private func onThread(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        isDone.signal()
    }
    isDone.wait()
}

/// Runs `body` on two threads.
///
/// - Returns: Whether both finished.
private func bothEnd(_ body: @escaping @Sendable (Int) -> Void) async -> Bool {
    let left = Lock(2)
    for side in 0..<2 {
        Thread.detachNewThread {
            body(side)
            left.withLock { $0 -= 1 }
        }
    }
    // A long timeout, because the machine may be busy. Threads in a deadlock wait forever.
    return await holds(within: .seconds(60)) { left.withLock { $0 } == 0 }
}
