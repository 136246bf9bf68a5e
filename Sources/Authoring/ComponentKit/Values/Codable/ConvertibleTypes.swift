/// Caches which types conform to ``PayloadConvertible``. For an array, the runtime takes more than a microsecond to
/// find that out, on every query.
enum ConvertibleTypes {
    private static let known = Lock<[ObjectIdentifier: (any PayloadConvertible.Type)?]>([:])

    /// Returns the type as ``PayloadConvertible``; nil if it does not conform.
    static func find<Value>(_ type: Value.Type) -> (any PayloadConvertible.Type)? {
        let identifier = ObjectIdentifier(type)
        if let answer = known.withLock({ $0[identifier] }) { return answer }
        let answer = type as? any PayloadConvertible.Type
        known.withLock { $0[identifier] = .some(answer) }
        return answer
    }

    /// Returns the value's own payload; nil if its type does not conform to ``PayloadConvertible``.
    static func payload<Value>(of value: Value) -> Payload? {
        guard let type = find(Value.self) else { return nil }
        return payload(of: value, as: type)
    }

    private static func payload<Form: PayloadConvertible>(of value: Any, as type: Form.Type) -> Payload? {
        (value as? Form)?.payload
    }
}
