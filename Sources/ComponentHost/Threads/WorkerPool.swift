import ComponentKit

/// The host's own threads, for what must not run on its caller's. Grows with the jobs that block in it, and shrinks when
/// threads find no work for a while.
// Unchecked: all state is guarded by `lock`.
package final class WorkerPool: @unchecked Sendable {
    package typealias Job = @Sendable () -> Void

    private let lock = WaitLock()
    private var jobs = JobQueue()
    private var idleCount = 0
    private var threadCount = 0
    private var isEnded = false

    /// Threads that may exist at a time; a job beyond waits for one to become free.
    private let threadLimit: Int
    private let idleTime = Duration.seconds(5)
    private let name: String

    /// - Parameters:
    ///   - name: of its threads, at most 15 bytes.
    ///   - threadLimit: how many there may be at a time.
    package init(name: String = "hslink-worker", threadLimit: Int = 1024) {
        self.name = name
        self.threadLimit = threadLimit
    }

    /// Runs `job` on a thread of the pool.
    package func submit(_ job: @escaping Job) {
        let needsThread = lock.withLock { () -> Bool in
            jobs.append(job)
            if idleCount >= jobs.count {
                lock.wakeOne()
                return false
            }
            guard threadCount < threadLimit else { return false }
            threadCount += 1
            return true
        }
        guard needsThread, !startThread(named: name, { [self] in run() }) else { return }
        // The system has no thread to give. Others of the pool will come to the job; without any, this one
        // does it.
        let isAlone = lock.withLock {
            threadCount -= 1
            return threadCount == 0
        }
        if isAlone { runWithoutThread() }
    }

    /// Ends the threads once they have done what is submitted.
    package func end() {
        lock.withLock {
            isEnded = true
            lock.wakeAll()
        }
    }

    private func run() {
        while let job = next() { job() }
    }

    /// Does what is there on a thread that is not the pool's.
    private func runWithoutThread() {
        while let job = lock.withLock({ jobs.popFirst() }) { job() }
    }

    private func next() -> Job? {
        lock.withLock {
            let giveUp = Deadline.after(idleTime)
            while jobs.isEmpty {
                guard !isEnded, !giveUp.hasPassed else {
                    threadCount -= 1
                    return nil
                }
                idleCount += 1
                lock.wait(until: giveUp.nanoseconds)
                idleCount -= 1
            }
            return jobs.popFirst()
        }
    }
}

/// Jobs that wait for a thread, the first first.
struct JobQueue {
    private var jobs: [WorkerPool.Job] = []
    private var first = 0

    var count: Int { jobs.count - first }
    var isEmpty: Bool { first == jobs.count }

    mutating func append(_ job: @escaping WorkerPool.Job) { jobs.append(job) }

    mutating func popFirst() -> WorkerPool.Job? {
        guard !isEmpty else { return nil }
        let job = jobs[first]
        jobs[first] = {}
        first += 1
        // Those that are gone go when they are more than the others.
        if isEmpty || (first > 256 && first > jobs.count / 2) {
            jobs.removeFirst(first)
            first = 0
        }
        return job
    }
}
