/// Who is notified how a call ended: called exactly once. The forms of a callback stand side by side, so that
/// none has to be wrapped into another, which would cost an allocation a call.
package enum CallCompletion: Sendable {
    /// Wakes a thread or a task, and never blocks.
    case wakes(@Sendable (Result<Payload, LinkError>) -> Void)
    case outcome(@Sendable (Result<Payload, LinkError>) -> Void)
    case answer(@Sendable (Answer) -> Void)
    case parts(@Sendable (Payload?, Bool, Bool) -> Void)

    /// Whether it may run code of the caller's, on which nobody else must have to wait.
    package var runsCallersCode: Bool {
        if case .wakes = self { false } else { true }
    }

    @inline(__always)
    package func succeed(_ value: Payload) {
        switch self {
        case .wakes(let body), .outcome(let body): body(.success(value))
        case .answer(let body): body(Answer(.success(value)))
        case .parts(let body): body(value, true, true)
        }
    }

    package func fail(_ error: LinkError) {
        switch self {
        case .wakes(let body), .outcome(let body): body(.failure(error))
        case .answer(let body): body(Answer(.failure(error)))
        case .parts(let body): body(nil, false, error.classIsLoad)
        }
    }

    /// The same, with something of the application's that is done before.
    package func after(_ body: @escaping @Sendable (Result<Payload, LinkError>) -> Void) -> CallCompletion {
        .outcome { outcome in
            body(outcome)
            finish(outcome)
        }
    }

    /// The same for errors that are changed before.
    func mapError(_ transform: @escaping @Sendable (LinkError) -> LinkError) -> CallCompletion {
        switch self {
        case .wakes(let body): .wakes { body($0.mapError(transform)) }
        case .outcome(let body): .outcome { body($0.mapError(transform)) }
        case .answer(let body): .answer { body(Answer($0.result.mapError(transform))) }
        case .parts: self
        }
    }

    package func finish(_ outcome: Result<Payload, LinkError>) {
        switch outcome {
        case .success(let value): succeed(value)
        case .failure(let error): fail(error)
        }
    }
}
