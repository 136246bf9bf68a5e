import ComponentKit
import Glibc

/// A time zone, such as that of the person at a terminal.
struct TerminalZone {
    /// Returns how many seconds its clocks are ahead of UTC at a time in seconds since 1970; nil if that is not known.
    let offset: @Sendable (Int64) -> Int64?

    /// The one that `TZ` or the system says.
    static let current = TerminalZone { seconds in
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return nil }
        return unsafe Int64(parts.tm_gmtoff)
    }

    /// Returns a time as its clocks show it, with milliseconds: `2026-01-02 03:04:05.006`; nil for a year that has no
    /// four digits.
    func text(of time: Timestamp) -> String? {
        guard let offset = offset(time.seconds),
            let text = Timestamp(seconds: time.seconds + offset, nanoseconds: time.nanoseconds).rfc3339
        else { return nil }
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(12))"
    }
}
