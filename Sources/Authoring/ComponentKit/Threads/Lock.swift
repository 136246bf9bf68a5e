import Glibc

/// A value that only one thread at a time can access.
///
/// It is used like `Mutex` from the Synchronization module. `Mutex` is a futex inside the standard library, which the
/// thread sanitizer can't see: it would report a race on every value that a `Mutex` guards, and real races would be
/// lost among those reports. The sanitizer does see a pthread mutex.
///
/// The lock is not recursive: a body that locks it again waits forever.
@safe
// Unchecked: the value is read and written in withLock(_:) only, while the mutex is held.
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ initial: consuming sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initial)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Calls `body` with exclusive access to the value, after waiting for any other thread that has access.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
