import CHSLink
public import FoundationEssentials

extension Data: PayloadConvertible {
    /// The bytes of the data.
    public var payload: Payload { unsafe withUnsafeBytes { unsafe Payload(copyingBytes: $0) } }

    /// Reads bytes, or an array of integers from 0 to 255.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .bytes else {
            if payload.kind == .array {
                self.init(try [UInt8](payload: payload))
                return
            }
            throw unsafe PayloadError(expected: "bytes", found: payload.unsafeNode.kindSummary)
        }
        let node = unsafe payload.unsafeNode
        guard let bytes = unsafe node.`as`.bytes else {
            self.init()
            return
        }
        unsafe self.init(bytes: bytes, count: Int(node.length))
    }
}

extension Date: PayloadConvertible {
    /// The seconds from 1970 to 2001, Foundation's reference date.
    private static let secondsTo2001: Int64 = 978_307_200

    /// A date, to the nanosecond. Beyond 292 billion years it is the first or last date that fits; NaN becomes null.
    public var payload: Payload {
        let interval = timeIntervalSinceReferenceDate
        guard !interval.isNaN else { return .null }
        let whole = interval.rounded(.down)
        guard let since2001 = Int64(exactly: whole) else { return Date.limit(isLate: interval > 0) }
        var (seconds, isBeyond) = since2001.addingReportingOverflow(Date.secondsTo2001)
        guard !isBeyond else { return Date.limit(isLate: true) }
        var nanoseconds = ((interval - whole) * 1e9).rounded()
        if nanoseconds >= 1e9 {
            // Numbers near the limit have no fraction, so this cannot overflow.
            seconds += 1
            nanoseconds = 0
        }
        return Payload(Timestamp(seconds: seconds, nanoseconds: UInt32(nanoseconds)))
    }

    /// Reads a date, rounded to the nearest one that `Date` can represent.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let time = try payload.date()
        let (since2001, isBeyond) = time.seconds.subtractingReportingOverflow(Date.secondsTo2001)
        // Near 2001 a date has more digits than the sum of two rounded numbers would keep.
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

extension URL: PayloadConvertible {
    /// The absolute URL as a string.
    public var payload: Payload { Payload(absoluteString) }

    /// Reads a URL from a string.
    ///
    /// - Throws: ``PayloadError`` if the value is not a string, or the string is not a URL.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let text = try payload.string()
        guard let url = URL(string: text) else { throw PayloadError(expected: "URL", found: "string") }
        self = url
    }
}

extension UUID: PayloadConvertible {
    /// The UUID as a string.
    public var payload: Payload { Payload(uuidString) }

    /// Reads a UUID from a string of 32 digits and four hyphens.
    ///
    /// - Throws: ``PayloadError`` if the value is not a string, or the string is not a UUID.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let text = try payload.string()
        guard let value = UUID(uuidString: text) else { throw PayloadError(expected: "UUID", found: "string") }
        self = value
    }
}
