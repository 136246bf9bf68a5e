extension Payload {
    /// A map whose keys are known to differ when the program is compiled: no key is copied, and nobody looks
    /// whether one comes twice, which is what makes it quicker than a literal. For code that macros write.
    ///
    /// - Precondition: no key twice. A map that has one is refused by whoever receives it.
    @inlinable
    public init(fields: (StaticString, Payload)...) {
        self = unsafe fields.withUnsafeBufferPointer { unsafe Payload.map(ofFields: $0) }
    }

    @usableFromInline
    static func map(ofFields fields: UnsafeBufferPointer<(StaticString, Payload)>) -> Payload {
        unsafe FieldStorage.map(fields)
    }
}
