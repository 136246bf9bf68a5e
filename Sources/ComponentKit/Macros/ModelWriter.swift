public import CHSLink

/// Writes the map of a model into one allocation: there is no array of fields in between, no key is copied, and
/// texts stand behind the entries. For code that macros write.
///
/// - Precondition: no key twice, and no more properties than the ``ModelSize`` was told of.
@safe
public struct ModelWriter: ~Copyable {
    @usableFromInline let storage: AnyObject
    @usableFromInline let entries: UnsafeMutablePointer<hslink_entry>
    @usableFromInline let capacity: Int
    @usableFromInline var count = 0
    private var text: UnsafeMutableRawPointer
    private var textLeft: Int
    private var owners: UnsafeMutablePointer<AnyObject?>
    private var ownersLeft: Int

    /// - Parameter size: of all the properties that will be added.
    public init(_ size: ModelSize) {
        let entriesSize = unsafe size.fieldCount * MemoryLayout<hslink_entry>.stride
        let storage = PayloadStorage.make(byteCount: entriesSize + size.textSize, ownerCount: size.ownerCount)
        self.storage = storage
        let memory = unsafe storage.memory
        unsafe entries = unsafe memory.assumingMemoryBound(to: hslink_entry.self)
        capacity = size.fieldCount
        unsafe text = unsafe memory + entriesSize
        textLeft = size.textSize
        unsafe owners = unsafe storage.owners
        ownersLeft = size.ownerCount
    }

    /// The next property.
    @inlinable @inline(__always)
    public mutating func add<Value: PayloadConvertible>(_ key: StaticString, _ value: Value) {
        let payload = value.payload
        if let owner = payload.owner { keep(owner) }
        unsafe add(key, node: payload.node)
    }

    /// The next property, a text.
    @inlinable @inline(__always)
    public mutating func add(_ key: StaticString, _ value: String) {
        unsafe add(key, node: copy(value))
    }

    /// The next property, a text that may not be there.
    @inlinable @inline(__always)
    public mutating func add(_ key: StaticString, _ value: String?) {
        switch value {
        case let text?: unsafe add(key, node: copy(text))
        case nil: unsafe add(key, node: hslink_null())
        }
    }

    /// The map of what was added.
    @inlinable
    public consuming func payload() -> Payload {
        unsafe Payload(node: hslink_map(count == 0 ? nil : entries, UInt32(count)), owner: storage)
    }

    @inlinable @inline(__always)
    mutating func add(_ key: StaticString, node: hslink_value) {
        precondition(count < capacity)
        unsafe (entries + count).initialize(to: hslink_entry(field: key, node))
        count += 1
    }

    /// Lets what a property's memory belongs to live as long as the map.
    @usableFromInline
    mutating func keep(_ owner: AnyObject) {
        precondition(ownersLeft > 0)
        unsafe owners.initialize(to: owner)
        unsafe owners += 1
        ownersLeft -= 1
    }

    @usableFromInline
    mutating func copy(_ value: String) -> hslink_value {
        let start = unsafe text
        precondition(value.utf8.count <= textLeft)
        let length = unsafe value.copyUTF8(to: start)
        guard length > 0 else { return unsafe hslink_utf8(nil, 0) }
        unsafe text += length
        textLeft -= length
        return unsafe hslink_utf8(start.assumingMemoryBound(to: CChar.self), UInt32(length))
    }
}
