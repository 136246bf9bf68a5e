import ComponentKit
import Foundation

/// Runs `body` on `count` threads that start together, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await awaitResume { (resume: @escaping @Sendable (()) -> Void) in
        let running = Lock(count)
        let ready = ThreadBarrier(count)
        for thread in 0..<count {
            Thread.detachNewThread {
                ready.arrive()
                body(thread)
                let isLast = running.withLock { running in
                    running -= 1
                    return running == 0
                }
                if isLast { resume(()) }
            }
        }
    }
}

/// A reusable barrier: releases threads when all have arrived. They sleep until then, because spinning threads would
/// compete for the processor.
@safe
// Unchecked: an immutable pointer to memory that several threads may use.
final class ThreadBarrier: @unchecked Sendable {
    private let barrier: UnsafeMutablePointer<pthread_barrier_t>

    init(_ count: Int) {
        unsafe barrier = .allocate(capacity: 1)
        unsafe barrier.initialize(to: pthread_barrier_t())
        unsafe pthread_barrier_init(barrier, nil, UInt32(count))
    }

    deinit {
        unsafe pthread_barrier_destroy(barrier)
        unsafe barrier.deallocate()
    }

    func arrive() { unsafe pthread_barrier_wait(barrier) }
}
