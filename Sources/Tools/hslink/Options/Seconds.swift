import ArgumentParser

/// A duration in seconds, as given on the command line.
struct Seconds {
    /// About thirty years. For no limit at all, the option is left out.
    private static let maximum = 1e9

    let duration: Duration

    /// - Parameter text: a decimal number.
    /// - Throws: a `ValidationError` if it is not a number, not above 0, or above the maximum.
    init(_ text: String) throws {
        guard let value = Double(text), value.isFinite, value > 0, value <= Seconds.maximum else {
            throw ValidationError("expected a number of seconds above 0, as in 0.5")
        }
        duration = .seconds(value)
    }
}
