/// How much memory the map of a model takes: every property is added here before the first one is written.
/// For code that macros write.
public struct ModelSize {
    @usableFromInline var fieldCount = 0
    /// How many of them may have memory of their own.
    @usableFromInline var ownerCount = 0
    /// Bytes of the texts that stand in the memory of the map itself.
    @usableFromInline var textSize = 0

    /// Of no properties yet.
    @inlinable public init() {}

    /// A property that has memory of its own, or needs none.
    @inlinable @inline(__always)
    public mutating func add<Value: PayloadConvertible>(_ value: Value) {
        fieldCount += 1
        ownerCount += 1
    }

    /// A text, which is copied into the memory of the map.
    @inlinable @inline(__always)
    public mutating func add(_ value: String) {
        fieldCount += 1
        textSize += value.utf8.count
    }

    /// A text that may not be there.
    @inlinable @inline(__always)
    public mutating func add(_ value: String?) {
        fieldCount += 1
        textSize += value?.utf8.count ?? 0
    }
}
