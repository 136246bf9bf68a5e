public import CHSLink

/// Reads the properties of a model out of its map. A map that the same model wrote has them in the order in which
/// they are asked for, so each is looked for behind the one before first. For code that macros write.
///
/// Any other order is read as well. Of a key that a map has twice the first one counts, as everywhere: what was
/// passed over is known to be of other properties.
///
/// - Precondition: the same map for all properties, and no key twice.
public struct ModelReader {
    /// Where the next property should be: every entry before was found to be of another one.
    @usableFromInline var next = 0

    /// At the first entry.
    @inlinable public init() {}

    /// A property.
    ///
    /// - Throws: when the key is missing and the type does not say what that stands for, or when the value does
    ///   not fit; the error names the key.
    @inlinable @inline(__always)
    public mutating func value<Value: PayloadConvertible>(
        _ key: StaticString, in payload: borrowing PayloadView, as type: Value.Type
    ) throws(PayloadError) -> Value {
        guard let node = unsafe find(key, in: payload.unsafeNode) else {
            return try payload.value(key.description, as: type)
        }
        return try unsafe ModelReader.value(of: node, key)
    }

    /// A property with a default, nil for a missing key.
    ///
    /// - Throws: when the value does not fit; the error names the key.
    @inlinable @inline(__always)
    public mutating func valueIfPresent<Value: PayloadConvertible>(
        _ key: StaticString, in payload: borrowing PayloadView, as type: Value.Type
    ) throws(PayloadError) -> Value? {
        guard let node = unsafe find(key, in: payload.unsafeNode) else {
            return try payload.valueIfPresent(key.description, as: type)
        }
        // Without its type this would read an optional, for which null is nil.
        let value: Value = try unsafe ModelReader.value(of: node, key)
        return value
    }

    @inlinable @inline(__always)
    static func value<Value: PayloadConvertible>(
        of node: hslink_value, _ key: StaticString
    ) throws(PayloadError) -> Value {
        do {
            return try unsafe Value(payload: PayloadView(node: node))
        } catch {
            throw PayloadView.place(error, at: key.description)
        }
    }

    @inlinable @inline(__always)
    mutating func find(_ key: StaticString, in map: hslink_value) -> hslink_value? {
        let bytes = unsafe UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        guard unsafe Int(map.tag) == HSLINK_MAP, unsafe next < Int(map.length), let entries = unsafe map.`as`.entries
        else {
            return nil
        }
        if unsafe entries[next].hasKey(bytes) {
            next += 1
            return unsafe entries[next - 1].value
        }
        return unsafe ModelReader.find(bytes, in: map, from: next + 1)
    }

    @usableFromInline
    static func find(
        _ key: UnsafeBufferPointer<UInt8>, in map: hslink_value, from start: Int
    ) -> hslink_value? {
        let entries = unsafe map.entryNodes
        for index in start..<entries.count where unsafe entries[index].hasKey(key) {
            return unsafe entries[index].value
        }
        return nil
    }
}
