import ComponentKit

/// When something was logged that others can cause: the log must not grow with each request.
final class LogPause: Sendable {
    private let last = Lock<ContinuousClock.Instant?>(nil)

    /// Whether the next one is to be logged.
    func isDue() -> Bool {
        last.withLock { last in
            if let last, last.duration(to: .now) < .seconds(10) { return false }
            last = .now
            return true
        }
    }
}
