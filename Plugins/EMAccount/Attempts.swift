import ComponentKit
import Foundation
import NXStorage

/// The consecutive failed sign-ins under one name, or under it in a session in which its user has signed in before.
struct Attempts: Hashable, Sendable {
    /// The number of failures.
    let failures: Int
    /// The time of the last failure.
    let failedAt: Timestamp

    /// The time after which failures are forgotten.
    static let memory: Double = 24 * 3600

    /// Whether the failures are too old to count.
    func isForgotten(at now: Timestamp) -> Bool { now.seconds(since: failedAt) > Attempts.memory }

    /// The delay before the next attempt, in seconds; 0 for none.
    func delay(at now: Timestamp) -> Double {
        let passed = now.seconds(since: failedAt)
        // If the clock was set back, do not lock anyone out until it catches up.
        guard passed >= 0 else { return 0 }
        return max(0, Attempts.delay(after: failures) - passed)
    }

    /// The delay from the third failure on: 1 s, 2 s, 4 s, up to a quarter of an hour.
    static func delay(after failures: Int) -> Double {
        failures < 3 ? 0 : min(900, exp2(Double(min(failures, 64) - 3)))
    }
}
