public import CHSLink

extension Int: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads an integer; a floating-point number is none, whatever its value.
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
    /// The value as an integer of a type that may be too narrow for it.
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

    /// Says what was there instead: another kind of value, or a number beyond the bounds.
    @usableFromInline
    func noInteger(from least: String, to greatest: String) -> PayloadError {
        switch kind {
        case .int, .uint:
            unsafe PayloadError(expected: "int from \(least) to \(greatest)", found: unsafeNode.summary)
        default: unsafe PayloadError(expected: "int", found: unsafeNode.summary)
        }
    }
}
