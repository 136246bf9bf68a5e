import Glibc

/// A mutex with a condition variable whose timeouts follow CLOCK_MONOTONIC. `Synchronization` has no condition
/// variable.
@safe
// Unchecked: a mutex and a condition variable, made for use from several threads.
final class WaitLock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits until woken, inside `withLock`. May return spuriously.
    func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Waits until woken or until CLOCK_MONOTONIC reaches `nanoseconds`, inside `withLock`. May return spuriously.
    func wait(until nanoseconds: UInt64) {
        var time = timespec(
            tv_sec: Int(clamping: nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        unsafe pthread_cond_timedwait(condition, mutex, &time)
    }

    func wakeOne() { unsafe pthread_cond_signal(condition) }
    func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}
