import Glibc

/// Lets one thread at a time work with handles that belong together: C libraries rarely expect more. A thread may
/// come back while it is inside, from a callback.
///
/// Two threads whose callbacks enter each other's families wait for each other, for ever: a callback that needs
/// handles of another family than its call's is given to calls of one thread only.
@safe
// Unchecked: a mutex is for all threads.
final class HandleFamily: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        unsafe pthread_mutex_init(mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func enter() { unsafe pthread_mutex_lock(mutex) }
    func leave() { unsafe pthread_mutex_unlock(mutex) }

    /// Its place in the order in which several are entered.
    var place: UInt { unsafe UInt(bitPattern: mutex) }
}
