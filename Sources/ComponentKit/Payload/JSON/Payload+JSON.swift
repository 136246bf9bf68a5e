extension Payload {
    /// The payload in JSON (RFC 8259), without loss.
    ///
    /// | payload      | JSON |
    /// |--------------|------|
    /// | int, uint    | a number without point and exponent, with all its digits also beyond 2^53 |
    /// | double       | the shortest number that is read as the same, always with a point or an exponent: `3.0` |
    /// | NaN, ±∞      | `{"$double": "nan"}`, `"inf"`, `"-inf"` |
    /// | bytes        | `{"$bytes": "AAECAw=="}`, base64 with padding |
    /// | date         | `{"$date": "2026-01-02T03:04:05.000000006Z"}`, RFC 3339 with nine digits |
    /// | other dates  | `{"$date": {"seconds": 253402300800, "nanoseconds": 0}}`, before year 0000 and after 9999 |
    /// | the rest     | itself, the keys of maps in their order |
    ///
    /// A map with the only key `$bytes`, `$date` or `$double` is written with one more `$`
    /// (`{"$$bytes": …}`), and so is one with the only key `$$bytes`, and so on. Control characters are
    /// escaped. Any thread.
    ///
    /// - Parameter pretty: an item or entry a line, two spaces for each level; else no space at all.
    /// - Throws: an error that names the place of an object or of a value of unknown tag, which JSON cannot
    ///   hold (``description`` shows them); or when the payload is beyond the standard limits, so that it
    ///   could not be read back.
    public func json(pretty: Bool = false) throws(PayloadError) -> String {
        defer { extendLifetime(owner) }
        var writer = JSONWriter(style: pretty ? .pretty : .compact)
        try unsafe writer.write(node)
        return String(decoding: writer.output, as: UTF8.self)
    }

    /// Reads JSON, strictly as RFC 8259 has it.
    ///
    /// Refused are comments, trailing commas, leading zeros, a byte order mark, halves of surrogate pairs, a
    /// key twice in one map, integers beyond 64 bits and numbers beyond the doubles (nothing is rounded
    /// away except digits of a double), and the forms of ``json(pretty:)`` with wrong content. A number with
    /// a point or an exponent is a double, any other an int or uint. Times may have fewer digits and an
    /// offset instead of `Z`. Any thread.
    ///
    /// - Parameters:
    ///   - json: untrusted text.
    ///   - limits: of levels, of values, and of bytes for both the text and the payload.
    /// - Throws: an error that says what was expected and found with line and column, and names the place in
    ///   the payload.
    public init(json: String, limits: PayloadLimits = .standard) throws(PayloadError) {
        var json = json
        try limits.checkSize(json.utf8.count)
        let result = json.withUTF8 { bytes in
            Result { () throws(PayloadError) in
                try unsafe Payload(validJSON: UnsafeRawBufferPointer(bytes), limits: limits)
            }
        }
        self = try result.get()
    }

    /// Reads JSON in UTF-8; else as from a `String`.
    public init(json: [UInt8], limits: PayloadLimits = .standard) throws(PayloadError) {
        self = try unsafe json.withUnsafeBufferPointer { bytes throws(PayloadError) in
            try unsafe Payload(json: UnsafeRawBufferPointer(bytes), limits: limits)
        }
    }

    /// Reads JSON in UTF-8 from memory that is not accessed after the call; else as from a
    /// `String`.
    public init(json: UnsafeRawBufferPointer, limits: PayloadLimits = .standard) throws(PayloadError) {
        try limits.checkSize(json.count)
        let bytes = unsafe json.bindMemory(to: UInt8.self)
        if let place = unsafe bytes.firstInvalidUTF8 {
            let place = unsafe TextPlace(of: place, in: SourceBytes(json))
            throw PayloadError(expected: "text in UTF-8", found: "other bytes at \(place)")
        }
        unsafe try self.init(validJSON: json, limits: limits)
    }

    private init(validJSON bytes: UnsafeRawBufferPointer, limits: PayloadLimits) throws(PayloadError) {
        var reader = unsafe JSONReader(SourceBytes(bytes), limits: limits)
        self = try reader.read()
    }
}

extension Payload: CustomStringConvertible {
    /// The payload for people, in the form of ``json(pretty:)`` and on one line: at most about 1,000 bytes
    /// with an ellipsis after them. Objects are shown as `<object Counter>`, values of a tag that is not
    /// known as `<unknown tag 99>`.
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
        // Not within a character.
        while end > 0, writer.output[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: writer.output[..<end], as: UTF8.self) + "…"
    }
}

/// A place in a text, for messages: "line 3, column 7", both counted from 1, columns in characters.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(of position: Int, in source: SourceBytes) {
        var line = 1
        var column = 1
        for index in 0..<min(position, source.count) {
            if source[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if source[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    var description: String { "line \(line), column \(column)" }
}
