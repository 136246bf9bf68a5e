import Synchronization

/// Suspends until the function that `start` is given has been called, which has to happen exactly once, and
/// returns what it was called with. `start` runs at once, on this thread.
///
/// Like `withUnsafeContinuation`, but the thread sanitizer sees it as well: a resume that comes before the
/// task waits is ordered by the Swift runtime without telling the sanitizer.
package func awaitResume<Value: Sendable>(
    _ start: (_ resume: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let order = ResumeOrder()
    let value = unsafe await withUnsafeContinuation { continuation in
        start { value in
            order.isResumed.store(true, ordering: .releasing)
            unsafe continuation.resume(returning: value)
        }
    }
    _ = order.isResumed.load(ordering: .acquiring)
    return value
}

/// What is written before the store is seen after the load.
private final class ResumeOrder: Sendable {
    let isResumed = Atomic<Bool>(false)
}
