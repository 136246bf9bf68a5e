import Foundation
import Synchronization

/// Runs `body` on a new thread, because code that blocks or computes for long must not run on Swift's cooperative
/// thread pool.
///
/// - Parameter stackSize: The size of the stack in bytes.
public func onOwnThread<Value: Sendable>(
    stackSize: Int = 8 << 20, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    let order = ThreadOrder()
    let result = unsafe await withUnsafeContinuation {
        (continuation: UnsafeContinuation<Result<Value, any Error>, Never>) in
        let thread = Thread {
            let result = Result { try body() }
            order.isDone.store(true, ordering: .releasing)
            unsafe continuation.resume(returning: result)
        }
        thread.stackSize = stackSize
        thread.start()
    }
    // The thread sanitizer does not see the ordering of the Swift runtime.
    _ = order.isDone.load(ordering: .acquiring)
    return try result.get()
}

/// Writes before the store are visible after the load.
private final class ThreadOrder: Sendable {
    let isDone = Atomic<Bool>(false)
}
