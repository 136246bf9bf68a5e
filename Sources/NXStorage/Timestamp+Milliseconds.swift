package import ComponentKit
import Glibc

/// Times as databases keep them: whole milliseconds since 1970.
extension Timestamp {
    /// Now.
    package static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// A time that was kept, whatever the number.
    package init(milliseconds: Int64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let isBefore = rest < 0
        self.init(
            seconds: isBefore ? seconds - 1 : seconds,
            nanoseconds: UInt32(isBefore ? rest + 1000 : rest) * 1_000_000)
    }

    /// What is kept; what is smaller than a millisecond is lost.
    package var milliseconds: Int64 { seconds &* 1000 &+ Int64(nanoseconds / 1_000_000) }

    /// Seconds from `other` to this; negative when this is before it.
    package func seconds(since other: Timestamp) -> Double {
        (Double(milliseconds) - Double(other.milliseconds)) / 1000
    }
}
