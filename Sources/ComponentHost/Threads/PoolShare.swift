import ComponentKit

/// What one component may have of a pool: some threads at a time. Its later jobs wait here, in their order, and take no
/// thread from those of others.
final class PoolShare: Sendable {
    private struct State {
        var jobs = JobQueue()
        var threadCount = 0
    }

    private let state = Lock(State())
    private let threadLimit = 64

    /// Runs `job` on a thread of the pool.
    func submit(_ job: @escaping WorkerPool.Job, to pool: WorkerPool) {
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.threadCount < threadLimit else { return false }
            state.threadCount += 1
            return true
        }
        if needsThread { pool.submit { [self] in while let job = next() { job() } } }
    }

    private func next() -> WorkerPool.Job? {
        state.withLock { state in
            let job = state.jobs.popFirst()
            if job == nil { state.threadCount -= 1 }
            return job
        }
    }
}
