import Synchronization

/// Suspends until `start` has called its completion; a cancelled task cancels the call.
///
/// - Parameter hasBegun: the call runs already: `start` is called whether or not the task is cancelled.
func awaitOutcome(
    hasBegun: Bool = false, cancel: @escaping @Sendable (CallIdentifier) -> Void,
    start: (@escaping @Sendable (Result<Payload, LinkError>) -> Void) -> CallIdentifier?
) async -> Result<Payload, LinkError> {
    let cancellation = CallCancellation(cancel)
    return await withTaskCancellationHandler {
        guard hasBegun || !Task.isCancelled else { return .failure(LinkError(.cancelled)) }
        return await awaitResume { resume in cancellation.begin(start(resume)) }
    } onCancel: {
        cancellation.cancel()
    }
}

extension BoundMethod {
    /// Calls the method and suspends until it has replied; nothing of the kind where it has replied when it
    /// returns, as an asynchronous method that does not suspend.
    func callAndAwait(_ payload: Payload, _ deadline: Deadline?) async -> Result<Payload, LinkError> {
        if deadline == nil {
            guard !Task.isCancelled else { return .failure(LinkError(.cancelled)) }
            switch beginInPlace(payload) {
            case .ended(let outcome): return outcome
            case .runs(let wait): return await awaitOutcome(hasBegun: true, cancel: cancel) { wait(.outcome($0)) }
            case .mayBlock: break
            }
        }
        return await awaitOutcome(cancel: cancel) { completion in
            start(payload, deadline, isDetached: true, .outcome(completion))
        }
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
    // Written before `running`, read by who finds that.
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
