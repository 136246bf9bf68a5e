import Glibc

/// A value that one thread at a time may touch.
///
/// It is used like `Mutex` of the Synchronization module. That one is a futex inside the standard library,
/// which the thread sanitizer can't see: it would report every value that a `Mutex` guards, and a real race
/// would be lost among those. It does see a pthread mutex.
///
/// The lock does not nest: a body that takes the lock it holds waits for ever.
@safe
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // every access is in withLock(_:)
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

    /// Calls `body` with the value while no other thread has it. Waits for the thread that does.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
