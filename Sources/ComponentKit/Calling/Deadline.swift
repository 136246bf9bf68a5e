import Glibc

/// A point in time by which a call has to be answered: nanoseconds of CLOCK_MONOTONIC.
public struct Deadline: Sendable, Hashable, Comparable {
    /// Nanoseconds of CLOCK_MONOTONIC; never 0, which means "none" at the boundary.
    public let nanoseconds: UInt64

    /// - Parameter nanoseconds: of CLOCK_MONOTONIC; nil for 0, the boundary's "none".
    package init?(boundary nanoseconds: UInt64) {
        guard nanoseconds != 0 else { return nil }
        self.nanoseconds = nanoseconds
    }

    private init(nanoseconds: UInt64) { self.nanoseconds = max(nanoseconds, 1) }

    /// `duration` from now; at once for a negative one, never later than the clock can tell.
    public static func after(_ duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return Deadline(nanoseconds: now) }
        let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = now.addingReportingOverflow(whole)
        guard !isTooLong, !isBeyond else { return Deadline(nanoseconds: .max) }
        let (time, isPastEnd) = sum.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return Deadline(nanoseconds: isPastEnd ? .max : time)
    }

    /// How long from now; zero when it has passed.
    public var remaining: Duration {
        let now = Deadline.now
        return .nanoseconds(Int64(clamping: nanoseconds > now ? nanoseconds - now : 0))
    }

    /// Whether the time has come.
    public var hasPassed: Bool { Deadline.now >= nanoseconds }

    /// Whether `left` comes first.
    public static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Nanoseconds of CLOCK_MONOTONIC.
    package static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
