extension Payload {
    /// Returns the payload in CBOR (RFC 8949), without loss.
    ///
    /// | payload       | CBOR |
    /// |---------------|------|
    /// | null, bool    | simple values 22, 20, 21 |
    /// | int, uint     | unsigned or negative integer |
    /// | double        | floating-point number, 16, 32 or 64 bits, the fewest that hold it exactly; a single NaN |
    /// | string, bytes | text string, byte string |
    /// | date          | tag 1001 (RFC 9581): a map of seconds (key 1) and nanoseconds (key -9, omitted if 0) |
    /// | array, map    | array, map with text keys, in their order |
    ///
    /// The encoding is the preferred serialization of section 4.1, so each payload has exactly one encoded form. May be
    /// called from any thread.
    ///
    /// - Parameter limits: The limits on levels, values, and bytes of the encoded form.
    /// - Throws: ``PayloadError`` if the payload contains an object or a value with an unknown tag, neither of which
    ///   can be encoded, or exceeds the limits and so could not be read back with the same limits. The error has the
    ///   path to the value.
    public func cbor(limits: PayloadLimits = .standard) throws(PayloadError) -> [UInt8] {
        defer { extendLifetime(owner) }
        var writer = CBORWriter()
        try unsafe writer.write(node, limits: limits)
        return writer.output
    }

    /// Creates a payload from the strict form of CBOR that ``cbor(limits:)`` writes.
    ///
    /// The input must be exactly one item with no trailing bytes. Heads must be in their shortest form, lengths
    /// definite, text in UTF-8, and map keys text and unique. Only the simple values and the tag that ``cbor(limits:)``
    /// writes are accepted; in a time, the seconds precede the nanoseconds. Floating-point numbers are accepted in all
    /// three widths, and all NaNs are read as the same one. May be called from any thread.
    ///
    /// - Parameters:
    ///   - cbor: The untrusted input. Memory is allocated for the bytes present, not for the lengths that they claim.
    ///   - limits: The limits on levels, values, and bytes, for both the encoded form and the payload.
    /// - Throws: ``PayloadError`` if the input is malformed or exceeds the limits, with what was expected and found,
    ///   the byte offset of the item, and the path in the payload.
    public init(cbor: [UInt8], limits: PayloadLimits = .standard) throws(PayloadError) {
        try limits.checkSize(cbor.count)
        self = try unsafe cbor.withUnsafeBufferPointer { bytes throws(PayloadError) in
            var reader = unsafe CBORReader(SourceBytes(UnsafeRawBufferPointer(bytes)), limits: limits)
            return try reader.read()
        }
    }
}
