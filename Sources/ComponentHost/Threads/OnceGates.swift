import ComponentKit
import Glibc

/// Something that is done once while other threads wait for it: loading a component, making a shared
/// instance. Guarded by ``OnceGates``.
// Unchecked: `owner` is read and written by `OnceGates` only, under its lock.
final class OnceGate: @unchecked Sendable {
    fileprivate(set) var owner: pthread_t?
}

/// Passes threads through gates one at a time, without any lock held while author code runs, and refuses
/// to wait where that would wait for oneself: author code may call back into what is being made.
// Unchecked: all state is guarded by `lock`, which also lets threads sleep, as no Lock does.
final class OnceGates: @unchecked Sendable {
    private let lock = WaitLock()
    /// Which gate each waiting thread waits for.
    private var waiting: [pthread_t: OnceGate] = [:]
    /// Which thread carries out the call that a thread sleeps for.
    private var sleeping: [pthread_t: pthread_t] = [:]
    private var isEnded = false

    /// How long a call of a component that is being started waits for that start: the thread that starts it may be waiting
    /// for the call, which nothing tells.
    static let patience = Duration.seconds(2)
    /// How often a waiting thread looks whether there is still a need to wait.
    private static let pause = Duration.milliseconds(20)

    /// Runs `body` unless `isDone` says that there is no need any more; only one thread at a time is inside
    /// a gate, others wait until it has left.
    ///
    /// - Parameters:
    ///   - starting: that of the caller, where that is a component whose own start has not ended.
    ///   - isWanted: whether somebody still waits for this.
    /// - Throws: what `body` throws; ``LinkError/Code/wouldDeadlock`` when the thread inside waits, over
    ///   however many gates and calls, for this thread, or when a component that is being started has waited for long;
    ///   ``LinkError/Code/cancelled`` when this is not wanted any more, ``LinkError/Code/stopped`` after ``end()``.
    func pass(
        _ gate: OnceGate, unless isDone: @autoclosure () -> Bool, starting: OnceGate? = nil,
        isWanted: () -> Bool = { true }, _ body: () throws(LinkError) -> Void
    ) throws(LinkError) {
        guard try enter(gate, isDone, starting, isWanted) else { return }
        defer {
            lock.withLock {
                gate.owner = nil
                lock.wakeAll()
            }
        }
        try body()
    }

    /// - Returns: whether there is something to do.
    private func enter(
        _ gate: OnceGate, _ isDone: () -> Bool, _ starting: OnceGate?, _ isWanted: () -> Bool
    ) throws(LinkError) -> Bool {
        let thread = pthread_self()
        var end: Deadline?
        let outcome: Result<Bool, LinkError> = lock.withLock {
            while let owner = gate.owner {
                // The thread inside waits for the caller's own start: whether that waits for this call, nothing tells.
                let isSuspicious = starting?.owner.map { leads(from: owner, to: $0) } ?? false
                end = isSuspicious ? end ?? Deadline.after(OnceGates.patience) : nil
                if leads(from: owner, to: thread) || end?.hasPassed == true {
                    return .failure(
                        LinkError(
                            .wouldDeadlock,
                            message: "it is being started by a call that waits for this one; call it after the start"))
                }
                if isEnded { return .failure(LinkError(.stopped)) }
                if !isWanted() { return .failure(LinkError(.cancelled)) }
                waiting[thread] = gate
                lock.wait(until: Deadline.after(OnceGates.pause).nanoseconds)
                waiting[thread] = nil
            }
            guard !isDone() else { return .success(false) }
            gate.owner = thread
            return .success(true)
        }
        return try outcome.get()
    }

    /// Lets nobody wait any more.
    func end() {
        lock.withLock {
            isEnded = true
            lock.wakeAll()
        }
    }

    // MARK: - Sleepers

    /// This thread carries out a call that `sleeper` waits for.
    func beginSleep(of sleeper: pthread_t) {
        lock.withLock { sleeping[sleeper] = pthread_self() }
    }

    func endSleep(of sleeper: pthread_t) {
        lock.withLock { if sleeping[sleeper] == pthread_self() { sleeping[sleeper] = nil } }
    }

    /// Whether `thread` is `target`, or waits for a gate or a call of a thread that leads to it.
    private func leads(from thread: pthread_t, to target: pthread_t) -> Bool {
        var thread = thread
        for _ in 0...(waiting.count + sleeping.count) {
            if thread == target { return true }
            guard let next = waiting[thread].flatMap({ $0.owner }) ?? sleeping[thread] else { return false }
            thread = next
        }
        return false
    }
}
