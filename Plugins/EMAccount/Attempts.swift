import ComponentKit
import Foundation
import NXStorage

/// The sign-ins under one name that failed, one after the other.
struct Attempts: Hashable, Sendable {
    /// How many.
    let failures: Int
    /// When the last one did.
    let failedAt: Timestamp

    /// After so long, failures are forgotten.
    static let memory: Double = 24 * 3600

    /// Whether they are too long ago to count.
    func isForgotten(at now: Timestamp) -> Bool { now.seconds(since: failedAt) > Attempts.memory }

    /// How long the next attempt has to wait, in seconds; 0 for not at all.
    func delay(at now: Timestamp) -> Double {
        let passed = now.seconds(since: failedAt)
        // When the clock was set back, no one is locked out until it catches up.
        guard passed >= 0 else { return 0 }
        return max(0, Attempts.delay(after: failures) - passed)
    }

    /// From the third failure on 1 s, 2 s, 4 s, up to a quarter of an hour.
    static func delay(after failures: Int) -> Double {
        failures < 3 ? 0 : min(900, exp2(Double(min(failures, 64) - 3)))
    }
}
