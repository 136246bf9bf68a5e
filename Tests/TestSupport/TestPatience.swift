import Foundation

/// How long tests wait for what should happen soon. Whatever limits a wait is multiplied here and nowhere else.
public enum TestPatience {
    /// How many times longer than usual everything may take: `HSLINK_TEST_PATIENCE`, which `scripts/test` sets for
    /// sanitizers and with `--busy`; else 1, or 10 with a sanitizer.
    public static let factor: Int = {
        let given = ProcessInfo.processInfo.environment["HSLINK_TEST_PATIENCE"].flatMap { Int($0) }
        return max(1, given ?? (BuiltProducts.sanitizer == nil ? 1 : 10))
    }()

    /// Returns a limit for a wait that takes less than `duration` on an idle machine, even if it is slow.
    public static func limit(_ duration: Duration) -> Duration { duration * factor }

    /// Returns a limit in whole seconds.
    public static func seconds(_ seconds: Int) -> Int { seconds * factor }
}
