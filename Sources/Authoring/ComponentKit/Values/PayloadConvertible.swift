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
/// optionals, arrays, sets and dictionaries already conform. A conforming type must read what it writes: a value that
/// was converted to a payload and back equals the original. Both directions may be called from any thread.
public protocol PayloadConvertible: SendableMetatype {
    /// The value as a payload.
    var payload: Payload { get }

    /// Reads the value from a payload that is borrowed for the duration of the call.
    ///
    /// - Parameter payload: The payload, which may be untrusted.
    /// - Throws: ``PayloadError`` if the payload does not have the expected form.
    init(payload: borrowing PayloadView) throws(PayloadError)

    /// The value for a missing key of a map; nil, the default, if the key is required. `Optional` returns its own nil.
    static var valueIfAbsent: Self? { get }
}

extension PayloadConvertible {
    /// Nil: the key is required.
    @inlinable public static var valueIfAbsent: Self? { nil }
}

extension PayloadReading where Self: ~Copyable {
    /// Returns the value as a ``PayloadConvertible`` type; errors contain the path within the value.
    @inlinable
    public func value<Value: PayloadConvertible>(as type: Value.Type = Value.self) throws(PayloadError) -> Value {
        defer { extendLifetime(self) }
        return try unsafe Value(payload: PayloadView(node: unsafeNode))
    }

    /// Returns the value of `key` as a ``PayloadConvertible`` type.
    ///
    /// - Throws: ``PayloadError`` with the key if the key is missing and the type has no value for that case (see
    ///   ``PayloadConvertible/valueIfAbsent``), or if the value does not fit.
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

    /// Returns the value of `key` as a ``PayloadConvertible`` type; nil if the key is missing. An existing key is read
    /// even if it is null. Use this for parameters that have a default.
    ///
    /// - Throws: ``PayloadError`` with the key if the value does not fit, or if this is neither a map nor null.
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
    /// Whether this is a map, or null, which is read as an empty one: a method without required parameters may be
    /// called without a payload.
    @usableFromInline var mayLackKeys: Bool {
        unsafe Int(tag) == HSLINK_MAP || Int(tag) == HSLINK_NULL
    }

    /// Returns the error for a missing key. The type itself knows best what it expects, so the expectation is copied
    /// from its error for null.
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

    /// Copies the whole tree.
    ///
    /// - Throws: The errors that ``PayloadView/copy()`` throws.
    public init(payload: borrowing PayloadView) throws(PayloadError) { self = try payload.copy() }
}

extension LinkObject: PayloadConvertible {
    /// A reference to the object.
    public var payload: Payload { Payload(self) }

    /// Creates another reference to an object.
    ///
    /// - Throws: ``PayloadError`` if the value is not an object, or the object is malformed.
    public convenience init(payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .object else {
            throw unsafe PayloadError(expected: "object", found: payload.unsafeNode.kindSummary)
        }
        unsafe self.init(retaining: try TreeMeasure.object(of: payload.unsafeNode))
    }
}
