import ComponentKit
import Glibc

/// Something that is done once while other threads wait for it: loading a component, making a shared
/// instance. Guarded by ``Gates``.
// Unchecked: `owner` is read and written by `Gates` only, under its lock.
final class Gate: @unchecked Sendable {
    fileprivate(set) var owner: pthread_t?
}

/// Passes threads through gates one at a time, without any lock held while author code runs, and refuses
/// to wait where that would wait for oneself: author code may call back into what is being made.
@safe
// Unchecked: all state is guarded by `mutex`.
final class Gates: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// Which gate each waiting thread waits for.
    private var waiting: [pthread_t: Gate] = [:]

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` unless `isDone` says that there is no need any more; only one thread at a time is inside
    /// a gate, others wait until it has left.
    ///
    /// - Throws: what `body` throws; ``LinkError/Code/wouldDeadlock`` when the thread inside waits, over
    ///   however many gates, for this thread.
    func pass(_ gate: Gate, unless isDone: @autoclosure () -> Bool, _ body: () throws(LinkError) -> Void)
        throws(LinkError)
    {
        let thread = pthread_self()
        unsafe pthread_mutex_lock(mutex)
        while let owner = gate.owner {
            guard !leads(from: owner, to: thread) else {
                unsafe pthread_mutex_unlock(mutex)
                throw LinkError(
                    .wouldDeadlock,
                    message: "it is being started by a call that waits for this one; call it after the start")
            }
            waiting[thread] = gate
            unsafe pthread_cond_wait(changed, mutex)
            waiting[thread] = nil
        }
        guard !isDone() else {
            unsafe pthread_mutex_unlock(mutex)
            return
        }
        gate.owner = thread
        unsafe pthread_mutex_unlock(mutex)
        defer {
            unsafe pthread_mutex_lock(mutex)
            gate.owner = nil
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        try body()
    }

    /// Whether `thread` is `target`, or waits for a gate whose owner leads to it.
    private func leads(from thread: pthread_t, to target: pthread_t) -> Bool {
        var thread = thread
        while thread != target {
            guard let owner = waiting[thread]?.owner else { return false }
            thread = owner
        }
        return true
    }
}
