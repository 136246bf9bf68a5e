public import CHSLink

/// How much memory the map of a model takes: every property is added here before the first one is written.
/// For code that macros write.
public struct __ModelSize {
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

/// Writes the map of a model into one allocation: there is no array of fields in between, no key is copied, and
/// texts stand behind the entries. For code that macros write.
///
/// - Precondition: no key twice, and no more properties than the ``__ModelSize`` was told of.
@safe
public struct __ModelWriter: ~Copyable {
    @usableFromInline let storage: AnyObject
    @usableFromInline let entries: UnsafeMutablePointer<hslink_entry>
    @usableFromInline let capacity: Int
    @usableFromInline var count = 0
    private var text: UnsafeMutableRawPointer
    private var textLeft: Int
    private var owners: UnsafeMutablePointer<AnyObject?>
    private var ownersLeft: Int

    /// - Parameter size: of all the properties that will be added.
    public init(_ size: __ModelSize) {
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

/// Reads the properties of a model out of its map. A map that the same model wrote has them in the order in which
/// they are asked for, so each is looked for behind the one before first. For code that macros write.
///
/// Any other order is read as well. Of a key that a map has twice the first one counts, as everywhere: what was
/// passed over is known to be of other properties.
///
/// - Precondition: the same map for all properties, and no key twice.
public struct __ModelReader {
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
        return try unsafe __ModelReader.value(of: node, key)
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
        let value: Value = try unsafe __ModelReader.value(of: node, key)
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
        return unsafe __ModelReader.find(bytes, in: map, from: next + 1)
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
