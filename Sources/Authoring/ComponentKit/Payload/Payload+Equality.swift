import CHSLink

extension Payload: Hashable {
    /// Returns whether both payloads have the same kind and value. The order of map keys does not matter, doubles are
    /// compared as numbers with NaN equal to itself, objects are compared by identity, and an integer never equals a
    /// double.
    public static func == (left: Payload, right: Payload) -> Bool {
        defer { extendLifetime((left.owner, right.owner)) }
        return unsafe left.node.isEqual(to: right.node)
    }

    /// Hashes the kind, and the value of a number, the seconds of a date, or the length of anything else, which
    /// distinguishes most values.
    public func hash(into hasher: inout Hasher) {
        defer { extendLifetime(owner) }
        hasher.combine(kind)
        switch kind {
        case .int, .uint, .date: unsafe hasher.combine(node.as.u64)
        // Both zeros are equal, and so are all NaNs.
        case .double: unsafe hasher.combine(node.as.f64.isNaN ? .nan : node.as.f64)
        default: unsafe hasher.combine(node.length)
        }
    }
}

extension hslink_value {
    fileprivate func isEqual(to other: hslink_value) -> Bool {
        guard unsafe tag == other.tag else { return false }
        switch unsafe kind {
        case .null: return true
        case .bool: return unsafe boolValue == other.boolValue
        case .int: return unsafe `as`.i64 == other.`as`.i64
        case .uint: return unsafe `as`.u64 == other.`as`.u64
        case .double: return unsafe `as`.f64 == other.`as`.f64 || (`as`.f64.isNaN && other.`as`.f64.isNaN)
        case .string: return unsafe textBytes.elementsEqual(other.textBytes)
        case .bytes:
            return unsafe bytesValue == other.bytesValue
        case .date: return unsafe `as`.i64 == other.`as`.i64 && length == other.length
        case .array:
            return unsafe length == other.length
                && zip(itemNodes, other.itemNodes).allSatisfy { unsafe $0.isEqual(to: $1) }
        case .map: return unsafe length == other.length && hasEqualEntries(with: other)
        case .object: return unsafe `as`.object == other.`as`.object
        case .unknown: return unsafe `as`.u64 == other.`as`.u64 && length == other.length
        }
    }

    /// Compares entries by index, because maps built in the same way have their keys in the same order, and searches
    /// for a key only where the keys differ.
    private func hasEqualEntries(with other: hslink_value) -> Bool {
        let entries = unsafe entryNodes
        let others = unsafe other.entryNodes
        guard entries.count == others.count else { return false }
        var table: KeyTable?
        for index in entries.indices {
            let entry = unsafe entries[index]
            var position: Int? = index
            if unsafe !hasEqualBytes(entry.keyBytes, others[index].keyBytes) {
                if table == nil {
                    table = KeyTable(count: others.count)
                    for index in others.indices { _ = unsafe table?.insert(index) { unsafe others[$0].keyBytes } }
                }
                position = unsafe table?.find(entry.keyBytes) { unsafe others[$0].keyBytes }
            }
            guard let position, unsafe entry.value.isEqual(to: others[position].value) else { return false }
        }
        return true
    }
}
