extension Payload {
    /// Returns the payload in JSON (RFC 8259), without loss.
    ///
    /// | payload      | JSON |
    /// |--------------|------|
    /// | int, uint    | a number without a point or an exponent, with all its digits, even beyond 2^53 |
    /// | double       | the shortest number that reads back the same, always with a point or an exponent: `3.0` |
    /// | NaN, ±∞      | `{"$double": "nan"}`, `"inf"`, `"-inf"` |
    /// | bytes        | `{"$bytes": "AAECAw=="}`, base64 with padding |
    /// | date         | `{"$date": "2026-01-02T03:04:05.000000006Z"}`, RFC 3339 with nine digits |
    /// | other dates  | `{"$date": {"seconds": 253402300800, "nanoseconds": 0}}`, years before 0000 and after 9999 |
    /// | other values | the same JSON value, with the keys of maps in their order |
    ///
    /// A map whose only key is `$bytes`, `$date` or `$double` is written with an additional `$` (`{"$$bytes": …}`), as
    /// is one whose only key is `$$bytes`, and so on. Control characters are escaped. May be called from any thread.
    ///
    /// - Parameter pretty: Whether to write each item or entry on its own line, indented by two spaces per level;
    ///   otherwise no whitespace is written.
    /// - Throws: ``PayloadError`` if the payload contains an object or a value with an unknown tag, neither of which
    ///   JSON can represent (``description`` shows them), or exceeds the standard limits and so could not be read back.
    ///   The error has the path to the value.
    public func json(pretty: Bool = false) throws(PayloadError) -> String {
        defer { extendLifetime(owner) }
        var writer = JSONWriter(style: pretty ? .pretty : .compact)
        try unsafe writer.write(node)
        return String(decoding: writer.output, as: UTF8.self)
    }

    /// Creates a payload from JSON, read strictly as RFC 8259 defines it.
    ///
    /// Comments, trailing commas, leading zeros, a byte order mark, unpaired surrogates, duplicate keys in a map,
    /// integers beyond 64 bits and numbers beyond the range of a double are refused, as are the special forms of
    /// ``json(pretty:)`` with invalid content. Only the digits of a double are ever rounded. A number with a point or
    /// an exponent becomes a double, any other an int or uint. Times may have fewer digits, and an offset instead of
    /// `Z`. May be called from any thread.
    ///
    /// - Parameters:
    ///   - json: The untrusted text.
    ///   - limits: The limits on levels, values, and bytes, for both the text and the payload.
    /// - Throws: ``PayloadError`` if the text is malformed or exceeds the limits, with what was expected and found, the
    ///   line and column, and the path in the payload.
    public init(json: String, limits: PayloadLimits = .standard) throws(PayloadError) {
        var json = json
        try limits.checkSize(json.utf8.count)
        let result = json.withUTF8 { bytes in
            Result { () throws(JSONError) in
                try unsafe Payload(validJSON: UnsafeRawBufferPointer(bytes), limits: limits)
            }
        }
        self = try result.mapError(\.inWords).get()
    }

    /// Creates a payload from JSON in UTF-8; otherwise like the initialiser for a `String`.
    public init(json: [UInt8], limits: PayloadLimits = .standard) throws(PayloadError) {
        self = try unsafe json.withUnsafeBufferPointer { bytes throws(PayloadError) in
            try unsafe Payload(json: UnsafeRawBufferPointer(bytes), limits: limits)
        }
    }

    /// Creates a payload from JSON in UTF-8, in memory that is not accessed after the call; otherwise like
    /// the initialiser for a `String`.
    public init(json: UnsafeRawBufferPointer, limits: PayloadLimits = .standard) throws(PayloadError) {
        do throws(JSONError) {
            self = try unsafe Payload(unknownJSON: json, limits: limits)
        } catch {
            throw error.inWords
        }
    }

    /// Creates a payload from JSON in UTF-8; otherwise like the initialiser for a `String`.
    ///
    /// - Throws: ``JSONError`` with the place in the text apart from what was expected and found.
    package init(placing json: [UInt8]) throws(JSONError) {
        self = try unsafe json.withUnsafeBufferPointer { bytes throws(JSONError) in
            try unsafe Payload(unknownJSON: UnsafeRawBufferPointer(bytes), limits: .standard)
        }
    }

    private init(unknownJSON json: UnsafeRawBufferPointer, limits: PayloadLimits) throws(JSONError) {
        do throws(PayloadError) {
            try limits.checkSize(json.count)
        } catch {
            throw JSONError(error, at: nil)
        }
        let bytes = unsafe json.bindMemory(to: UInt8.self)
        if let place = unsafe bytes.firstInvalidUTF8 {
            throw JSONError(
                PayloadError(expected: "text in UTF-8", found: "invalid bytes"),
                at: unsafe TextPlace(of: place, in: SourceBytes(json)))
        }
        unsafe try self.init(validJSON: json, limits: limits)
    }

    private init(validJSON bytes: UnsafeRawBufferPointer, limits: PayloadLimits) throws(JSONError) {
        var reader = unsafe JSONReader(SourceBytes(bytes), limits: limits)
        self = try reader.read()
    }
}

extension Payload: CustomStringConvertible {
    /// A human-readable form of the payload: the format of ``json(pretty:)`` on one line, truncated with an ellipsis
    /// after about 1,000 bytes. Objects are shown as `<object Counter>`, values with unknown tags as
    /// `<unknown tag 99>`.
    public var description: String {
        defer { extendLifetime(owner) }
        let limit = 1000
        var writer = JSONWriter(style: .excerpt(limit: limit))
        do {
            try unsafe writer.write(node)
        } catch {
            writer.write("<\(error.expected)>")
        }
        guard writer.output.count > limit else { return String(decoding: writer.output, as: UTF8.self) }
        var end = limit
        // Do not cut within a character.
        while end > 0, writer.output[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: writer.output[..<end], as: UTF8.self) + "…"
    }
}
