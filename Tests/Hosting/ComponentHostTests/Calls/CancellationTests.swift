import ComponentHost
import ComponentKit
import Foundation
import TestSupport
import Testing

@Suite("Cancelled calls")
struct CancellationTests {
    @Test("a cancelled task ends its call and the method's task", arguments: Depth.allCases, [false, true])
    func cancelled(depth: Depth, isBound: Bool) async throws {
        let host = try depth.host()
        let task = Task {
            let form: CallForm = isBound ? .boundAsync : .async
            return await form.perform(host, "asyncSleep", ["seconds": 3600])
        }
        #expect(await holds { try await host.call("FixtureLink", "asyncSleeps") == 1 })
        task.cancel()
        let answer = await task.value
        #expect(answer.error?.code == .cancelled)
        #expect(answer.error?.className == "FixtureLink")
        #expect(answer.error?.selector == "asyncSleep")
        #expect(await holds { try await host.call("FixtureLink", "wasCancelled") == 1 })
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("a method whose deadline passed has its task cancelled", arguments: Depth.allCases, CallForm.allCases)
    func outOfTime(depth: Depth, form: CallForm) async throws {
        let host = try depth.host()
        _ = try await host.call("FixtureLink", "nothing")
        // Repeated until one has begun in time.
        let hasBegun = await holds {
            let answer = await form.perform(host, "asyncSleep", ["seconds": 3600], timeout: .milliseconds(500))
            #expect(answer.error?.code == .deadlineExceeded)
            return try await host.call("FixtureLink", "asyncSleeps").int() > 0
        }
        #expect(hasBegun)
        // More may have begun than were counted.
        let isEachCancelled = await holds {
            let cancelled = try await host.call("FixtureLink", "wasCancelled")
            return try await host.call("FixtureLink", "asyncSleeps") == cancelled
        }
        #expect(isEachCancelled)
    }

    @Test("a task that is already cancelled makes no call", arguments: Depth.allCases)
    func cancelledBefore(depth: Depth) async throws {
        let host = try depth.host()
        let answer = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await CallForm.async.perform(host, "count")
        }.value
        #expect(answer.error?.code == .cancelled)
        #expect(!host.isLoaded("FixtureLink"))
        #expect(try await host.call("FixtureLink", "count") == 1)
        #expect(answer.error?.className == "FixtureLink")
        #expect(answer.error?.selector == "count")
    }

    @Test("cancelling after the end changes nothing", arguments: Depth.allCases)
    func cancelledAfter(depth: Depth) async throws {
        let host = try depth.host()
        let task = Task { try await host.call("FixtureLink", "asyncSum", ["a": 1, "b": 1]) }
        #expect(try await task.value == 2)
        task.cancel()
        #expect(try await host.call("FixtureLink", "wasCancelled") == 0)
        #expect(try host.fixture.lateReplies == 0)
    }

    @Test("a call that is kept ends with its task, and its answer is late", arguments: Depth.allCases)
    func kept(depth: Depth) async throws {
        let host = try depth.host()
        let task = Task { await CallForm.async.perform(host, "keep") }
        // A second call is answered; by then the first is kept, or was cancelled before.
        #expect(await holds { host.isLoaded("FixtureLink") })
        task.cancel()
        #expect(await task.value.error?.code == .cancelled)
        #expect(try await host.call("FixtureLink", "answerKept") == 0)
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("cancelling a call through an object ends it", arguments: Depth.allCases)
    func object(depth: Depth) async throws {
        let host = try depth.host()
        let begun = Collected<Bool>()
        let ended = Collected<Bool>()
        let closure = try host.link.asyncClosure { _ -> Payload in
            begun.add(true)
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                ended.add(Task.isCancelled)
                throw error
            }
            return .null
        }.object()
        let task = Task { await answer { try await host.link.call(closure) } }
        #expect(await begun.first(1) == [true])
        task.cancel()
        #expect(await task.value.error?.code == .cancelled)
        #expect(await ended.first(1) == [true])
        let direct = Task { await answer { try await closure.call() } }
        #expect(await begun.first(2) == [true, true])
        direct.cancel()
        #expect(await direct.value.error?.code == .cancelled)
        #expect(await ended.first(2) == [true, true])
    }

    @Test("a component's call whose deadline passed cancels the called method", arguments: Depth.allCases)
    func boundInComponent(depth: Depth) async throws {
        let host = try depth.host()
        try await withMorePatience { timeout in
            let arguments: Payload = [
                "class": "FixtureLink", "selector": "asyncSleep", "payload": ["seconds": 3600],
                "timeout": .double(timeout / .seconds(1)),
            ]
            let answer = await CallForm.async.perform(host, "bindOther", arguments)
            #expect(answer.error?.code == .deadlineExceeded)
            return try await host.call("FixtureLink", "asyncSleeps").int() > 0
        }
        // More may have begun than were counted.
        let isEachCancelled = await holds {
            let cancelled = try await host.call("FixtureLink", "wasCancelled")
            return try await host.call("FixtureLink", "asyncSleeps") == cancelled
        }
        #expect(isEachCancelled)
        let report = await host.stop(timeout: .zero)
        #expect(report.cancelledCalls == 0)
    }
}
