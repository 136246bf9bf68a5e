extension Duration: PayloadConvertible {
    /// A map of whole `seconds` and the `attoseconds` beyond them, both negative for a negative duration.
    /// What exceeds 64 bits of seconds is cut to the nearest that does not.
    public var payload: Payload {
        let parts = Swift.min(Swift.max(self, .seconds(Int64.min)), .seconds(Int64.max)).components
        return Payload(fields: ("seconds", .int(parts.seconds)), ("attoseconds", .int(parts.attoseconds)))
    }

    /// Reads such a map; `attoseconds` may be missing.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let seconds: Int64 = try payload.value("seconds")
        let attoseconds: Int64 = try payload.valueIfPresent("attoseconds") ?? 0
        // More would overflow where the two are added.
        guard attoseconds.magnitude < 1_000_000_000_000_000_000, seconds.signum() * attoseconds.signum() >= 0 else {
            throw PayloadError(
                path: [.key("attoseconds")], expected: "less than a second, with the sign of the seconds",
                found: "int \(attoseconds)")
        }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}
