import ComponentKit

/// Waits until events have settled: for a moment without any, but not for ever.
struct Settling {
    /// How long nothing has to happen.
    static let quiet = Duration.milliseconds(200)
    /// How long something may go on happening.
    static let longest = Duration.seconds(2)

    private var latest: Deadline?
    private var next: Deadline?

    /// When to look; nil while nothing has happened.
    var due: Deadline? {
        guard let latest, let next else { return nil }
        return min(latest, next)
    }

    /// Something has happened.
    mutating func note() {
        latest = latest ?? .after(Settling.longest)
        next = .after(Settling.quiet)
    }

    /// It has been looked at.
    mutating func clear() {
        latest = nil
        next = nil
    }
}
