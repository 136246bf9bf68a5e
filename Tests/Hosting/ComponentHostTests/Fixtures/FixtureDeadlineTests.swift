import ComponentKit
import Foundation
import HostContract
import TestSupport
import Testing

@testable import ComponentHost

// A latch holds methods, rather than a sleep, so that the result does not depend on the load of the machine.
@Suite("Deadlines end calls, and late replies do no harm", .timeLimit(.minutes(5 * TestPatience.factor)))
struct FixtureDeadlineTests {
    private static let limit = Duration.milliseconds(50)

    /// A payload for `CGoodLink.apply` that waits at the latch.
    private func waiting(_ latch: Latch, _ host: LinkHost, bytes: [UInt8] = [40, 2]) -> Payload {
        ["closure": latch.closure(host.link), "argument": .bytes(bytes)]
    }

    /// Starts calls that wait at the latch longer than their deadline.
    ///
    /// - Returns: The codes of their errors.
    private func hold(_ count: Int, _ latch: Latch, _ host: LinkHost) async -> [LinkError.Code?] {
        await withTaskGroup(of: LinkError.Code?.self) { group in
            for _ in 0..<count {
                let payload = waiting(latch, host)
                group.addTask {
                    await answer {
                        try await host.call("CGoodLink", "apply", payload, kind: .class, timeout: Self.limit)
                    }.error?.code
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Starts calls until `count` of them are running past their deadline.
    private func holdInside(_ count: Int, _ latch: Latch, _ host: LinkHost) async throws {
        while host.info("CGood")?.stuckCalls != count {
            #expect(await hold(1, latch, host) == [.deadlineExceeded])
            // A call that waited for a thread beyond its deadline never started.
            #expect(await holds { host.info("CGood")?.stuckCalls == latch.count })
        }
    }

    @Test("the caller is answered while the method still runs, whatever the form of the call")
    func late() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let latch = Latch()
            let payload = waiting(latch, host)
            try await onThread { try host.load("CGood") }
            let bound = try await onThread { try host.bind("CGoodLink", "apply", kind: .class) }
            async let blocking = answer {
                try await onThread {
                    try host.callAndWait("CGoodLink", "apply", payload, kind: .class, timeout: Self.limit)
                }
            }
            async let awaited = answer {
                try await host.call("CGoodLink", "apply", payload, kind: .class, timeout: Self.limit)
            }
            async let boundBlocking = answer { try await onThread { try bound(payload, timeout: Self.limit) } }
            async let boundAwaited = answer { try await bound.call(payload, timeout: Self.limit) }
            async let callback = awaitResume { resume in
                host.link.call("CGoodLink", "apply", payload, kind: .class, timeout: Self.limit) { (answer: Answer) in
                    resume(answer)
                }
            }
            for ended in await [blocking, awaited, boundBlocking, boundAwaited, callback] {
                let error = try #require(ended.error)
                #expect(error.code == .deadlineExceeded)
                #expect(error.className == "CGoodLink")
                #expect(error.selector == "apply")
                #expect(error.component == "CGood")
                #expect(ended.returnValue == nil)
                #expect(ended.classIsLoad)
            }
            // The calls that started are still running; one may be about to.
            #expect(await holds { host.info("CGood")?.stuckCalls == latch.count })
            let inside = latch.count
            #expect(host.info("CGood")?.lateReplies == 0)
            latch.open()
            #expect(await holds { host.info("CGood")?.lateReplies == inside })
            #expect(await holds { host.info("CGood")?.stuckCalls == 0 })
        }
    }

    @Test("a method can read its payload long after its caller was answered")
    func payloadLives() async throws {
        try await withHost(["CGood", "RepliesLate"]) { host, _ async throws in
            let latch = Latch()
            let sum = Lock(0)
            try await onThread { try host.load("CGood") }
            await withMorePatience(from: .milliseconds(100)) { timeout in
                let closure = host.link.closure { argument in
                    _ = try latch.closure(host.link).object().callAndWait("", .bytes([]))
                    let bytes = try argument.bytes()
                    sum.withLock { $0 = bytes.reduce(0) { $0 + Int($1) } }
                    return 0
                }
                let payload: Payload = ["closure": closure, "argument": .bytes(.init(repeating: 7, count: 1 << 20))]
                let error = await answer {
                    try await host.call("CGoodLink", "apply", payload, kind: .class, timeout: timeout)
                }.error
                #expect(error?.code == .deadlineExceeded)
                #expect(await holds { host.info("CGood")?.stuckCalls == latch.count })
                return latch.count > 0
            }
            #expect(sum.withLock { $0 } == 0)
            latch.open()
            #expect(await holds { sum.withLock { $0 } == 7 << 20 })

            // The same in C, which a sanitizer checks.
            try await onThread { try host.load("RepliesLate") }
            let bytes = Payload.bytes(.init(repeating: 7, count: 1 << 20))
            // A deadline may pass before the method begins, and then there is no late reply. Or the host notices it too
            // late.
            await withMorePatience(from: .milliseconds(100)) { timeout in
                let seconds = 2 * (timeout / .seconds(1)) + 1
                _ = await answer {
                    try await host.call(
                        "RepliesLateLink", "sleep", ["seconds": .double(seconds), "data": bytes], kind: .object,
                        timeout: timeout)
                }
                #expect(await holds { host.info("RepliesLate")?.stuckCalls == 0 })
                return host.info("RepliesLate")?.lateReplies == 1
            }
            let counted = try await host.value("RepliesLateLink", "lateReplies")
            #expect(counted == 1)
        }
    }

    @Test("100 stuck calls do not affect calls to another component")
    func hundred() async throws {
        try await withHost(["CGood", "CxxGood", "LateThread"]) { host, _ async throws in
            let latch = Latch()
            let codes = await hold(100, latch, host)
            #expect(codes.count == 100)
            #expect(codes.allSatisfy { $0 == .deadlineExceeded || $0 == .stuck })
            for index in 0..<20 {
                let value = Payload(index)
                let awaited = try await host.call("CxxGoodLink", "echo", value, kind: .class, timeout: .seconds(300))
                #expect(awaited == value)
                let blocking = try await host.value("CxxGoodLink", "echo", value)
                #expect(blocking == value)
                let later = try await host.call("LateThreadLink", "later", kind: .class)
                #expect(later == "from another thread")
            }
            #expect(host.info("CGood")?.lateReplies == 0)
            latch.open()
            #expect(await holds { host.info("CGood")?.stuckCalls == 0 })
            let payload = waiting(latch, host)
            let sum = try await host.call("CGoodLink", "apply", payload, kind: .class)
            #expect(sum == 42)
        }
    }

    @Test("at the limit further calls fail at once, until threads return")
    func stuck() async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        try await withHost(["CGood", "CxxGood"], options: options) { host, _ async throws in
            let latch = Latch()
            let bound = try await onThread { try host.bind("CGoodLink", "sum", kind: .class) }
            try await holdInside(2, latch, host)
            // They count once they have been running for a moment.
            #expect(await holds { await host.blockingCall("CGoodLink", "sum").error?.code == .stuck })
            let row = try #require(HostContents(host).components.first { $0.name == "CGood" })
            #expect(row.state == "stuck" && row.stuckCalls == 2)
            #expect(row.reason == "calls to it fail until some of its threads return")
            #expect(row.recovery?.hasPrefix("find out what its methods wait for") == true)
            for refused in [
                await host.blockingCall("CGoodLink", "sum"),
                await answer { try await host.call("CGoodLink", "sum", kind: .class) },
                await answer { try await host.call("CGoodLink", "count", timeout: .seconds(300)) },
                await answer { try await onThread { try bound(.null) } },
                await answer { try await bound.call(.null) },
            ] {
                #expect(refused.error?.code == .stuck)
                #expect(refused.classIsLoad)
                #expect(refused.error?.component == "CGood")
            }
            #expect(host.isLoaded("CGoodLink"))
            let other = try await host.value("CxxGoodLink", "echo", "free")
            #expect(other == "free")

            latch.open()
            #expect(await holds { host.info("CGood")?.stuckCalls == 0 })
            #expect(await holds { host.state(of: "CGood")?.description == "running" })
            let sum = try await onThread { try bound(["a": 40, "b": 2]) }
            #expect(sum == 42)
        }
    }

    @Test("at the limit a call fails even if all slots for calls are taken")
    func stuckWithoutPlaces() async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 2
        options.concurrencyLimit = 2
        options.stuckPatience = .milliseconds(50)
        try await withHost(["CGood"], options: options) { host, _ async throws in
            let latch = Latch()
            try await holdInside(2, latch, host)
            let refused = await answer {
                try await host.call("CGoodLink", "apply", waiting(latch, host), kind: .class, timeout: .seconds(300))
            }
            #expect(refused.error?.code == .stuck)
            latch.open()
        }
    }

    @Test("more blocking calls than processors leave other tasks running")
    func pool() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let latch = Latch()
            let count = ProcessInfo.processInfo.activeProcessorCount + 1
            let calls = (0..<count).map { _ in
                let payload = waiting(latch, host)
                return Task { try await host.call("CGoodLink", "apply", payload, kind: .class) }
            }
            #expect(await holds { latch.count == count })
            for _ in 0..<100 { await Task { await Task.yield() }.value }
            latch.open()
            for call in calls {
                let sum = try await call.value
                #expect(sum == 42)
            }
        }
    }

    @Test("a reply from another thread is used until the deadline, and only counted afterwards")
    func lateThread() async throws {
        try await withHost(["LateThread"]) { host, _ async throws in
            let inTime = try await host.call(
                "LateThreadLink", "later", ["seconds": 0.05], kind: .class, timeout: .seconds(300))
            #expect(inTime == "from another thread")
            let blocking = try await host.value("LateThreadLink", "later", ["seconds": 0.05])
            #expect(blocking == "from another thread")
            // A deadline may pass before the method begins, or be noticed too late.
            await withMorePatience(from: .milliseconds(200)) { timeout in
                let seconds = 2 * (timeout / .seconds(1)) + 1
                let late = await answer {
                    try await host.call(
                        "LateThreadLink", "later", ["seconds": .double(seconds)], kind: .class, timeout: timeout)
                }
                // The method itself returns: no thread stays stuck.
                #expect(await holds { host.info("LateThread")?.stuckCalls == 0 })
                guard late.error?.code == .deadlineExceeded else { return false }
                return await holds(within: .seconds(seconds + 10)) { host.info("LateThread")?.lateReplies == 1 }
            }
            let counted = try await host.value("LateThreadLink", "lateReplies")
            #expect(counted == 1)
        }
    }

    @Test("a cancelled task ends its call, and the late reply is counted")
    func cancelled() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            for (index, selector) in ["apply", "applyLater"].enumerated() {
                let latch = Latch()
                let payload = waiting(latch, host)
                let task = Task { await answer { try await host.call("CGoodLink", selector, payload, kind: .class) } }
                #expect(await holds { latch.count == 1 })
                task.cancel()
                let ended = await task.value
                #expect(ended.error?.code == .cancelled)
                #expect(ended.classIsLoad)
                #expect(host.info("CGood")?.lateReplies == index)
                latch.open()
                #expect(await holds { host.info("CGood")?.lateReplies == index + 1 })
            }
        }
    }

    @Test("a deadline in the past ends the call, without stuck threads")
    func passed() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            for timeout in [Duration.zero, .seconds(-5), .nanoseconds(1)] {
                let ended = await answer {
                    try await host.call("CGoodLink", "sum", ["a": 1, "b": 2], kind: .class, timeout: timeout)
                }
                #expect(ended.returnValue == 3 || ended.error?.code == .deadlineExceeded)
            }
            #expect(await holds { host.info("CGood")?.stuckCalls == 0 })
            let value = try await host.value("CGoodLink", "sum", ["a": 1, "b": 2], timeout: .seconds(Int64.max))
            #expect(value == 3)
        }
    }

    @Test("a call that ended in time releases its payload")
    func letsGo() async throws {
        try await withHost(["CGood"]) { host, _ async throws in
            let isAlive = Lock(true)
            do {
                let token = LifeToken { isAlive.withLock { $0 = false } }
                let closure = host.link.closure { _ in Payload(token.number) }
                let value = try await host.call(
                    "CGoodLink", "apply", ["closure": closure], kind: .class, timeout: .seconds(600))
                #expect(value == 7)
            }
            let isGone = await holds(within: .seconds(30)) { !isAlive.withLock { $0 } }
            #expect(isGone)
        }
    }
}

/// Reports its deallocation.
private final class LifeToken: Sendable {
    let number = 7
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
}
