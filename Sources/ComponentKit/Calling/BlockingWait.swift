import Glibc

/// Lets a thread sleep until a reply has come from another one.
@safe
// Unchecked: `outcome` is written before the semaphore is posted and read after it was taken.
package final class BlockingWait: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>
    private var outcome: Result<Payload, LinkError> = .failure(LinkError(.noReply))

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Wakes the waiting thread; called once.
    package func finish(_ outcome: Result<Payload, LinkError>) {
        self.outcome = outcome
        unsafe sem_post(semaphore)
    }

    /// Sleeps until ``finish(_:)`` was called.
    package func wait() throws(LinkError) -> Payload {
        while unsafe sem_wait(semaphore) != 0 {}
        return try outcome.get()
    }
}
