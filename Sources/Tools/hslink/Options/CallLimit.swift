import ArgumentParser

/// How long a call of the command line may take, including loading.
struct CallLimit {
    /// The limit of calls for which the command line gives none.
    static let standard = CallLimit(duration: .seconds(60), isStandard: true)

    /// No limit.
    static let none = CallLimit(duration: nil, isStandard: false)

    /// The longest time; nil for no limit.
    let duration: Duration?
    /// Whether the command line gives no limit. Calls of objects, such as the next value of a stream, have none then.
    let isStandard: Bool

    private init(duration: Duration?, isStandard: Bool) {
        self.duration = duration
        self.isStandard = isStandard
    }

    /// - Parameter text: a number of seconds, or "none".
    /// - Throws: a `ValidationError` if it is neither.
    init(_ text: String) throws {
        if text == "none" {
            self = .none
            return
        }
        guard let seconds = try? Seconds(text) else { throw ValidationError(CallLimit.expectation) }
        self.init(duration: seconds.duration, isStandard: false)
    }

    /// What a text must be.
    static let expectation = "expected a number of seconds above 0, as in 0.5, or none"

    /// What to do about a call that the standard limit has ended.
    static let advice = "The limit is 60 seconds; --deadline SECONDS sets another one, and --deadline none removes it."
}
