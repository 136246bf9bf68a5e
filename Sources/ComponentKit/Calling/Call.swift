import Glibc

/// What a call goes to. A method that was bound is called through its ``BoundMethod``.
package enum CallTarget: Sendable {
    case named(className: String, selector: String, SelectorKind)
    case object(LinkObject, selector: String)

    /// The class, as errors name it.
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

/// On which thread a method runs. `callerSleeps`: the calling thread does nothing else until the reply is there.
package enum CallMode: Sendable {
    /// On the calling thread.
    case inPlace(callerSleeps: Bool)
    /// On a thread of the host, so that the caller can stop waiting; in place where the method is quick.
    case onHostThread(Deadline?, callerSleeps: Bool)

    /// With a deadline on a thread of the host, else in place.
    package init(timeout: Duration?, callerSleeps: Bool = false) {
        self =
            timeout.map { .onHostThread(.after($0), callerSleeps: callerSleeps) }
            ?? .inPlace(callerSleeps: callerSleeps)
    }

    package var deadline: Deadline? {
        if case .onHostThread(let deadline, _) = self { deadline } else { nil }
    }

    package var callerSleeps: Bool {
        switch self {
        case .inPlace(let callerSleeps), .onHostThread(_, let callerSleeps): callerSleeps
        }
    }

    package var isInPlace: Bool {
        if case .inPlace = self { true } else { false }
    }
}

/// A call that has been made: most have ended by then.
package enum BegunCall {
    case ended(Result<Payload, LinkError>)
    /// It ends later. The function is to be called once, with the completion; it returns what cancels the call.
    case runs((CallCompletion) -> CallIdentifier?)

    /// Hands the end to `completion`, now or later.
    ///
    /// - Returns: what cancels the call; nil when it has ended.
    @discardableResult
    package consuming func finish(_ completion: CallCompletion) -> CallIdentifier? {
        switch consume self {
        case .ended(let outcome):
            completion.finish(outcome)
            return nil
        case .runs(let whenDone): return whenDone(completion)
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

/// Names a call that has begun, for cancelling it.
@safe
// Unchecked: only compared, and dereferenced only by the side that made it.
package struct CallIdentifier: @unchecked Sendable {
    package let slot: UnsafeMutableRawPointer?
    package let token: UInt64

    package init(slot: UnsafeMutableRawPointer?, token: UInt64) {
        unsafe self.slot = unsafe slot
        self.token = token
    }
}

/// The callback that is notified how a call ended, exactly once. Its forms are separate cases, so that none has to be
/// wrapped into another, which would cost an allocation a call.
package enum CallCompletion: Sendable {
    /// Wakes a thread or a task, and never blocks.
    case wakes(@Sendable (Result<Payload, LinkError>) -> Void)
    case outcome(@Sendable (Result<Payload, LinkError>) -> Void)
    case answer(@Sendable (Answer) -> Void)
    case parts(@Sendable (Payload?, Bool, Bool) -> Void)

    /// Whether it may run code of the caller's, which other callers must not have to wait for.
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

    /// The same, with something of the application's that runs first.
    package func after(_ body: @escaping @Sendable (Result<Payload, LinkError>) -> Void) -> CallCompletion {
        .outcome { outcome in
            body(outcome)
            finish(outcome)
        }
    }

    /// The same, with errors changed first.
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

/// Lets a thread sleep until a reply has come from another one.
@safe
// Unchecked: `outcome` is written before the semaphore is posted and read after it was taken.
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

    /// Wakes the waiting thread; called once.
    package func finish(_ outcome: Result<Payload, LinkError>) {
        self.outcome = outcome
        unsafe sem_post(semaphore)
    }

    /// Sleeps until ``finish(_:)`` was called.
    package func wait() throws(LinkError) -> Payload {
        while unsafe sem_wait(semaphore) != 0 {}
        return try outcome.get()
    }
}
