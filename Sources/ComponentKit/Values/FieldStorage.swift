public import CHSLink

/// The memory behind a map whose keys are constants of the program: its entries, behind them a reference for
/// each that needs one, then text, in one allocation. Written once while it is built, read-only from then on.
final class FieldStorage: ManagedBuffer<FieldStorage.Header, UInt64> {
    struct Header {
        let fieldCount: Int
        /// How many references there are; each field has room for one.
        var ownerCount = 0
    }

    static func make(fieldCount: Int, textSize: Int) -> FieldStorage {
        let fieldSize = unsafe MemoryLayout<hslink_entry>.stride + MemoryLayout<AnyObject>.stride
        let size = fieldCount * fieldSize + textSize
        let buffer = FieldStorage.create(minimumCapacity: (size + 7) / MemoryLayout<UInt64>.stride) { _ in
            Header(fieldCount: fieldCount)
        }
        // `create` is documented to return an instance of the class it is called on.
        return unsafe unsafeDowncast(buffer, to: FieldStorage.self)
    }

    /// The map with these fields.
    static func map(_ fields: UnsafeBufferPointer<(StaticString, Payload)>) -> Payload {
        guard !fields.isEmpty else { return unsafe Payload(node: hslink_map(nil, 0), owner: nil) }
        let storage = make(fieldCount: fields.count, textSize: 0)
        let entries = unsafe storage.entries
        for index in fields.indices {
            let (key, value) = unsafe fields[index]
            unsafe (entries + index).initialize(to: hslink_entry(field: key, value.node))
            if let owner = value.owner { storage.keep(owner) }
        }
        return unsafe Payload(node: hslink_map(entries, UInt32(fields.count)), owner: storage)
    }

    /// Holds a reference for as long as this lives.
    ///
    /// - Precondition: called at most once for each field.
    func keep(_ owner: AnyObject) {
        precondition(header.ownerCount < header.fieldCount)
        unsafe (owners + header.ownerCount).initialize(to: owner)
        header.ownerCount += 1
    }

    deinit {
        _ = unsafe owners.deinitialize(count: header.ownerCount)
    }

    /// The first entry. Valid while the storage is referenced.
    var entries: UnsafeMutablePointer<hslink_entry> {
        unsafe withUnsafeMutablePointerToElements {
            unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: hslink_entry.self)
        }
    }

    /// Entries are as aligned as references are.
    private var owners: UnsafeMutablePointer<AnyObject> {
        unsafe UnsafeMutableRawPointer(entries + header.fieldCount).assumingMemoryBound(to: AnyObject.self)
    }

    /// The first byte of the text. Valid while the storage is referenced.
    var text: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(owners + header.fieldCount) }
}

extension hslink_entry {
    /// The key is not copied: it lives as long as the program.
    @inlinable @inline(__always)
    init(field key: StaticString, _ value: hslink_value) {
        guard key.hasPointerRepresentation else {
            preconditionFailure("a field's key is a literal of more than a scalar's number")
        }
        unsafe self.init(
            key: UnsafeRawPointer(key.utf8Start).assumingMemoryBound(to: CChar.self),
            key_length: UInt32(key.utf8CodeUnitCount), reserved: 0, value: value)
    }
}
