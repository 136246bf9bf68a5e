public import FoundationEssentials

extension Date: PayloadConvertible {
    /// Seconds from 1970 to 2001, which Foundation counts from.
    private static let secondsTo2001: Int64 = 978_307_200

    /// A date, to the nanosecond; beyond 292 billion years the last one there is, null for no number.
    public var payload: Payload {
        let interval = timeIntervalSinceReferenceDate
        guard !interval.isNaN else { return .null }
        let whole = interval.rounded(.down)
        guard let since2001 = Int64(exactly: whole) else { return Date.limit(isLate: interval > 0) }
        var (seconds, isBeyond) = since2001.addingReportingOverflow(Date.secondsTo2001)
        guard !isBeyond else { return Date.limit(isLate: true) }
        var nanoseconds = ((interval - whole) * 1e9).rounded()
        if nanoseconds >= 1e9 {
            // Whole numbers that large have no fraction, so this cannot be beyond the end.
            seconds += 1
            nanoseconds = 0
        }
        return Payload(Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds)))
    }

    /// Reads a date; what `Date` cannot hold exactly becomes the nearest one that it can.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let time = try payload.date()
        let (since2001, isBeyond) = time.seconds.subtractingReportingOverflow(Date.secondsTo2001)
        // Near 2001 a date has more digits than a sum of two roundings keeps.
        if !isBeyond, since2001.magnitude < 9_000_000 {
            let nanoseconds = since2001 * 1_000_000_000 + Int64(time.nanoseconds)
            self.init(timeIntervalSinceReferenceDate: Double(nanoseconds) / 1e9)
            return
        }
        let whole = isBeyond ? Double(time.seconds) - Double(Date.secondsTo2001) : Double(since2001)
        self.init(timeIntervalSinceReferenceDate: whole + Double(time.nanoseconds) / 1e9)
    }

    private static func limit(isLate: Bool) -> Payload {
        Payload(Timestamp(seconds: isLate ? .max : .min, nanoseconds: isLate ? 999_999_999 : 0))
    }
}
