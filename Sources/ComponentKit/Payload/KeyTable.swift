import CHSLink

/// Finds a map's keys by their bytes.
///
/// Keys are compared as UTF-8 bytes, as the boundary does: `String` would call "é" and "e" with an accent
/// equal, so that two keys of a valid map would be one.
struct KeyTable {
    /// Index plus one, 0 for a free slot; a power of two, at most half full.
    private var slots: [UInt32]

    /// - Parameter count: how many keys will be inserted at most.
    init(count: Int) {
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        slots = Array(repeating: 0, count: capacity)
    }

    /// Adds the key of `index`, unless an equal one is there, whose index is returned.
    ///
    /// - Parameter key: the bytes of a key by its index.
    mutating func insert(_ index: Int, key: (Int) -> UnsafeRawBufferPointer) -> Int? {
        let slot = unsafe slot(of: key(index), key: key)
        guard slots[slot] == 0 else { return Int(slots[slot]) - 1 }
        slots[slot] = UInt32(index + 1)
        return nil
    }

    /// The index of the key with these bytes.
    func find(_ bytes: UnsafeRawBufferPointer, key: (Int) -> UnsafeRawBufferPointer) -> Int? {
        let index = unsafe slots[slot(of: bytes, key: key)]
        return index == 0 ? nil : Int(index) - 1
    }

    /// Where a key is or would be. `Hasher` is seeded for each process, so keys that all fall into one slot
    /// cannot be prepared from outside.
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
    /// How many keys are quicker compared with each other than hashed.
    private static let fewKeys = 16

    /// The index of the first key that came before; nil when all differ.
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

    /// The index of the first entry whose key came before; nil when all differ.
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

/// Whether two pieces of memory hold the same bytes.
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

    /// The same as bytes of text.
    fileprivate var textOfKey: UnsafeBufferPointer<UInt8> { unsafe keyBytes.assumingMemoryBound(to: UInt8.self) }
}
