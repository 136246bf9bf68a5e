extension Optional: PayloadConvertible where Wrapped: PayloadConvertible {
    /// Null for nil.
    @inlinable public var payload: Payload { self?.payload ?? .null }

    /// Reads nil from null. An optional inside an optional cannot be told from its outer one.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self = payload.isNull ? .none : .some(try Wrapped(payload: payload))
    }

    /// Nil, as for a key with null.
    @inlinable public static var valueIfAbsent: Wrapped?? { .some(.none) }
}
