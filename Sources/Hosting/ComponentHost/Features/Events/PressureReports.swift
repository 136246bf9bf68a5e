import ComponentKit

/// Decides which reports of memory pressure are logged: the kernel tells every two seconds as long as it lasts.
///
/// The first report of each level is logged, and then further ones at distances that double, from a minute to an hour. A
/// level that has not been reported for five minutes counts as new.
struct PressureReports {
    private struct Logged {
        var time: ContinuousClock.Instant
        var lastReport: ContinuousClock.Instant
        var distance = Duration.seconds(60)
    }

    private static let longestDistance = Duration.seconds(3600)
    private static let quiet = Duration.seconds(300)

    private var logged: [MemoryPressure.Level: Logged] = [:]

    /// Returns whether a report is logged.
    mutating func isLogged(_ level: MemoryPressure.Level, at now: ContinuousClock.Instant) -> Bool {
        guard var last = logged[level], now - last.lastReport < PressureReports.quiet else {
            logged[level] = Logged(time: now, lastReport: now)
            return true
        }
        let isDue = now - last.time >= last.distance
        last.lastReport = now
        if isDue {
            last.time = now
            last.distance = min(last.distance * 2, PressureReports.longestDistance)
        }
        logged[level] = last
        return isDue
    }
}
