import Glibc

/// A value that only one thread at a time can access.
///
/// The objects of a component live long, and several threads call their methods at the same time. What changes in such
/// an object belongs in a lock, or in an actor:
///
///     @LinkClass
///     final class VisitsLink {
///         private let visits = Lock<[String: Int]>([:])
///
///         @Selector func visit(city: String) { visits.withLock { $0[city, default: 0] += 1 } }
///     }
///
/// It is used like `Mutex` from the Synchronization module. `Mutex` is a futex inside the standard library, which the
/// thread sanitizer can't see: it would report a race on every value that a `Mutex` guards, and real races would be
/// lost among those reports. The sanitizer does see a pthread mutex, which this is.
///
/// The lock is not recursive: a body that locks it again waits forever. While it is held, neither call other components
/// nor wait for anything: other threads would wait too, those of Swift's cooperative thread pool among them. Copy what
/// the call needs, make it afterwards, and take the lock again for its result. The body is synchronous, so it cannot
/// `await`.
@safe
// Unchecked: the value is read and written in withLock(_:) only, while the mutex is held.
public struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    /// Creates a lock around a value, which nothing else can access from then on.
    public init(_ initial: consuming sending Value) {
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
    ///
    /// May be called from any thread. Threads that wait get access in no particular order.
    ///
    /// - Parameter body: Reads and changes the value. It must not call this function of the same lock.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws. What it had changed by then stays changed.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value.pointee)
    }
}
