import Foundation
import Synchronization

/// Runs `body` on `count` threads that start together, and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let running = Mutex(count)
        let ready = ThreadBarrier(count)
        for thread in 0..<count {
            Thread.detachNewThread {
                ready.arrive()
                body(thread)
                let isLast = running.withLock { running in
                    running -= 1
                    return running == 0
                }
                if isLast { continuation.resume() }
            }
        }
    }
}

/// Lets threads go when all have come.
final class ThreadBarrier: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) { missing = Atomic(count) }

    func arrive() {
        missing.subtract(1, ordering: .sequentiallyConsistent)
        while missing.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
    }
}
