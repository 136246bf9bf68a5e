/// The outcome of a call: three parts, and the error behind them.
///
/// | what happened                                                    | returnValue | performSuccess | classIsLoad |
/// |------------------------------------------------------------------|-------------|----------------|-------------|
/// | no component has the class, it could not be loaded or is stopped | nil         | false          | false       |
/// | the class exists, but has no such selector of that kind          | nil         | false          | true        |
/// | the method failed, payload mismatch                              | nil         | false          | true        |
/// | deadline passed, cancelled, nested too deep, stuck               | nil         | false          | true        |
/// | the method was performed                                         | the value   | true           | true        |
public struct Answer: Sendable {
    /// The value that the method returned, or the error.
    public let result: Result<Payload, LinkError>

    /// Creates the answer of a call that ended with `result`.
    public init(_ result: Result<Payload, LinkError>) { self.result = result }

    /// The method's return value, ``Payload/null`` if it returns nothing; nil if the method was not performed.
    public var returnValue: Payload? { try? result.get() }

    /// Whether the method was performed.
    public var performSuccess: Bool {
        if case .success = result { true } else { false }
    }

    /// False if no component has the class, if the component could not be loaded or has been stopped, or if no route was
    /// opened; otherwise true. It is derived from the error alone, and an error that the method passed on from another
    /// call leaves it true.
    ///
    /// After a deadline or a cancellation, or if calls are nested too deep, would wait for each other or are refused as
    /// stuck, it is true and says nothing about memory: the call may have ended before its component was loaded.
    /// ``Link/isLoaded(_:)`` tells what is in memory.
    public var classIsLoad: Bool {
        switch result {
        case .success: true
        case .failure(let error): error.classIsLoad
        }
    }

    /// The reason why the method was not performed; nil if it was.
    public var error: LinkError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
