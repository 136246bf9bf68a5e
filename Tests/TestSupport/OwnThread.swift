import Foundation
import Synchronization

/// Runs `body` on a thread of its own: what blocks or computes for long has no place on Swift's pool.
///
/// - Parameter stackSize: bytes.
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
    // The thread sanitizer does not see what the Swift runtime orders.
    _ = order.isDone.load(ordering: .acquiring)
    return try result.get()
}

/// What is written before the store is seen after the load.
private final class ThreadOrder: Sendable {
    let isDone = Atomic<Bool>(false)
}
