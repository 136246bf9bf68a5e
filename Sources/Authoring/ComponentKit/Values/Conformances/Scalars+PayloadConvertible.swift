public import CHSLink

extension Bool: PayloadConvertible {
    /// A bool.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a bool; numbers are not accepted.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self =
            unsafe payload.unsafeNode.tag == UInt32(HSLINK_BOOL) ? payload.unsafeNode.`as`.i64 != 0 : try payload.bool()
    }
}

extension String: PayloadConvertible {
    /// A copy of the string.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a string.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.string() }
}

extension Timestamp: PayloadConvertible {
    /// A date.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a date.
    public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.date() }
}

extension Int: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads an integer; a floating-point number is never accepted, whatever its value.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self =
            unsafe payload.unsafeNode.tag == UInt32(HSLINK_INT) ? Int(payload.unsafeNode.`as`.i64) : try payload.int()
    }
}

extension Int8: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(Int64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension Int16: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(Int64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension Int32: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(Int64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension Int64: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(self) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension UInt: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .uint(UInt64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension UInt8: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(Int64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension UInt16: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(Int64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension UInt32: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .int(Int64(self)) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension UInt64: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .uint(self) }
    /// Reads an integer in the range of the type.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.integer() }
}

extension PayloadView {
    /// Returns the value as an integer of type `Value`; throws if it is out of range.
    @inlinable @inline(__always)
    func integer<Value: FixedWidthInteger>() throws(PayloadError) -> Value {
        if unsafe unsafeNode.tag == UInt32(HSLINK_INT), let value = unsafe Value(exactly: unsafeNode.`as`.i64) {
            return value
        }
        if unsafe unsafeNode.tag == UInt32(HSLINK_UINT), let value = unsafe Value(exactly: unsafeNode.`as`.u64) {
            return value
        }
        throw noInteger(from: "\(Value.min)", to: "\(Value.max)")
    }

    /// Returns the error for a value that is not an integer, or is out of range.
    @usableFromInline
    func noInteger(from least: String, to greatest: String) -> PayloadError {
        switch kind {
        case .int, .uint:
            unsafe PayloadError(expected: "int from \(least) to \(greatest)", found: unsafeNode.summary)
        default: unsafe PayloadError(expected: "int", found: unsafeNode.summary)
        }
    }
}

extension Double: PayloadConvertible {
    /// A floating-point number.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a floating-point number; integers are accepted if a double holds them exactly.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self =
            unsafe payload.unsafeNode.tag == UInt32(HSLINK_DOUBLE) ? payload.unsafeNode.`as`.f64 : try payload.double()
    }
}

extension Float: PayloadConvertible {
    /// A floating-point number; converting to a double loses nothing.
    @inlinable public var payload: Payload { Payload(Double(self)) }

    /// Reads the nearest `Float`: a `Float` that was widened reads back equal, and 0.1 in JSON is read as 0.1.
    ///
    /// - Throws: ``PayloadError`` if the value is not a number, or is beyond the range of `Float`.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let number = try payload.double()
        self.init(number)
        if isInfinite, number.isFinite {
            throw unsafe PayloadError(expected: "a number that fits a Float", found: payload.unsafeNode.summary)
        }
    }
}

extension Duration: PayloadConvertible {
    /// A map of whole `seconds` and remaining `attoseconds`, both negative for a negative duration. Durations beyond
    /// 64-bit seconds are clamped.
    public var payload: Payload {
        let parts = Swift.min(Swift.max(self, .seconds(Int64.min)), .seconds(Int64.max)).components
        return Payload(__fields: ("seconds", .int(parts.seconds)), ("attoseconds", .int(parts.attoseconds)))
    }

    /// Reads a map of `seconds` and, optionally, `attoseconds`.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let seconds: Int64 = try payload.value("seconds")
        let attoseconds: Int64 = try payload.valueIfPresent("attoseconds") ?? 0
        // A larger value would overflow when the two are added.
        guard attoseconds.magnitude < 1_000_000_000_000_000_000, seconds.signum() * attoseconds.signum() >= 0 else {
            throw PayloadError(
                path: [.key("attoseconds")], expected: "less than a second, with the sign of the seconds",
                found: "int \(attoseconds)")
        }
        self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
    }
}
