/// How a call ended, in three parts and with the error behind them.
///
/// | what happened                                                    | returnValue | performSuccess | classIsLoad |
/// |------------------------------------------------------------------|-------------|----------------|-------------|
/// | no component has the class, it could not be loaded or is stopped | nil         | false          | false       |
/// | the class is there, the selector (of that kind) is not           | nil         | false          | true        |
/// | the method failed, the payload did not fit, deadline, cancelled  | nil         | false          | true        |
/// | done                                                             | the value   | true           | true        |
public struct Answer: Sendable {
    /// What came back, or why nothing did.
    public let result: Result<Payload, LinkError>

    /// The answer to a call that ended so.
    public init(_ result: Result<Payload, LinkError>) { self.result = result }

    /// What the method returned, ``Payload/null`` for one that returns nothing; nil unless performed.
    public var returnValue: Payload? { try? result.get() }

    /// Whether the method was performed.
    public var performSuccess: Bool {
        if case .success = result { true } else { false }
    }

    /// Whether the class is loaded.
    public var classIsLoad: Bool {
        switch result {
        case .success: true
        case .failure(let error): error.classIsLoad
        }
    }

    /// Why the method was not performed.
    public var error: LinkError? {
        if case .failure(let error) = result { error } else { nil }
    }
}
