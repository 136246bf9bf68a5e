import ComponentKit
import SystemSupport

/// The host's own threads, for work that must not run on the caller's thread. The pool grows when jobs block in it, and
/// shrinks to one thread when threads have been idle for a while. A thread that sleeps until another job is done does
/// not count towards the limit, so jobs that wait for jobs cannot exhaust the pool.
///
/// Dispatch and NIOThreadPool are not used, since they limit the number of threads no matter what the threads wait for.
// Unchecked: all state is guarded by `lock`.
package final class WorkerPool: @unchecked Sendable {
    package typealias Job = @Sendable () -> Void

    private let lock = WaitLock()
    private var jobs = JobQueue()
    private var idleCount = 0
    private var threadCount = 0
    /// The number of threads that sleep until another thread's job is done.
    private var sleeperCount = 0
    private var isEnded = false

    /// The number of threads that may work at a time. Further jobs wait until one is free.
    private let threadLimit: Int
    private let sleeperLimit: Int
    private let idleTime: Duration
    private let name: String

    /// - Parameters:
    ///   - name: the name of the threads, at most 15 bytes.
    ///   - threadLimit: the number of threads that may work at a time.
    ///   - sleeperLimit: how many more threads may sleep until another thread's job is done.
    ///   - idleTime: after how long an idle thread ends.
    package init(
        name: String = "hslink-worker", threadLimit: Int = 1024, sleeperLimit: Int = 1024,
        idleTime: Duration = .seconds(5)
    ) {
        self.name = name
        self.idleTime = idleTime
        self.threadLimit = threadLimit
        self.sleeperLimit = sleeperLimit
    }

    /// The number of threads.
    var size: Int { lock.withLock { threadCount } }

    /// Runs `job` on a thread of the pool.
    package func submit(_ job: @escaping Job) {
        let needsThread = lock.withLock { () -> Bool in
            jobs.append(job)
            if idleCount >= jobs.count {
                lock.wakeOne()
                return false
            }
            return makePlace()
        }
        if needsThread { start() }
        TestDelays.pause()
    }

    /// Records that a thread of the pool is about to sleep until another job is done, which may be queued here.
    ///
    /// - Parameter isNecessary: whether the thread sleeps regardless of the limit.
    /// - Returns: False if the limit on sleeping threads is reached. The thread must then neither sleep nor call
    ///   ``endSleep()``.
    func beginSleep(isNecessary: Bool) -> Bool {
        let (maySleep, needsThread) = lock.withLock { () -> (Bool, Bool) in
            guard isNecessary || sleeperCount < sleeperLimit else { return (false, false) }
            sleeperCount += 1
            return (true, jobs.count > idleCount && makePlace())
        }
        if needsThread { start() }
        return maySleep
    }

    func endSleep() { lock.withLock { sleeperCount -= 1 } }

    /// Reserves a slot for another thread.
    ///
    /// - Returns: Whether the caller must start a thread; it counts from now on.
    private func makePlace() -> Bool {
        guard threadCount - sleeperCount < threadLimit else { return false }
        threadCount += 1
        return true
    }

    private func start() {
        guard !startThread(named: name, { [self] in run() }) else { return }
        // The system has no thread to give. Another thread of the pool will run the job; if none is awake, this one
        // does.
        let isAlone = lock.withLock {
            threadCount -= 1
            return threadCount <= sleeperCount
        }
        if isAlone { runWithoutThread() }
    }

    /// Ends the threads once all submitted jobs are done.
    package func end() {
        lock.withLock {
            isEnded = true
            lock.wakeAll()
        }
    }

    private func run() {
        while let job = next() {
            TestDelays.pause()
            job()
        }
    }

    /// Runs all queued jobs on a thread outside the pool.
    private func runWithoutThread() {
        while let job = lock.withLock({ jobs.popFirst() }) { job() }
    }

    private func next() -> Job? {
        lock.withLock {
            let giveUp = Deadline.after(idleTime)
            while jobs.isEmpty {
                // The last one stays, since the system may have no other to give when one is needed.
                let isLast = threadCount == 1
                guard !isEnded, isLast || !giveUp.hasPassed else {
                    threadCount -= 1
                    return nil
                }
                idleCount += 1
                if isLast { lock.wait() } else { lock.wait(until: giveUp.nanoseconds) }
                idleCount -= 1
            }
            return jobs.popFirst()
        }
    }
}

/// A first-in, first-out queue of jobs that wait for a thread.
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
        // Compact the array once removed jobs outnumber the others.
        if isEmpty || (first > 256 && first > jobs.count / 2) {
            jobs.removeFirst(first)
            first = 0
        }
        return job
    }
}
