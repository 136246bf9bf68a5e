/// A point in time as it crosses the boundary: whole seconds since 1970-01-01T00:00:00Z and
/// nanoseconds on top, so that nothing is lost on the way, as it would be in a `Double`.
///
/// A time before 1970 has negative seconds, and nanoseconds that count forward from there.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970, leap seconds not counted.
    public let seconds: Int64
    /// 0 to 999,999,999, added to `seconds`.
    public let nanoseconds: UInt32

    /// - Parameters:
    ///   - seconds: since 1970.
    ///   - nanoseconds: on top of it; a full second or more traps.
    @inlinable
    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        precondition(nanoseconds < 1_000_000_000, "nanoseconds must be below one second")
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// Whether the left time is before the right one.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
