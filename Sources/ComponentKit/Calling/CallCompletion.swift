/// Who is told how a call ended: called exactly once. The forms of a callback stand side by side, so that
/// none has to be wrapped into another, which would cost an allocation a call.
package enum CallCompletion: Sendable {
    case outcome(@Sendable (Result<Payload, LinkError>) -> Void)
    case answer(@Sendable (Answer) -> Void)
    case parts(@Sendable (Payload?, Bool, Bool) -> Void)

    @inline(__always)
    package func succeed(_ value: Payload) {
        switch self {
        case .outcome(let body): body(.success(value))
        case .answer(let body): body(Answer(.success(value)))
        case .parts(let body): body(value, true, true)
        }
    }

    package func fail(_ error: LinkError) {
        switch self {
        case .outcome(let body): body(.failure(error))
        case .answer(let body): body(Answer(.failure(error)))
        case .parts(let body): body(nil, false, error.classIsLoad)
        }
    }

    /// The same for a callback that may not look at the error, which is then not made.
    @inline(__always)
    package func fail(_ code: LinkError.Code, _ error: @autoclosure () -> LinkError) {
        if case .parts(let body) = self {
            body(nil, false, code.meansClassIsLoaded)
        } else {
            fail(error())
        }
    }

    package func finish(_ outcome: Result<Payload, LinkError>) {
        switch outcome {
        case .success(let value): succeed(value)
        case .failure(let error): fail(error)
        }
    }
}
