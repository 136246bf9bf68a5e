import TestSupport
import Testing

@testable import ComponentHost
@testable import ComponentKit

/// What happens to the sleeps of a call.
private enum Ending: String, CaseIterable, CustomTestStringConvertible {
    case newestFirst, oldestFirst, afterReturn

    var testDescription: String { rawValue }
}

/// A method that passes its reply on sleeps, and so does its caller, on the same thread: several sleeps of one call.
@Suite("A call that sleeps more than once")
struct SleepingCallTests {
    /// How many more threads of the pool may sleep.
    private func placesLeft(_ pool: WorkerPool) -> Int {
        var count = 0
        while pool.beginSleep(isNecessary: false) { count += 1 }
        for _ in 0..<count { pool.endSleep() }
        return count
    }

    @Test("gives one place away, and takes it back once", arguments: Ending.allCases)
    private func once(ending: Ending) async throws {
        var options = HostOptions.quiet
        options.concurrencyLimit = 1
        options.sleeperLimit = 4
        let host = LinkHost(components: [], includesBuiltIn: false, options: options)
        let engine = host.core.engine
        let (awake, asleep, others) = (Valve(), Valve(), Valve())
        let (sleeps, left) = (Collected<CallEngine.Sleep>(), Collected<Int>())
        let answers = Collected<Answer>()
        func begin(_ closure: Payload) throws {
            host.core.begin(
                .object(try closure.object(), selector: ""), .null, mode: .onHostThread(nil, callerSleeps: false)
            ).finish(.answer { answers.add($0) })
        }
        try begin(
            host.link.closure { _ -> Payload in
                awake.pass()
                for _ in 0..<2 {
                    sleeps.add(try CallEngine.Sleep(on: .current, owedBy: .host, engine, isNecessary: false))
                    left.add(placesLeft(engine.pool))
                }
                asleep.pass()
                return .null
            })
        #expect(await holds { awake.arrivals == 1 })
        // Both wait for the only place.
        for _ in 0..<2 { try begin(others.closure(host.link)) }
        awake.open()
        #expect(await holds { asleep.arrivals == 1 && others.arrivals == 1 })
        #expect(left.all == [3, 3])
        let limiter = engine.limiter(ofImageAt: 0)
        #expect(limiter.sleepingCount == 1)
        // Had the second sleep let another call begin, that would be before this job.
        let isPast = Collected<Bool>()
        engine.pool.submit { isPast.add(true) }
        #expect(await isPast.first(1) == [true])
        #expect(others.arrivals == 1)

        if ending == .afterReturn {
            // What the reply was passed on to goes on.
            asleep.open()
            #expect(await holds { placesLeft(engine.pool) == 4 })
        } else {
            let inOrder = ending == .oldestFirst ? sleeps.all : sleeps.all.reversed()
            inOrder[0].end()
            #expect(placesLeft(engine.pool) == 3)
            #expect(limiter.sleepingCount == 1)
            inOrder[1].end()
            #expect(placesLeft(engine.pool) == 4)
            asleep.open()
        }
        for sleep in sleeps.all { sleep.end() }
        #expect(placesLeft(engine.pool) == 4)
        #expect(limiter.sleepingCount == 0)
        // The place is that of the other call now, which still runs.
        #expect(await answers.first(1).count == 1)
        #expect(others.arrivals == 1)
        others.open()
        #expect(await answers.first(3).count == 3)
        #expect(others.arrivals == 2)
        #expect(await host.stop(timeout: TestPatience.limit(.seconds(5))) == StopReport())
    }

    @Test("sleeps until the end of the call that the caller of a method waits for, once that has returned")
    func caller() async throws {
        try await onThread {
            let engine = CallEngine(.quiet)
            let limiter = ConcurrencyLimiter(.quiet, of: nil)
            let thread = ThreadContext.current
            let origin = CallOrigin(on: thread, limiter, sleep: nil)
            let component = unsafe ComponentRunState.ofHost.identity
            #expect(thread.enter(component))
            let ofMethod = engine.gates.beginSleep(owedBy: .host)
            #expect(!limiter.addSleep(ofMethod, of: origin))
            limiter.beginSleep(ofMethod, of: origin, engine)
            #expect(thread.leave(component))
            let ofCaller = engine.gates.beginSleep(owedBy: .host)
            #expect(limiter.addSleep(ofCaller, of: origin))
            #expect(limiter.sleepingCount == 1)
            #expect(!limiter.endSleep(ofMethod, of: origin))
            #expect(limiter.sleepingCount == 1)
            #expect(limiter.endSleep(ofCaller, of: origin))
            #expect(!limiter.endSleep(ofCaller, of: origin))
            #expect(limiter.sleepingCount == 0)
            for sleep in [ofMethod, ofCaller] { engine.gates.endSleep(sleep) }
        }
    }
}
