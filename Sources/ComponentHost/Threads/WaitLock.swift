import CGlibc
import Glibc

/// A lock with a condition to wait for, by CLOCK_MONOTONIC. `Synchronization` has no condition variable.
@safe
// Unchecked: a mutex and a condition, made for use from several threads.
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

    /// Waits, inside `withLock`, until woken; may return without having been woken.
    func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Waits, inside `withLock`, until woken or until `nanoseconds` of CLOCK_MONOTONIC.
    func wait(until nanoseconds: UInt64) {
        var time = timespec(
            tv_sec: Int(clamping: nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        unsafe pthread_cond_timedwait(condition, mutex, &time)
    }

    func wakeOne() { unsafe pthread_cond_signal(condition) }
    func wakeAll() { unsafe pthread_cond_broadcast(condition) }
}

/// Starts a detached thread.
///
/// - Parameter name: at most 15 bytes, as `ps -L` shows it.
/// - Returns: whether the system had one to give.
@discardableResult
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let start = unsafe Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let status = unsafe pthread_create(
        &thread, nil,
        { context in
            guard let context = unsafe context else { return nil }
            unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
            return nil
        }, unsafe start.toOpaque())
    guard status == 0 else {
        unsafe start.release()
        return false
    }
    unsafe hslink_set_thread_name(thread, name)
    pthread_detach(thread)
    return true
}
