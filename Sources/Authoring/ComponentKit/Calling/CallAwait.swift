import Synchronization

/// Makes a call and suspends until it has ended. A call that ends at once, such as a call to a quick method or to
/// an asynchronous method that does not suspend, causes no suspension. Cancelling the task cancels the call.
package func awaitCall(
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
        await awaitResume { resume in cancellation.started(as: whenDone(.wakes(resume))) }
    } onCancel: {
        cancellation.cancel()
    }
}

/// Coordinates the start of a call with the cancellation of its task, which may happen in either order.
private final class CallCancellation: Sendable {
    private enum State {
        static let starting: UInt8 = 0
        static let running: UInt8 = 1
        static let cancelled: UInt8 = 2
    }

    private let state = Atomic<UInt8>(State.starting)
    // Written before `running` is stored, and read by others only after they have seen `running`.
    private nonisolated(unsafe) var call: CallIdentifier?
    private let cancelCall: @Sendable (CallIdentifier) -> Void

    init(_ cancelCall: @escaping @Sendable (CallIdentifier) -> Void) { self.cancelCall = cancelCall }

    func started(as call: CallIdentifier?) {
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

/// Calls `start` on this thread, suspends until `resume` has been called, and returns the value passed to it. `resume`
/// must be called exactly once.
///
/// This works like `withUnsafeContinuation`, but is also visible to the thread sanitizer: if the resume comes before
/// the suspension, the Swift runtime orders the two without informing the sanitizer.
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

/// Makes everything written before the store visible after the load.
private final class ResumeOrder: Sendable {
    let isResumed = Atomic<Bool>(false)
}
