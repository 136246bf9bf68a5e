public import CHSLink

extension PayloadReading where Self: ~Copyable {
    /// The value as any type that travels; errors say where in the value.
    @inlinable
    public func value<Value: PayloadConvertible>(as type: Value.Type = Value.self) throws(PayloadError) -> Value {
        defer { extendLifetime(self) }
        return try unsafe Value(payload: PayloadView(node: unsafeNode))
    }

    /// The value of `key` as any type that travels.
    ///
    /// - Throws: when the key is missing and the type does not say what that stands for (see
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

    /// The value of `key` as any type that travels, nil when the key is missing. A key that is there is read,
    /// be it with null: for parameters that have a default.
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

    /// The error for a key that is not there. What would have been expected the type itself knows best: its
    /// complaint about null says so.
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
