extension Payload: PayloadConvertible {
    /// Itself.
    @inlinable public var payload: Payload { self }

    /// A copy of the whole tree.
    ///
    /// - Throws: what ``PayloadView/copy()`` throws.
    public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.copy() }
}

extension LinkObject: PayloadConvertible {
    /// A reference to the object.
    public var payload: Payload { Payload(self) }

    /// Another reference to an object.
    ///
    /// - Throws: when the payload is no object, or a broken one.
    public convenience init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .object else {
            throw unsafe PayloadError(expected: "object", found: payload.unsafeNode.kindSummary)
        }
        unsafe self.init(retaining: try TreeMeasure.object(of: payload.unsafeNode))
    }
}
