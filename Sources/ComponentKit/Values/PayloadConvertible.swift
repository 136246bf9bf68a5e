public import CHSLink

/// A type whose values travel between components as payloads.
///
///     extension Money: PayloadConvertible {
///         var payload: Payload { ["amount": amount.payload, "currency": currency.payload] }
///
///         init(payload: borrowing PayloadView) throws(PayloadError) {
///             amount = try payload.value("amount")
///             currency = try payload.value("currency")
///         }
///     }
///
/// Integers, floating-point numbers, `Bool`, `String`, ``Timestamp``, `Date`, `Data`, `URL`, `UUID`, `Duration`,
/// optionals, arrays, sets and dictionaries do already. What one side writes the other must be able to read:
/// a value that went through a payload is equal to the one before. Any thread.
public protocol PayloadConvertible: SendableMetatype {
    /// The value as a payload.
    var payload: Payload { get }

    /// Reads the value from a payload that is borrowed for the length of the call.
    ///
    /// - Parameter payload: what to read; nothing in it is trusted.
    /// - Throws: where in the payload something else was found than expected.
    init(payload: borrowing PayloadView) throws(PayloadError)

    /// The value of a missing key of a map; nil, the default, when the key must be there. An `Optional`
    /// answers with its own nil.
    static var valueIfAbsent: Self? { get }
}

extension PayloadConvertible {
    /// Nil: the key must be there.
    @inlinable public static var valueIfAbsent: Self? { nil }
}

extension PayloadReading where Self: ~Copyable {
    /// The value as any type that travels; errors say where in the value.
    @inlinable
    public func value<Value: PayloadConvertible>(as type: Value.Type = Value.self) throws(PayloadError) -> Value {
        defer { extendLifetime(self) }
        return try unsafe Value(payload: PayloadView(node: unsafeNode))
    }

    /// The value of `key` as any type that travels.
    ///
    /// - Throws: when the key is missing and the type has no value for that (see
    ///   ``PayloadConvertible/valueIfAbsent``), or when the value does not fit; the error names the key.
    @inlinable
    public func value<Value: PayloadConvertible>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key) else {
            if let value = Value.valueIfAbsent, unsafe unsafeNode.mayLackKeys { return value }
            throw unsafe unsafeNode.missing(key, type)
        }
        do {
            return try unsafe Value(payload: PayloadView(node: node))
        } catch {
            throw PayloadView.place(error, at: key)
        }
    }

    /// The value of `key` as any type that travels, nil when the key is missing. A key that is there is
    /// read, even if it is null: for parameters that have a default.
    ///
    /// - Throws: when the value does not fit; the error names the key.
    @inlinable
    public func valueIfPresent<Value: PayloadConvertible>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(PayloadError) -> Value? {
        defer { extendLifetime(self) }
        guard let node = unsafe unsafeNode.find(key) else {
            guard unsafe unsafeNode.mayLackKeys else { throw unsafe unsafeNode.missing(key, type) }
            return nil
        }
        do {
            return try unsafe Value(payload: PayloadView(node: node))
        } catch {
            throw PayloadView.place(error, at: key)
        }
    }
}

extension PayloadView {
    @usableFromInline
    static func place(_ error: PayloadError, at key: String) -> PayloadError { error.within(.key(key)) }
}

extension hslink_value {
    /// Whether this is a map, or null, which stands for an empty one: a method without parameters of its own
    /// may be called without a payload.
    @usableFromInline var mayLackKeys: Bool {
        unsafe Int(tag) == HSLINK_MAP || Int(tag) == HSLINK_NULL
    }

    /// The error for a key that is not there. The type itself knows best what it expects: its
    /// error about null says so.
    @usableFromInline
    func missing<Value: PayloadConvertible>(_ key: String, _ type: Value.Type) -> PayloadError {
        var expected = "a value"
        do {
            _ = try unsafe Value(payload: PayloadView(node: hslink_null()))
        } catch {
            expected = error.path.isEmpty ? error.expected : "\(type)"
        }
        guard unsafe Int(tag) == HSLINK_MAP else { return unsafe isNoMap(with: key) }
        return PayloadError(path: [.key(key)], expected: expected, found: "nothing")
    }
}

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
    /// - Throws: when the payload is not an object, or a broken one.
    public convenience init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .object else {
            throw unsafe PayloadError(expected: "object", found: payload.unsafeNode.kindSummary)
        }
        unsafe self.init(retaining: try TreeMeasure.object(of: payload.unsafeNode))
    }
}
