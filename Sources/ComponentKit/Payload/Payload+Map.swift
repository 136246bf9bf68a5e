import CHSLink

extension Payload {
    /// A map in the order of `entries`.
    ///
    /// - Precondition: no key twice. Use ``init(entries:uniquingKeysWith:)`` for keys from outside.
    public init(entries: [(String, Payload)]) {
        self.init(uniqueEntries: entries)
        if let key = firstRepeatedKey { preconditionFailure("A payload map has the key \(key.excerpt) twice") }
    }

    /// A map in the order in which keys first appear in `entries`; `combine` decides between two
    /// values of one key.
    public init(
        entries: [(String, Payload)], uniquingKeysWith combine: (Payload, Payload) -> Payload
    ) {
        var positions: [ExactKey: Int] = [:]
        var unique: [(String, Payload)] = []
        for (key, value) in entries {
            if let position = positions[ExactKey(text: key)] {
                unique[position].1 = combine(unique[position].1, value)
            } else {
                positions[ExactKey(text: key)] = unique.count
                unique.append((key, value))
            }
        }
        self.init(uniqueEntries: unique)
    }

    /// The map in one allocation: entries first, then the bytes of the keys.
    init(uniqueEntries entries: [(String, Payload)]) {
        guard !entries.isEmpty else {
            unsafe self.init(node: hslink_map(nil, 0), owner: nil)
            return
        }
        let entriesSize = unsafe entries.count * MemoryLayout<hslink_entry>.stride
        var byteCount = entriesSize
        var owners: [AnyObject] = []
        for (key, value) in entries {
            byteCount += key.utf8.count
            guard let owner = value.owner else { continue }
            if owners.isEmpty { owners.reserveCapacity(entries.count) }
            owners.append(owner)
        }
        let storage = PayloadStorage.make(byteCount: byteCount, owners: owners)
        let memory = unsafe storage.memory
        let target = unsafe memory.assumingMemoryBound(to: hslink_entry.self)
        var text = unsafe memory + entriesSize
        for index in entries.indices {
            var key = entries[index].0
            let length = key.withUTF8 { bytes in
                if let base = bytes.baseAddress { unsafe text.copyMemory(from: base, byteCount: bytes.count) }
                return bytes.count
            }
            unsafe target[index] = unsafe hslink_entry(
                key: UnsafePointer(text.assumingMemoryBound(to: CChar.self)), key_length: UInt32(length),
                reserved: 0, value: entries[index].1.node)
            unsafe text += length
        }
        unsafe self.init(node: hslink_map(target, UInt32(entries.count)), owner: storage)
    }

    /// Whether a map has a key twice.
    var firstRepeatedKey: String? {
        defer { extendLifetime(owner) }
        let entries = unsafe node.entryNodes
        return unsafe KeyTable.firstRepeated(count: entries.count) { unsafe entries[$0].keyBytes }
            .map { unsafe entries[$0].keyText }
    }
}

/// A key with the equality of the boundary: the same bytes.
private struct ExactKey: Hashable {
    let text: String

    static func == (left: ExactKey, right: ExactKey) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
