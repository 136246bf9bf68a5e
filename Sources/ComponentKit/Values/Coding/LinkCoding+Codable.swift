extension LinkCoding {
    /// The payload of a value that is `Encodable` only.
    ///
    /// - Throws: what ``PayloadEncoder`` throws.
    @_disfavoredOverload
    public static func payload<Value: Encodable>(
        of value: Value, for source: borrowing some LinkSource & ~Copyable
    ) throws -> Payload {
        try PayloadEncoder().encode(value)
    }

    /// The value of `key`, of a type that is `Decodable` only; an optional is nil when the key is missing.
    ///
    /// - Throws: a ``PayloadError`` when the key is missing or the value does not fit.
    @_disfavoredOverload
    public static func value<Value: Decodable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        if let value = try valueIfPresent(key, in: reading, as: type) { return value }
        if let absent = (type as? any NilRepresentable.Type)?.nilValue as? Value { return absent }
        throw PayloadError(path: [.key(key)], expected: "\(type)", found: "nothing")
    }

    /// The value of `key`, of a type that is `Decodable` only, nil when the key is missing.
    ///
    /// - Throws: a ``PayloadError`` when the value does not fit.
    @_disfavoredOverload
    public static func valueIfPresent<Value: Decodable>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        try reading.ifPresent(key) { value throws(PayloadError) in try decode(type, from: value) }
    }

    /// The value of a whole payload, of a type that is `Decodable` only.
    ///
    /// - Throws: a ``PayloadError`` when it does not fit.
    @_disfavoredOverload
    public static func value<Value: Decodable>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try payload.borrow { value throws(PayloadError) in try decode(type, from: value) }
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from view: borrowing PayloadView
    ) throws(PayloadError) -> Value {
        do {
            return try PayloadDecoder().decode(type, borrowing: view)
        } catch {
            throw PayloadError(decoding: error)
        }
    }
}

/// Tells optionals from other types where the type is not known to the compiler.
protocol NilRepresentable {
    /// Nil.
    static var nilValue: Self { get }
}

extension Optional: NilRepresentable {
    static var nilValue: Wrapped? { nil }
}
