import CHSLink
import SystemSupport

extension Payload {
    /// Creates a map with the entries in the given order.
    ///
    /// - Precondition: The keys are unique. Use ``init(entries:uniquingKeysWith:)`` for keys from outside.
    public init(entries: [(String, Payload)]) {
        self = unsafe entries.withUnsafeBufferPointer { unsafe Payload.uniqueMap(of: $0) }
    }

    /// Returns the map of a literal or an array; traps on a duplicate key.
    @usableFromInline
    static func uniqueMap(of entries: UnsafeBufferPointer<(String, Payload)>) -> Payload {
        let map = unsafe map(of: entries)
        if let key = map.firstRepeatedKey { preconditionFailure("A payload map has the key \(key.quoted()) twice") }
        return map
    }

    /// Creates a map with the keys in the order in which they first appear in `entries`; `combine` resolves duplicate
    /// keys.
    public init(
        entries: [(String, Payload)], uniquingKeysWith combine: (Payload, Payload) -> Payload
    ) {
        var positions: [ExactText: Int] = [:]
        var unique: [(String, Payload)] = []
        for (key, value) in entries {
            if let position = positions[ExactText(key)] {
                unique[position].1 = combine(unique[position].1, value)
            } else {
                positions[ExactText(key)] = unique.count
                unique.append((key, value))
            }
        }
        self.init(uniqueEntries: unique)
    }

    /// Creates a map of entries whose keys are known to be unique.
    init(uniqueEntries entries: [(String, Payload)]) {
        self = unsafe entries.withUnsafeBufferPointer { unsafe Payload.map(of: $0) }
    }

    /// Returns a map in one allocation: references, then entries, then the bytes of the keys.
    private static func map(of source: UnsafeBufferPointer<(String, Payload)>) -> Payload {
        guard !source.isEmpty else { return unsafe Payload(node: hslink_map(nil, 0), owner: nil) }
        let entriesSize = unsafe source.count * MemoryLayout<hslink_entry>.stride
        var (textSize, ownerCount) = (0, 0)
        for index in source.indices {
            unsafe textSize += source[index].0.utf8.count
            if unsafe source[index].1.owner != nil { ownerCount += 1 }
        }
        let storage = PayloadStorage.make(byteCount: entriesSize + textSize, ownerCount: ownerCount)
        var owners = unsafe storage.owners
        let memory = unsafe storage.memory
        let entries = unsafe memory.assumingMemoryBound(to: hslink_entry.self)
        var text = unsafe memory + entriesSize
        for index in source.indices {
            let length = unsafe source[index].0.copyUTF8(to: text)
            unsafe (entries + index).initialize(
                to: hslink_entry(
                    key: UnsafePointer(text.assumingMemoryBound(to: CChar.self)), key_length: UInt32(length),
                    reserved: 0, value: source[index].1.node))
            unsafe text += length
            guard unsafe source[index].1.owner != nil else { continue }
            unsafe owners.initialize(to: source[index].1.owner)
            unsafe owners += 1
        }
        return unsafe Payload(node: hslink_map(entries, UInt32(source.count)), owner: storage)
    }

    /// The first duplicate key of a map; nil if there is none.
    var firstRepeatedKey: String? {
        defer { extendLifetime(owner) }
        let entries = unsafe node.entryNodes
        return unsafe KeyTable.firstRepeated(entries).map { unsafe entries[$0].keyText }
    }
}

extension String {
    /// Writes the UTF-8 bytes of the text to `target`, which must have room for all of them.
    ///
    /// - Returns: The number of bytes.
    @inline(__always)
    func copyUTF8(to target: UnsafeMutableRawPointer) -> Int {
        func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
            if let base = bytes.baseAddress { unsafe target.copyShort(from: base, byteCount: bytes.count) }
            return bytes.count
        }
        // Reads the bytes in place; `withUTF8` would copy the string first.
        if let length = unsafe utf8.withContiguousStorageIfAvailable({ unsafe copy($0) }) { return length }
        var text = self
        return text.withUTF8(copy)
    }
}

extension UnsafeMutableRawPointer {
    /// Copies bytes, usually few, such as those of a key: storing a few words inline is faster than calling memcpy.
    @inline(__always)
    func copyShort(from source: UnsafeRawPointer, byteCount count: Int) {
        switch count {
        case 8...16:
            let last = unsafe source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
            unsafe storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
            unsafe storeBytes(of: last, toByteOffset: count &- 8, as: UInt64.self)
        case 4...7:
            let last = unsafe source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            unsafe storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
            unsafe storeBytes(of: last, toByteOffset: count &- 4, as: UInt32.self)
        default: unsafe copyMemory(from: source, byteCount: count)
        }
    }
}
