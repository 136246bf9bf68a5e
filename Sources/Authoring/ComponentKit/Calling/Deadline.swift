import Glibc

/// A point in time by which a call must be answered, measured by CLOCK_MONOTONIC.
public struct Deadline: Sendable, Hashable, Comparable {
    /// Nanoseconds of CLOCK_MONOTONIC; never 0, which means "none" at the boundary.
    public let nanoseconds: UInt64

    /// Creates a deadline from its boundary form; nil if that is 0, which means "none".
    ///
    /// - Parameter nanoseconds: nanoseconds of CLOCK_MONOTONIC.
    package init?(boundary nanoseconds: UInt64) {
        guard nanoseconds != 0 else { return nil }
        self.nanoseconds = nanoseconds
    }

    private init(nanoseconds: UInt64) { self.nanoseconds = max(nanoseconds, 1) }

    /// Returns the deadline `duration` from now. A negative duration counts as zero; one beyond the range of the clock
    /// yields the latest possible deadline.
    public static func after(_ duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return Deadline(nanoseconds: now) }
        let (whole, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isBeyond) = now.addingReportingOverflow(whole)
        guard !isTooLong, !isBeyond else { return Deadline(nanoseconds: .max) }
        let (time, isPastEnd) = sum.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return Deadline(nanoseconds: isPastEnd ? .max : time)
    }

    /// The time left until the deadline; zero if it has passed.
    public var remaining: Duration {
        let now = Deadline.now
        return .nanoseconds(Int64(clamping: nanoseconds > now ? nanoseconds - now : 0))
    }

    /// Whether the deadline has passed.
    public var hasPassed: Bool { Deadline.now >= nanoseconds }

    /// Whether `left` is earlier than `right`.
    public static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The current time in nanoseconds of CLOCK_MONOTONIC.
    package static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
