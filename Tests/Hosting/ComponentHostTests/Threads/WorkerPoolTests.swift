import ComponentKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ComponentHost

@Suite("The host's own threads")
struct WorkerPoolTests {
    @Test("every job runs once, from whichever thread it comes", arguments: [1, 8])
    func jobs(threads: Int) async throws {
        let pool = WorkerPool()
        let runs = Lock<[Int]>(Array(repeating: 0, count: 8000))
        let done = Atomic<Int>(0)
        for thread in 0..<threads {
            Thread.detachNewThread {
                for job in stride(from: thread, to: 8000, by: threads) {
                    pool.submit {
                        runs.withLock { $0[job] += 1 }
                        done.add(1, ordering: .sequentiallyConsistent)
                    }
                }
            }
        }
        #expect(await holds { done.load(ordering: .sequentiallyConsistent) == 8000 })
        #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
        pool.end()
    }

    @Test("blocked jobs do not keep others from running")
    func blocked() async {
        let pool = WorkerPool()
        let valve = Valve()
        for _ in 0..<50 { pool.submit { valve.pass() } }
        #expect(await holds { valve.arrivals == 50 })
        let done = Atomic<Int>(0)
        for _ in 0..<50 { pool.submit { done.add(1, ordering: .sequentiallyConsistent) } }
        #expect(await holds { done.load(ordering: .sequentiallyConsistent) == 50 })
        valve.open()
        pool.end()
    }

    @Test("threads that have been idle end, but for one, which runs what comes next")
    func idle() async {
        let pool = WorkerPool(idleTime: .milliseconds(1))
        let valve = Valve()
        let threads = Lock<[pthread_t]>([])
        for _ in 0..<3 {
            pool.submit {
                threads.withLock { $0.append(pthread_self()) }
                valve.pass()
            }
        }
        #expect(await holds { valve.arrivals == 3 })
        #expect(pool.size == 3)
        valve.open()
        #expect(await holds { pool.size == 1 })
        let last = Lock<pthread_t?>(nil)
        pool.submit { last.withLock { $0 = pthread_self() } }
        #expect(await holds { last.withLock { $0 } != nil })
        #expect(threads.withLock { $0 }.contains(last.withLock { $0 } ?? 0))
        #expect(pool.size == 1)
        pool.end()
        #expect(await holds { pool.size == 0 })
    }

    @Test("jobs submitted before and after the end run")
    func end() async {
        let pool = WorkerPool()
        let done = Atomic<Int>(0)
        for _ in 0..<100 { pool.submit { done.add(1, ordering: .sequentiallyConsistent) } }
        pool.end()
        for _ in 0..<100 { pool.submit { done.add(1, ordering: .sequentiallyConsistent) } }
        #expect(await holds { done.load(ordering: .sequentiallyConsistent) == 200 })
    }

    @Test("a pool without threads is freed")
    func freed() async {
        weak var weakPool: WorkerPool?
        do {
            let pool = WorkerPool()
            weakPool = pool
            for _ in 0..<10 { pool.submit {} }
            pool.end()
        }
        #expect(await holds { weakPool == nil })
    }
}
