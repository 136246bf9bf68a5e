/// A length of time in a film.
public struct Length: Sendable {
    /// In seconds.
    public let seconds: Int

    /// Creates a length of time.
    public init(seconds: Int) { self.seconds = seconds }
}
