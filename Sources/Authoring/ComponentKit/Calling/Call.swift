import Glibc

/// The target of a call. Bound methods are called through their ``BoundMethod`` instead.
package enum CallTarget: Sendable {
    case named(className: String, selector: String, SelectorKind)
    case object(LinkObject, selector: String)

    /// The class name that errors show.
    package var className: String {
        switch self {
        case .named(let className, _, _): className
        case .object(let object, _): object.className
        }
    }

    package var selector: String {
        switch self {
        case .named(_, let selector, _), .object(_, let selector): selector
        }
    }
}

/// The thread that a method runs on. If `callerSleeps`, the calling thread does nothing else until the reply arrives.
package enum CallMode: Sendable {
    /// On the calling thread.
    case inPlace(callerSleeps: Bool)
    /// On a thread of the host, so that the caller can stop waiting; in place if the method is quick.
    case onHostThread(Deadline?, callerSleeps: Bool)
    /// On a thread of the host, even if the method is quick: with this payload it takes too long for the calling thread.
    case onlyOnHostThread(Deadline?)

    /// Creates the mode for `timeout`: a thread of the host with a timeout, in place without one.
    package init(timeout: Duration?, callerSleeps: Bool = false) {
        self =
            timeout.map { .onHostThread(.after($0), callerSleeps: callerSleeps) }
            ?? .inPlace(callerSleeps: callerSleeps)
    }

    package var deadline: Deadline? {
        switch self {
        case .inPlace: nil
        case .onHostThread(let deadline, _), .onlyOnHostThread(let deadline): deadline
        }
    }

    package var callerSleeps: Bool {
        switch self {
        case .inPlace(let callerSleeps), .onHostThread(_, let callerSleeps): callerSleeps
        case .onlyOnHostThread: false
        }
    }

    package var isInPlace: Bool {
        if case .inPlace = self { true } else { false }
    }

    /// Whether quick methods run on the calling thread.
    package var isInPlaceIfQuick: Bool {
        if case .onlyOnHostThread = self { false } else { true }
    }
}

/// A call that has been made. Most calls have already ended at this point.
package enum BegunCall {
    case ended(Result<Payload, LinkError>)
    /// The call ends later. The function must be called once, with the completion, and returns the identifier that
    /// cancels the call.
    case runs((CallCompletion) -> CallIdentifier?)

    /// Passes the outcome to `completion`, now or when the call ends.
    ///
    /// - Returns: the identifier that cancels the call; nil if the call has ended.
    @discardableResult
    package consuming func finish(_ completion: CallCompletion) -> CallIdentifier? {
        switch consume self {
        case .ended(let outcome):
            completion.finish(outcome)
            return nil
        case .runs(let whenDone): return whenDone(completion)
        }
    }

    /// Returns the same call with its error transformed, which must not change ``LinkError/classIsLoad``.
    package consuming func mapError(_ transform: @escaping @Sendable (LinkError) -> LinkError) -> BegunCall {
        switch consume self {
        case .ended(let outcome): .ended(outcome.mapError(transform))
        case .runs(let whenDone): .runs { whenDone($0.mapError(transform)) }
        }
    }

    /// Blocks this thread until the call has ended.
    package consuming func wait() throws(LinkError) -> Payload {
        switch consume self {
        case .ended(let outcome): return try outcome.get()
        case .runs(let whenDone):
            let wait = BlockingWait()
            _ = whenDone(.wakes { wait.finish($0) })
            return try wait.wait()
        }
    }
}

/// Identifies a call that has begun, so that it can be cancelled.
@safe
// Unchecked: an opaque pointer that only the side that made it dereferences.
package struct CallIdentifier: @unchecked Sendable {
    package let slot: UnsafeMutableRawPointer?
    package let token: UInt64

    package init(slot: UnsafeMutableRawPointer?, token: UInt64) {
        unsafe self.slot = unsafe slot
        self.token = token
    }
}

/// The callback that receives the outcome of a call, exactly once. Each form has its own case, because wrapping one
/// form in another would cost an allocation per call.
package enum CallCompletion: Sendable {
    /// Wakes a thread or a task, and never blocks.
    case wakes(@Sendable (Result<Payload, LinkError>) -> Void)
    case outcome(@Sendable (Result<Payload, LinkError>) -> Void)
    case answer(@Sendable (Answer) -> Void)
    case parts(@Sendable (Payload?, Bool, Bool) -> Void)

    /// Whether it may run the caller's code, which must not delay other callers.
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

    /// Returns a completion that calls the application's `body` before this completion.
    package func after(_ body: @escaping @Sendable (Result<Payload, LinkError>) -> Void) -> CallCompletion {
        .outcome { outcome in
            body(outcome)
            finish(outcome)
        }
    }

    /// Returns a completion that transforms errors before it passes them to this completion.
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

/// Blocks a thread until another thread delivers the outcome of a call.
@safe
// Unchecked: `outcome` is written before the semaphore is posted, and read only after the wait.
package final class BlockingWait: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>
    private var outcome: Result<Payload, LinkError> = .failure(LinkError(.noReply))

    package init() {
        unsafe semaphore = .allocate(capacity: 1)
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    /// Wakes the waiting thread. Must be called once.
    package func finish(_ outcome: Result<Payload, LinkError>) {
        self.outcome = outcome
        unsafe sem_post(semaphore)
    }

    /// Blocks this thread until ``finish(_:)`` has been called, and returns the outcome.
    package func wait() throws(LinkError) -> Payload {
        while unsafe sem_wait(semaphore) != 0 {}
        return try outcome.get()
    }
}
