import ComponentKit
import SystemSupport

/// The host's own threads, for what must not run on its caller's. Grows with the jobs that block
/// in it, and shrinks when threads find no work for a while. A thread that sleeps until the job of another one is done
/// takes nobody's place, so jobs that wait for jobs do not take all threads from these.
///
/// Own code, since the number of threads of Dispatch and of NIOThreadPool is limited whatever they wait for.
// Unchecked: all state is guarded by `lock`.
package final class WorkerPool: @unchecked Sendable {
    package typealias Job = @Sendable () -> Void

    private let lock = WaitLock()
    private var jobs = JobQueue()
    private var idleCount = 0
    private var threadCount = 0
    /// Threads that sleep until the job of another one is done.
    private var sleeperCount = 0
    private var isEnded = false

    /// Threads that may be at work at a time; a job beyond waits for one to become free.
    private let threadLimit: Int
    private let sleeperLimit: Int
    private let idleTime = Duration.seconds(5)
    private let name: String

    /// - Parameters:
    ///   - name: of its threads, at most 15 bytes.
    ///   - threadLimit: how many may be at work at a time.
    ///   - sleeperLimit: how many more may sleep until the job of another one is done.
    package init(name: String = "hslink-worker", threadLimit: Int = 1024, sleeperLimit: Int = 1024) {
        self.name = name
        self.threadLimit = threadLimit
        self.sleeperLimit = sleeperLimit
    }

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
    }

    /// A thread of the pool is about to sleep until a job is done that may be waiting here.
    ///
    /// - Parameter isNecessary: it sleeps whether or not it may.
    /// - Returns: false when as many sleep as may; then it must not, and ``endSleep()`` is not to be called.
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

    /// - Returns: whether there is to be one thread more, which counts from now on.
    private func makePlace() -> Bool {
        guard threadCount - sleeperCount < threadLimit else { return false }
        threadCount += 1
        return true
    }

    private func start() {
        guard !startThread(named: name, { [self] in run() }) else { return }
        // The system has no thread to give. Others of the pool will come to the job; without any that is awake, this one
        // does it.
        let isAlone = lock.withLock {
            threadCount -= 1
            return threadCount <= sleeperCount
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
