public import CHSLink

extension Double: PayloadConvertible {
    /// A floating-point number.
    @inlinable public var payload: Payload { Payload(self) }

    /// Reads a floating-point number, or an integer that a double holds exactly.
    @inlinable
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        self =
            unsafe payload.unsafeNode.tag == UInt32(HSLINK_DOUBLE) ? payload.unsafeNode.`as`.f64 : try payload.double()
    }
}

extension Float: PayloadConvertible {
    /// A floating-point number; widening loses nothing.
    @inlinable public var payload: Payload { Payload(Double(self)) }

    /// Reads the nearest `Float`: one that was widened comes back equal, and 0.1 out of a JSON text is 0.1.
    ///
    /// - Throws: when there is no number, or one beyond what a `Float` reaches.
    public init(payload: borrowing PayloadView) throws(PayloadError) {
        let number = try payload.double()
        self.init(number)
        if isInfinite, number.isFinite {
            throw unsafe PayloadError(expected: "a number that fits a Float", found: payload.unsafeNode.summary)
        }
    }
}
