import CHSLink

/// A hash table that finds a map's keys by their bytes.
///
/// Keys are compared as UTF-8 bytes, as the boundary defines. `String` would treat a precomposed "é" and an "e" with a
/// combining accent as equal, and would merge two keys of a valid map.
struct KeyTable {
    /// The index plus one, or 0 for a free slot. The number of slots is a power of two, and at most half of them are
    /// used.
    private var slots: [UInt32]

    /// - Parameter count: The maximum number of keys to insert.
    init(count: Int) {
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
    }

    /// Inserts the key at `index`, unless an equal key exists.
    ///
    /// - Parameter key: Returns the bytes of the key at an index.
    /// - Returns: The index of the equal key, or nil if the key was inserted.
    mutating func insert(_ index: Int, key: (Int) -> UnsafeRawBufferPointer) -> Int? {
        let slot = unsafe slot(of: key(index), key: key)
        guard slots[slot] == 0 else { return Int(slots[slot]) - 1 }
        slots[slot] = UInt32(index + 1)
        return nil
    }

    /// Returns the index of the key with these bytes.
    func find(_ bytes: UnsafeRawBufferPointer, key: (Int) -> UnsafeRawBufferPointer) -> Int? {
        let index = unsafe slots[slot(of: bytes, key: key)]
        return index == 0 ? nil : Int(index) - 1
    }

    /// Returns the slot that holds the key or where it would be inserted. `Hasher` is seeded per process, so an
    /// attacker cannot prepare keys that collide.
    private func slot(of bytes: UnsafeRawBufferPointer, key: (Int) -> UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: bytes)
        let mask = slots.count - 1
        var slot = hasher.finalize() & mask
        while slots[slot] != 0, unsafe !hasEqualBytes(key(Int(slots[slot]) - 1), bytes) { slot = (slot + 1) & mask }
        return slot
    }
}

extension KeyTable {
    /// The number of keys up to which comparing each pair is faster than hashing.
    private static let fewKeys = 16

    /// Returns the index of the first key that repeats an earlier one; nil if all keys differ.
    static func firstRepeated(count: Int, key: (Int) -> UnsafeRawBufferPointer) -> Int? {
        if count <= fewKeys {
            for index in 0..<max(count, 0) {
                let bytes = unsafe key(index)
                for before in 0..<index where unsafe hasEqualBytes(key(before), bytes) { return index }
            }
            return nil
        }
        var table = KeyTable(count: count)
        return (0..<count).first { unsafe table.insert($0, key: key) != nil }
    }

    /// Returns the index of the first entry whose key repeats an earlier one; nil if all keys differ.
    static func firstRepeated(_ entries: UnsafeBufferPointer<hslink_entry>) -> Int? {
        guard entries.count <= fewKeys, let entry = entries.baseAddress else {
            return unsafe firstRepeated(count: entries.count) { unsafe entries[$0].keyBytes }
        }
        var index = 1
        while index < entries.count {
            var before = 0
            while before < index {
                if unsafe entry[before].key_length == entry[index].key_length,
                    unsafe entry[before].hasKey(entry[index].textOfKey)
                {
                    return index
                }
                before &+= 1
            }
            index &+= 1
        }
        return nil
    }
}

/// Whether two buffers hold the same bytes.
func hasEqualBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else { return true }
    return unsafe memcmp(leftBase, rightBase, left.count) == 0
}

extension hslink_entry {
    /// The bytes of the key.
    var keyBytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: key, count: key == nil ? 0 : Int(key_length))
    }

    /// The bytes of the key, bound to `UInt8`.
    fileprivate var textOfKey: UnsafeBufferPointer<UInt8> { unsafe keyBytes.assumingMemoryBound(to: UInt8.self) }
}
