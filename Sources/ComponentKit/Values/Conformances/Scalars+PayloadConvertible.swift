public import CHSLink

extension Bool: PayloadConvertible {
    /// A truth value.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a truth value; a number is none.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self =
            unsafe payload.unsafeNode.tag == UInt32(HSLINK_BOOL) ? payload.unsafeNode.`as`.i64 != 0 : try payload.bool()
    }
}

extension String: PayloadConvertible {
    /// A copy of the string.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a copy of a string.
    @inlinable public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.string() }
}

extension Timestamp: PayloadConvertible {
    /// A date.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a date.
    public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.date() }
}
