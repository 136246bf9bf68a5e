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
