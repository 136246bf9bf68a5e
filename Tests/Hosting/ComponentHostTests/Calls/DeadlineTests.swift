import ComponentKit
import Foundation
import TestSupport
import Testing

@testable import ComponentHost

@Suite("Deadlines of calls")
struct DeadlineTests {
    @Test("a call that is never answered ends at its deadline", arguments: Depth.allCases, CallForm.allCases)
    func neverAnswered(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        // Loaded first, because the method is not performed for a caller whose deadline has passed.
        _ = try await host.call("FixtureLink", "nothing")
        try await withMorePatience {
            let answer = await form.perform(host, "keep", timeout: $0)
            #expect(answer.error?.code == .deadlineExceeded)
            #expect(answer.error?.className == "FixtureLink")
            #expect(answer.error?.selector == "keep")
            #expect(answer.error?.component == "FixtureComponent")
            #expect(answer.classIsLoad)
            // A thread may be about to begin the method.
            #expect(await holds { try host.fixture.stuckCalls == 0 })
            #expect(try host.fixture.lateReplies == 0)
            #expect(try await host.call("FixtureLink", "answerKept") == 0)
            return try host.fixture.lateReplies == 1
        }
        let report = await host.stop()
        #expect(report == StopReport())
    }

    @Test("a blocked method is counted until it returns", arguments: Depth.allCases, CallForm.allCases)
    func blocked(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let valve = Valve()
        let arguments: Payload = ["closure": valve.closure(host.link)]
        _ = try await host.call("FixtureLink", "nothing")
        await withMorePatience {
            let answer = await form.perform(host, "apply", arguments, timeout: $0)
            #expect(answer.error?.code == .deadlineExceeded)
            return await holds(within: .seconds(1)) { valve.arrivals > 0 }
        }
        // More may have begun than had arrived.
        #expect(await holds { (try? host.fixture.stuckCalls) == valve.arrivals })
        valve.open()
        #expect(await holds { (try? host.fixture.stuckCalls) == 0 })
        #expect(await holds { (try? host.fixture.lateReplies) == valve.arrivals })
        #expect(try await host.call("FixtureLink", "nothing") == .null)
        await host.stop()
    }

    @Test("the payload outlives the caller of a call whose deadline passed", arguments: Depth.allCases)
    func payloadOutlives(depth: Depth) async throws {
        let host = try depth.host()
        _ = try await host.call("FixtureLink", "nothing")
        await withMorePatience { timeout in
            let seconds = 2 * (timeout / .seconds(1)) + 0.2
            let answer = await CallForm.async.perform(
                host, "sleep", ["seconds": .double(seconds), "data": .bytes([UInt8](repeating: 1, count: 1 << 20))],
                timeout: timeout)
            // The host may notice the deadline too late.
            guard answer.error?.code == .deadlineExceeded else {
                #expect(answer.returnValue == .int(1 << 20))
                return false
            }
            return await holds(within: timeout + .seconds(2)) { (try? host.fixture.lateReplies) ?? 0 > 0 }
        }
        await host.stop()
    }

    @Test("calls are refused at the limit of stuck threads, accepted after recovery", arguments: Depth.allCases)
    func stuck(depth: Depth) async throws {
        var options = HostOptions.quiet
        options.stuckLimit = 2
        options.stuckPatience = .milliseconds(50)
        let host = try depth.host(options: options)
        let valve = Valve()
        let arguments: Payload = ["closure": valve.closure(host.link)]
        // Loaded first, so that the deadline covers only the method.
        _ = try await host.call("FixtureLink", "nothing")
        for count in 1...2 {
            await withMorePatience(from: .milliseconds(200)) {
                let answer = await CallForm.async.perform(host, "apply", arguments, timeout: $0)
                #expect(answer.error?.code == .deadlineExceeded)
                // A thread may be about to begin the method.
                #expect(await holds { (try? host.fixture.stuckCalls) == valve.arrivals })
                return valve.arrivals == count
            }
        }
        let limiter = try #require(host.core.registry.unit(named: "FixtureComponent")?.limiter)
        #expect(await holds { limiter.isStuck })
        for form in CallForm.allCases {
            let answer = await form.perform(host, "nothing")
            #expect(answer.error?.code == .stuck)
            #expect(answer.classIsLoad)
        }
        valve.open()
        #expect(await holds { (try? host.fixture.stuckCalls) == 0 })
        #expect(await holds { host.isLoaded("FixtureLink") })
        #expect(await CallForm.blocking.perform(host, "nothing").returnValue == .null)
        await host.stop()
    }

    @Test("a method that is quick enough answers", arguments: Depth.allCases, CallForm.allCases)
    func inTime(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        let answer = await form.perform(host, "asyncSum", ["a": 1, "b": 2], timeout: .seconds(3600))
        #expect(answer.returnValue == 3)
    }

    @Test(
        "a deadline that has passed already ends the call", arguments: [Duration.zero, .seconds(-5), .nanoseconds(1)])
    func passed(timeout: Duration) async throws {
        let host = try Depth.builtIn.host()
        let answer = await CallForm.async.perform(host, "keep", timeout: timeout)
        #expect(answer.error?.code == .deadlineExceeded)
    }

    @Test("the method sees how much time is left", arguments: Depth.allCases)
    func remaining(depth: Depth) async throws {
        let host = try depth.host()
        #expect(try await host.call("FixtureLink", "remaining") == .null)
        let left = try await host.call("FixtureLink", "remaining", timeout: .milliseconds(900_900)).double()
        #expect(left >= 0 && left < 1)
    }

    @Test("a call that has ended is not kept until its deadline", arguments: Depth.allCases)
    func endedCallIsReleased(depth: Depth) async throws {
        let host = try depth.host()
        weak var token: Token?
        do {
            let kept = Token()
            token = kept
            let closure = host.link.closure { [kept] _ in kept.text }
            let value = try await host.call(
                "FixtureLink", "apply", ["closure": closure], timeout: .seconds(3600))
            #expect(value == "token")
        }
        let isReleased = await holds { token == nil }
        #expect(isReleased)
        await host.stop()
    }

    @Test("a callback at a deadline may make calls with deadlines", arguments: Depth.allCases)
    func callFromDeadlineCallback(depth: Depth) async throws {
        let host = try depth.host()
        let codes = Collected<LinkError.Code?>()
        host.link.call("FixtureLink", "keep", timeout: .milliseconds(20)) { (_: Answer) in
            do throws(LinkError) {
                _ = try host.callAndWait("FixtureLink", "keep", timeout: .milliseconds(20))
                codes.add(nil)
            } catch {
                codes.add(error.code)
            }
        }
        let ended = await holds { codes.all.count == 1 }
        #expect(ended)
        #expect(codes.all == [.deadlineExceeded])
        _ = try await host.call("FixtureLink", "answerKept")
        #expect(await codes.first(1).count == 1)
        await host.stop()
    }
}

/// An object whose deallocation is observed.
final class Token: Sendable {
    let text = "token"
}
