extension Link {
    /// Starts a call and suspends until it ends, or the task is cancelled.
    func awaitAnswer(_ request: borrowing CallRequest) async throws(LinkError) -> Payload {
        let names = (request.className, request.selector)
        let outcome = await awaitOutcome(cancel: backend.cancel) { completion in
            backend.start(request, .outcome(completion))
        }
        switch outcome {
        case .success(let value): return value
        // The error of a call that never began names nothing.
        case .failure(let error) where error.className.isEmpty && !names.0.isEmpty:
            throw error.naming(className: names.0, selector: names.1, component: "")
        case .failure(let error): throw error
        }
    }
}

/// Suspends until `start` has called its completion; a cancelled task cancels the call.
func awaitOutcome(
    cancel: @escaping @Sendable (CallIdentifier) -> Void,
    start: (@escaping @Sendable (Result<Payload, LinkError>) -> Void) -> CallIdentifier?
) async -> Result<Payload, LinkError> {
    let cancellation = CallCancellation(cancel)
    return await withTaskCancellationHandler {
        guard !Task.isCancelled else { return .failure(LinkError(.cancelled)) }
        return await awaitResume { resume in cancellation.begin(start(resume)) }
    } onCancel: {
        cancellation.cancel()
    }
}

/// Joins "the call has begun" and "the task was cancelled", which come in any order.
private final class CallCancellation: Sendable {
    private enum State {
        case starting
        case running(CallIdentifier)
        case cancelled
    }

    private let state = Lock(State.starting)
    private let cancelCall: @Sendable (CallIdentifier) -> Void

    init(_ cancelCall: @escaping @Sendable (CallIdentifier) -> Void) { self.cancelCall = cancelCall }

    func begin(_ call: CallIdentifier?) {
        guard let call else { return }
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(call)
            return false
        }
        if isCancelled { cancelCall(call) }
    }

    func cancel() {
        let call = state.withLock { state -> CallIdentifier? in
            defer { state = .cancelled }
            guard case .running(let call) = state else { return nil }
            return call
        }
        call.map(cancelCall)
    }
}
