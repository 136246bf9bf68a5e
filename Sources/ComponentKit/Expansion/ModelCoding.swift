/// How the code that macros write reads and writes properties of models, and plain parameters. Nobody else needs
/// these.
public enum __ModelCoding {
    /// A property as a payload.
    @inlinable @inline(__always)
    public static func payload<Value: PayloadConvertible>(_ value: Value) -> Payload { value.payload }

    /// A property out of the map of a model.
    @inlinable @inline(__always)
    public static func value<Value: PayloadConvertible>(
        _ key: StaticString, in payload: borrowing some PayloadReading & ~Copyable, as type: Value.Type
    ) throws(PayloadError) -> Value {
        defer { extendLifetime(payload) }
        guard let node = unsafe payload.unsafeNode.find(key) else {
            return try payload.value(key.description, as: type)
        }
        return try unsafe __ModelReader.value(of: node, key)
    }

    /// An associated value with a default, which stands for a missing key.
    @inlinable @inline(__always)
    public static func value<Value: PayloadConvertible>(
        _ key: String, in payload: borrowing PayloadView, as type: Value.Type,
        default fallback: @autoclosure () -> Value
    ) throws(PayloadError) -> Value {
        if let given = try payload.valueIfPresent(key, as: type) { given } else { fallback() }
    }

    /// Refuses what is no map, also for a model without properties.
    public static func requireMap(_ payload: borrowing PayloadView) throws(PayloadError) {
        guard payload.kind == .map else {
            throw PayloadError(expected: "map", found: unsafe payload.unsafeNode.kindSummary)
        }
    }

    /// The name of an enum's case: a string, or the only key of a map.
    public static func caseName(_ payload: borrowing PayloadView) throws(PayloadError) -> String {
        guard payload.kind == .map else { return try payload.string() }
        let entries = unsafe payload.unsafeNode.entryNodes
        guard entries.count == 1 else {
            throw PayloadError(expected: "a map with the name of one case", found: "\(entries.count) keys")
        }
        return unsafe entries[0].keyText
    }

    /// Why a name is no case.
    public static func unknownCase(_ name: String, _ known: [String]) -> PayloadError {
        PayloadError(expected: "one of \(known.joined(separator: ", "))", found: "another name")
    }

    /// An enum's case by its raw value.
    public static func rawCase<Value: RawRepresentable>(
        of type: Value.Type, _ payload: borrowing PayloadView
    ) throws(PayloadError) -> Value where Value.RawValue: PayloadConvertible {
        let raw = try payload.value(as: Value.RawValue.self)
        guard let value = Value(rawValue: raw) else {
            throw PayloadError(expected: "a value of \(type)", found: unsafe payload.unsafeNode.kindSummary)
        }
        return value
    }
}
