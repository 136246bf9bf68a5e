public import CHSLink

extension Payload {
    /// A map whose keys are known to differ when the program is compiled: no key is copied, and keys are not
    /// compared with each other, which makes it quicker than a literal. For code that macros write.
    ///
    /// - Precondition: no key twice. A map that has one is refused by its receiver.
    @inlinable
    public init(__fields fields: (StaticString, Payload)...) {
        self = unsafe fields.withUnsafeBufferPointer { unsafe Payload.map(ofFields: $0) }
    }

    /// The map of one field. Up to four fields need no array in between.
    @inlinable
    public init(__fields first: (StaticString, Payload)) {
        self = unsafe withUnsafePointer(to: first) {
            unsafe Payload.map(ofFields: UnsafeBufferPointer(start: $0, count: 1))
        }
    }

    /// The map of two fields.
    @inlinable
    public init(__fields first: (StaticString, Payload), _ second: (StaticString, Payload)) {
        self = unsafe withUnsafeBytes(of: (first, second)) {
            unsafe Payload.map(ofFields: $0.assumingMemoryBound(to: (StaticString, Payload).self))
        }
    }

    /// The map of three fields.
    @inlinable
    public init(
        __fields first: (StaticString, Payload), _ second: (StaticString, Payload), _ third: (StaticString, Payload)
    ) {
        self = unsafe withUnsafeBytes(of: (first, second, third)) {
            unsafe Payload.map(ofFields: $0.assumingMemoryBound(to: (StaticString, Payload).self))
        }
    }

    /// The map of four fields.
    @inlinable
    public init(
        __fields first: (StaticString, Payload), _ second: (StaticString, Payload), _ third: (StaticString, Payload),
        _ fourth: (StaticString, Payload)
    ) {
        self = unsafe withUnsafeBytes(of: (first, second, third, fourth)) {
            unsafe Payload.map(ofFields: $0.assumingMemoryBound(to: (StaticString, Payload).self))
        }
    }

    @usableFromInline
    static func map(ofFields fields: UnsafeBufferPointer<(StaticString, Payload)>) -> Payload {
        guard !fields.isEmpty else { return unsafe Payload(node: hslink_map(nil, 0), owner: nil) }
        var ownerCount = 0
        for index in fields.indices where unsafe fields[index].1.owner != nil { ownerCount += 1 }
        let storage = unsafe PayloadStorage.make(
            byteCount: fields.count * MemoryLayout<hslink_entry>.stride, ownerCount: ownerCount)
        let entries = unsafe storage.memory.assumingMemoryBound(to: hslink_entry.self)
        var owners = unsafe storage.owners
        for index in fields.indices {
            unsafe (entries + index).initialize(to: hslink_entry(field: fields[index].0, fields[index].1.node))
            guard unsafe fields[index].1.owner != nil else { continue }
            unsafe owners.initialize(to: fields[index].1.owner)
            unsafe owners += 1
        }
        return unsafe Payload(node: hslink_map(entries, UInt32(fields.count)), owner: storage)
    }
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
