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
public enum LinkCoding {
    /// The payload of a value.
    @inlinable
    public static func payload<Value: PayloadConvertible>(
        of value: Value, for source: borrowing some LinkSource & ~Copyable
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
