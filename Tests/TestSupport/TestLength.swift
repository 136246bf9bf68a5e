import Foundation

/// How often tests repeat what may go wrong in few of many rounds.
public enum TestLength {
    /// Whether tests may take long: `HSLINK_STRESS_SECONDS` is set, which `scripts/test` does for sanitizers.
    public static let isLong = ProcessInfo.processInfo.environment["HSLINK_STRESS_SECONDS"] != nil

    /// Returns a number of rounds.
    ///
    /// - Parameters:
    ///   - usual: How many are enough to find a mistake that is easily made.
    ///   - long: How many there are when tests may take long.
    public static func rounds(_ usual: Int, long: Int) -> Int { isLong ? long : usual }
}
