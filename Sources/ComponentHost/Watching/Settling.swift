package import ComponentKit

/// Waits until events have settled: for a moment without any, but not for ever.
package struct Settling {
    /// How long nothing has to happen.
    static let quiet = Duration.milliseconds(200)
    /// How long something may go on happening.
    static let longest = Duration.seconds(2)

    private var latest: Deadline?
    private var next: Deadline?

    /// Nothing has happened yet.
    package init() {}

    /// When to look; nil while nothing has happened.
    package var due: Deadline? {
        guard let latest, let next else { return nil }
        return min(latest, next)
    }

    /// Something has happened.
    package mutating func note() {
        latest = latest ?? .after(Settling.longest)
        next = .after(Settling.quiet)
    }

    /// It has been looked at.
    package mutating func clear() {
        latest = nil
        next = nil
    }
}
