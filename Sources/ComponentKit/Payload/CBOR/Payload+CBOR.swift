extension Payload {
    /// The payload in CBOR (RFC 8949), without loss.
    ///
    /// | payload       | CBOR |
    /// |---------------|------|
    /// | null, bool    | simple values 22, 20, 21 |
    /// | int, uint     | unsigned or negative integer |
    /// | double        | floating-point number, 16, 32 or 64 bits wide, the least that holds it exactly; one NaN |
    /// | string, bytes | text string, byte string |
    /// | date          | tag 1001 (RFC 9581): a map of seconds (key 1) and nanoseconds (key -9, left out when 0) |
    /// | array, map    | array, map with text keys, in their order |
    ///
    /// The form is the preferred serialization of section 4.1: one payload has one form. Any thread.
    ///
    /// - Parameter limits: of levels, of values, and of bytes of the encoded form.
    /// - Throws: an error with the path of an object or of a value of unknown tag, which cannot be encoded; or an error
    ///   if the payload is beyond the limits, so that ``init(cbor:limits:)`` with the same limits could not read it back.
    public func cbor(limits: PayloadLimits = .standard) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(owner) }
        var writer = CBORWriter()
        try unsafe writer.write(node, limits: limits)
        return writer.output
    }

    /// Reads what ``cbor()`` writes, strictly.
    ///
    /// Accepted is exactly one item and no byte more; heads in their shortest form; definite lengths; text
    /// in UTF-8; text keys, each once in its map; the simple values and the tag of ``cbor()``, with the
    /// seconds before the nanoseconds. Floating-point numbers are taken in all three widths, and every NaN
    /// as one. Any thread.
    ///
    /// - Parameters:
    ///   - cbor: untrusted; memory is taken for what is there, not for what lengths promise.
    ///   - limits: of levels, of values, and of bytes for both the encoded form and the payload.
    /// - Throws: an error that says what was expected and found, with the offset of the item in bytes, and
    ///   names the place in the payload.
    public init(cbor: [UInt8], limits: PayloadLimits = .standard) throws(PayloadError) {
        try limits.checkSize(cbor.count)
        self = try unsafe cbor.withUnsafeBufferPointer { bytes throws(PayloadError) in
            var reader = unsafe CBORReader(SourceBytes(UnsafeRawBufferPointer(bytes)), limits: limits)
            return try reader.read()
        }
    }
}
