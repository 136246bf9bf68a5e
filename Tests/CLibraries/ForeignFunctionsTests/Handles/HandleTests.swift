import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Handles", .serialized)
struct HandleTests {
    private func released(_ host: LinkHost) async throws -> Int {
        try await host.call("Plain", "plain_released").int()
    }

    @Test("a handle is released once: by its last reference, by its function, or by close")
    func once() async throws {
        try await withLibraries("plain") { host async throws in
            let before = try await released(host)
            do {
                let box = try await host.call("Plain", "plain_box", ["value": 5])
                #expect(try await host.call("Plain", "plain_value", ["box": box]) == 5)
                #expect(try box.object().className == "Box")
            }
            // The thread of the last call may be about to release its payload.
            let isReleased = await holds { try await released(host) == before + 1 }
            #expect(isReleased)
            do {
                let box = try await host.call("Plain", "plain_box", ["value": 6])
                _ = try await host.call("Plain", "plain_release", ["box": box])
                #expect(try await released(host) == before + 2)
                let twice = await failure { try await host.call("Plain", "plain_release", ["box": box]) }
                #expect(twice?.message == "the handle Box has been released")
            }
            #expect(try await released(host) == before + 2)
            do {
                let box = try await host.call("Plain", "plain_box", ["value": 7])
                #expect(try await box.object().call("close") == .null)
                let late = await failure { try await host.call("Plain", "plain_value", ["box": box]) }
                #expect(late?.message == "the handle Box has been released")
                let again = await failure { try await box.object().call("close") }
                #expect(again?.code == .payloadMismatch)
                let other = await failure { try await box.object().call("open") }
                #expect(other?.code == .selectorNotFound)
            }
            #expect(try await released(host) == before + 3)
        }
    }

    @Test("null is accepted where it is allowed")
    func null() async throws {
        try await withLibraries("plain") { host async throws in
            #expect(try await host.call("Plain", "plain_value", ["box": nil]) == -1)
            #expect(try await host.call("Plain", "plain_value") == -1)
        }
    }

    @Test("a call may use one handle twice, and two in either order")
    func several() async throws {
        try await withLibraries("plain") { host async throws in
            let one = try await host.call("Plain", "plain_box", ["value": 1])
            let two = try await host.call("Plain", "plain_box", ["value": 2])
            #expect(try await host.call("Plain", "plain_sum", ["left": one, "right": one]) == 2)
            let sums = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<200 {
                    let (left, right) = index.isMultiple(of: 2) ? (one, two) : (two, one)
                    group.addTask { try await host.call("Plain", "plain_sum", ["left": left, "right": right]).int() }
                }
                return try await group.reduce(0, +)
            }
            #expect(sums == 600)
        }
    }

    @Test("calls with one handle run one at a time, from any threads")
    func concurrent() async throws {
        try await withLibraries("plain") { host async throws in
            let box = try await host.call("Plain", "plain_box", ["value": 0])
            try await onThreads(8) { _ in
                let add = try host.bind("Plain", "plain_add")
                for _ in 0..<500 { _ = try add(["box": box, "amount": 1]) }
            }
            #expect(try await host.call("Plain", "plain_value", ["box": box]) == 4000)
        }
    }

    @Test("a handle that is released while calls use it is released once, and the calls succeed or fail")
    func releasedMeanwhile() async throws {
        try await withLibraries("plain") { host async throws in
            let before = try await released(host)
            for round in 0..<20 {
                let box = try await host.call("Plain", "plain_box", ["value": 0])
                let late = Lock(0)
                try await onThreads(8) { thread in
                    if thread == round % 8 {
                        _ = try host.callAndWait("Plain", "plain_release", ["box": box])
                        return
                    }
                    for _ in 0..<50 {
                        do throws(LinkError) {
                            _ = try host.callAndWait("Plain", "plain_add", ["box": box, "amount": 1])
                        } catch {
                            guard error.message == "the handle Box has been released" else { throw error }
                            late.withLock { $0 += 1 }
                        }
                    }
                }
                _ = late
            }
            #expect(try await released(host) == before + 20)
        }
    }

    @Test("a handle may outlive its host, whose stop ends calls with it")
    func outlives() async throws {
        let box = try await withLibraries("plain") { host in try await host.call("Plain", "plain_box", ["value": 3]) }
        #expect(try box.object().className == "Box")
        let error = await #expect(throws: LinkError.self) { try await box.object().call("close") }
        #expect(error?.code == .stopped)
    }

    /// Runs `body` on `count` new threads; rethrows the error of the first one.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        let errors = Lock<[String]>([])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let left = Lock(count)
            for index in 0..<count {
                Thread.detachNewThread {
                    do {
                        try body(index)
                    } catch {
                        errors.withLock { $0.append("\(error)") }
                    }
                    let isLast = left.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    if isLast { continuation.resume() }
                }
            }
        }
        #expect(errors.withLock { $0 } == [])
    }
}
