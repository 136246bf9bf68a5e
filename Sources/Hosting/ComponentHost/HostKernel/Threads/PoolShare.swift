import ComponentKit

/// A limited share of a pool's threads. Jobs beyond the limit wait here in order, and take no threads from other
/// shares.
package final class PoolShare: Sendable {
    private struct State {
        var jobs = JobQueue()
        var threadCount = 0
    }

    private let state = Lock(State())
    private let threadLimit: Int
    private let takesTurns: Bool

    /// - Parameters:
    ///   - threadLimit: the number of threads that the share may use at a time.
    ///   - takesTurns: whether each job queues behind jobs that others submitted to the pool before the share's last
    ///     one ended.
    package init(threadLimit: Int = 64, takesTurns: Bool = false) {
        self.threadLimit = threadLimit
        self.takesTurns = takesTurns
    }

    /// Runs `job` on a thread of the pool.
    package func submit(_ job: @escaping WorkerPool.Job, to pool: WorkerPool) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.threadCount < threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        if needsThread { run(on: pool) }
    }

    private func run(on pool: WorkerPool) {
        pool.submit { [self] in
            while let job = next() {
                job()
                if takesTurns { return run(on: pool) }
            }
        }
    }

    private func next() -> WorkerPool.Job? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            if job == nil { state.threadCount -= 1 }
            return job
        }
    }
}
