import CHSLink

/// The memory behind a map whose keys are constants of the program: its entries, and behind them a reference
/// for each that needs one, in one allocation. Written once while it is built, read-only from then on.
final class FieldStorage: ManagedBuffer<Int, UInt64> {
    /// The map with these fields.
    static func map(_ fields: UnsafeBufferPointer<(StaticString, Payload)>) -> Payload {
        guard !fields.isEmpty else { return unsafe Payload(node: hslink_map(nil, 0), owner: nil) }
        let entriesSize = unsafe fields.count * MemoryLayout<hslink_entry>.stride
        let size = entriesSize + fields.count * MemoryLayout<AnyObject?>.stride
        let buffer = FieldStorage.create(minimumCapacity: size / MemoryLayout<UInt64>.stride) { _ in fields.count }
        return unsafe buffer.withUnsafeMutablePointerToElements { memory in
            let entries = unsafe UnsafeMutableRawPointer(memory).assumingMemoryBound(to: hslink_entry.self)
            let owners = unsafe FieldStorage.owners(behind: memory, count: fields.count)
            for index in fields.indices {
                let (key, value) = unsafe fields[index]
                unsafe (entries + index).initialize(to: hslink_entry(field: key, value.node))
                unsafe (owners + index).initialize(to: value.owner)
            }
            return unsafe Payload(node: hslink_map(entries, UInt32(fields.count)), owner: buffer)
        }
    }

    deinit {
        _ = unsafe withUnsafeMutablePointers { count, memory in
            unsafe FieldStorage.owners(behind: memory, count: count.pointee).deinitialize(count: count.pointee)
        }
    }

    /// Entries are as aligned as references are.
    private static func owners(
        behind memory: UnsafeMutablePointer<UInt64>, count: Int
    ) -> UnsafeMutablePointer<AnyObject?> {
        let end = unsafe UnsafeMutableRawPointer(memory) + count * MemoryLayout<hslink_entry>.stride
        return unsafe end.assumingMemoryBound(to: AnyObject?.self)
    }
}

extension hslink_entry {
    /// The key is not copied: it lives as long as the program.
    fileprivate init(field key: StaticString, _ value: hslink_value) {
        guard key.hasPointerRepresentation else {
            preconditionFailure("a field's key is a literal of more than a scalar's number")
        }
        unsafe self.init(
            key: UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self),
            key_length: UInt32(key.utf8CodeUnitCount), reserved: 0, value: value)
    }
}
