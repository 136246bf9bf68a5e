public import ComponentKit
import Glibc

/// Timestamps as whole milliseconds since 1970, the form in which databases store them.
extension Timestamp {
    /// The current time.
    public static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Makes a timestamp from a stored number; every number is valid.
    public init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let isBefore = rest < 0
        self.init(
            seconds: isBefore ? seconds - 1 : seconds,
            nanoseconds: UInt32(isBefore ? rest + 1000 : rest) * 1_000_000)
    }

    /// The number to store. Fractions of a millisecond are lost.
    public var milliseconds: Int64 { seconds &* 1000 &+ Int64(nanoseconds / 1_000_000) }

    /// The seconds from `other` to this timestamp; negative if this one is earlier.
    public func seconds(since other: Timestamp) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1000
    }
}
