/// A type whose values travel as payloads.
public protocol PayloadConvertible: SendableMetatype {
    /// The value as a payload.
    var payload: Payload { get }
}

extension Payload: PayloadConvertible {
    /// Itself.
    @inlinable public var payload: Payload { self }
}

extension Bool: PayloadConvertible {
    /// A truth value.
    @inlinable public var payload: Payload { Payload(self) }
}

extension Int: PayloadConvertible {
    /// A signed integer.
    @inlinable public var payload: Payload { Payload(self) }
}

extension UInt64: PayloadConvertible {
    /// An integer.
    @inlinable public var payload: Payload { .uint(self) }
}

extension Double: PayloadConvertible {
    /// A floating-point number.
    @inlinable public var payload: Payload { Payload(self) }
}

extension String: PayloadConvertible {
    /// A copy of the string.
    @inlinable public var payload: Payload { Payload(self) }
}

extension Timestamp: PayloadConvertible {
    /// A date.
    @inlinable public var payload: Payload { Payload(self) }
}

extension Optional: PayloadConvertible where Wrapped: PayloadConvertible {
    /// Null for nil.
    @inlinable public var payload: Payload { self?.payload ?? .null }
}

extension Array: PayloadConvertible where Element: PayloadConvertible {
    /// A list of the elements, in order.
    @inlinable public var payload: Payload { Payload(map(\.payload)) }
}
