import Synchronization

/// Makes a call and suspends until it has ended. It does not suspend where the call has ended already, as that of a
/// quick method, or of an asynchronous one that does not suspend. A cancelled task cancels the call.
func awaitCall(
    cancel: @escaping @Sendable (CallIdentifier) -> Void, _ begin: () -> BegunCall
) async -> Result<Payload, LinkError> {
    guard !Task.isCancelled else { return .failure(LinkError(.cancelled)) }
    switch begin() {
    case .ended(let outcome): return outcome
    case .runs(let whenDone): return await suspend(whenDone, cancel)
    }
}

@inline(never)
private func suspend(
    _ whenDone: (CallCompletion) -> CallIdentifier?, _ cancel: @escaping @Sendable (CallIdentifier) -> Void
) async -> Result<Payload, LinkError> {
    let cancellation = CallCancellation(cancel)
    return await withTaskCancellationHandler {
        await awaitResume { resume in cancellation.begin(whenDone(.wakes(resume))) }
    } onCancel: {
        cancellation.cancel()
    }
}

/// Joins "the call has begun" and "the task was cancelled", which come in any order.
private final class CallCancellation: Sendable {
    private enum State {
        static let starting: UInt8 = 0
        static let running: UInt8 = 1
        static let cancelled: UInt8 = 2
    }

    private let state = Atomic<UInt8>(State.starting)
    // Written before `running`, read after that was found.
    private nonisolated(unsafe) var call: CallIdentifier?
    private let cancelCall: @Sendable (CallIdentifier) -> Void

    init(_ cancelCall: @escaping @Sendable (CallIdentifier) -> Void) { self.cancelCall = cancelCall }

    func begin(_ call: CallIdentifier?) {
        guard let call else { return }
        unsafe self.call = call
        let isFirst = state.compareExchange(
            expected: State.starting, desired: State.running, ordering: .acquiringAndReleasing
        ).exchanged
        if !isFirst { cancelCall(call) }
    }

    func cancel() {
        guard state.exchange(State.cancelled, ordering: .acquiringAndReleasing) == State.running else { return }
        unsafe call.map(cancelCall)
    }
}

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
