/// How arguments and results of typed calls become payloads and come back: the family of functions that the code
/// that macros write calls. Which one takes a type the compiler decides:
///
/// | type | travels as |
/// |---|---|
/// | ``PayloadConvertible`` | its own payload |
/// | `Codable` | what ``PayloadEncoder`` makes of it |
/// | ``LinkClass`` | a reference to the instance |
/// | closure | a reference; see `closure(_:for:)` |
/// | `AsyncSequence` | a reference from which the elements are pulled |
/// | anything else | not at all: an error of the compiler |
///
/// Any thread.
public enum __LinkCoding {
    /// The payload of a value.
    @inlinable
    public static func payload<Value: PayloadConvertible>(
        of value: Value, for source: borrowing some __LinkSource & ~Copyable
    ) throws(LinkError) -> Payload {
        value.payload
    }

    /// The value of `key`.
    ///
    /// - Throws: what ``PayloadReading/value(_:as:)`` throws.
    @inlinable
    public static func value<Value: PayloadConvertible>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try reading.value(key)
    }

    /// The value of `key`, nil when the key is missing.
    ///
    /// - Throws: what ``PayloadReading/valueIfPresent(_:as:)`` throws.
    @inlinable
    public static func valueIfPresent<Value: PayloadConvertible>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        try reading.valueIfPresent(key)
    }

    /// The value of a whole payload, as of a reply.
    ///
    /// - Throws: what ``PayloadReading/value(as:)`` throws.
    @inlinable
    public static func value<Value: PayloadConvertible>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        try payload.value()
    }
}

extension PayloadReading where Self: ~Copyable {
    /// Lends the value of `key` to `body`, whose errors then name the key; nil without the key.
    func ifPresent<Value>(
        _ key: String, _ body: (borrowing PayloadView) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key) else {
            guard unsafe unsafeNode.mayLackKeys else {
                throw unsafe unsafeNode.isNoMap(with: key)
            }
            return nil
        }
        do {
            return try unsafe body(PayloadView(node: node))
        } catch {
            throw error.within(.key(key))
        }
    }

    /// The same for a key that must be there.
    func require<Value>(
        _ key: String, _ expected: String, _ body: (borrowing PayloadView) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        guard let value = try ifPresent(key, body) else {
            throw PayloadError(path: [.key(key)], expected: expected, found: "nothing")
        }
        return value
    }

    /// Lends the value itself.
    func borrow<Value>(
        _ body: (borrowing PayloadView) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        defer { extendLifetime(self) }
        return try unsafe body(PayloadView(node: unsafeNode))
    }
}

extension __LinkCoding {
    /// The payload of a value that is `Encodable` only.
    ///
    /// - Throws: what ``PayloadEncoder`` throws.
    @_disfavoredOverload
    public static func payload<Value: Encodable>(
        of value: Value, for source: borrowing some __LinkSource & ~Copyable
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

/// Recognises optionals where the compiler does not know the type.
private protocol NilRepresentable {
    /// Nil.
    static var nilValue: Self { get }
}

extension Optional: NilRepresentable {
    fileprivate static var nilValue: Wrapped? { nil }
}

// What the compiler takes when nothing else fits, so that its message says what is wrong with the type.
extension __LinkCoding {
    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func payload<Value>(
        of value: Value, for source: borrowing some __LinkSource & ~Copyable
    ) throws -> Payload {
        // No program that calls it compiles.
        fatalError("unavailable")
    }

    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func value<Value>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws -> Value {
        // No program that calls it compiles.
        fatalError("unavailable")
    }

    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func valueIfPresent<Value>(
        _ key: String, in reading: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws -> Value? {
        // No program that calls it compiles.
        fatalError("unavailable")
    }

    /// Not there: for types that cannot travel.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "this type cannot travel between components: make it a @Model, or let it conform to PayloadConvertible or Codable"
    )
    public static func value<Value>(
        of payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type = Value.self
    ) throws -> Value {
        // No program that calls it compiles.
        fatalError("unavailable")
    }
}
