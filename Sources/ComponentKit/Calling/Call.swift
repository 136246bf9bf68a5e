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
    /// It ends later. The function is to be called once, with who is notified then; it returns what cancels the call.
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
// Unchecked: only compared, and followed by who made it.
package struct CallIdentifier: @unchecked Sendable {
    package let slot: UnsafeMutableRawPointer?
    package let token: UInt64

    package init(slot: UnsafeMutableRawPointer?, token: UInt64) {
        unsafe self.slot = unsafe slot
        self.token = token
    }
}
