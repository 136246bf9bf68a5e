import ArgumentParser

/// A time in seconds as it is given on the command line.
struct Seconds {
    /// Some thirty years: whoever wants more leaves the option out.
    private static let maximum = 1e9

    let duration: Duration

    /// - Parameter text: a decimal number.
    /// - Throws: an error with what was expected when it is no number, not above 0, or beyond all measure.
    init(_ text: String) throws {
        guard let value = Double(text), value.isFinite, value > 0, value <= Seconds.maximum else {
            throw ValidationError("expected seconds above 0, as in 0.5")
        }
        duration = .seconds(value)
    }
}
