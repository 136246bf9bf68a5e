/// Remembers which types conform to ``PayloadConvertible``. The runtime takes more than a microsecond to find that out
/// for an array, each time it is asked.
enum ConvertibleTypes {
    private static let known = Lock<[ObjectIdentifier: (any PayloadConvertible.Type)?]>([:])

    /// The type as one that travels by itself; nil for others.
    static func find<Value>(_ type: Value.Type) -> (any PayloadConvertible.Type)? {
        let identifier = ObjectIdentifier(type)
        if let answer = known.withLock({ $0[identifier] }) { return answer }
        let answer = type as? any PayloadConvertible.Type
        known.withLock { $0[identifier] = .some(answer) }
        return answer
    }

    /// The value's own payload, where its type has one.
    static func payload<Value>(of value: Value) -> Payload? {
        guard let type = find(Value.self) else { return nil }
        return payload(of: value, as: type)
    }

    private static func payload<Form: PayloadConvertible>(of value: Any, as type: Form.Type) -> Payload? {
        (value as? Form)?.payload
    }
}
