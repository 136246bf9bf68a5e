public import CHSLink
import SystemSupport

extension Payload {
    /// Creates a bool.
    @inlinable
    public init(_ value: Bool) { unsafe self.init(node: hslink_bool(value ? 1 : 0), owner: nil) }

    /// Creates a signed integer.
    @inlinable
    public init(_ value: Int) { unsafe self.init(node: hslink_int(Int64(value)), owner: nil) }

    /// Creates a floating-point number.
    @inlinable
    public init(_ value: Double) { unsafe self.init(node: hslink_double(value), owner: nil) }

    /// Creates a copy of a string.
    public init(_ value: String) {
        var value = value
        let made = value.withUTF8 { unsafe Payload.copyOfBytes(UnsafeRawBufferPointer($0)) }
        unsafe self.init(node: hslink_utf8(made.memory, made.count), owner: made.owner)
    }

    /// Creates a copy of bytes.
    public init(_ value: [UInt8]) {
        self = unsafe value.withUnsafeBytes { unsafe Payload(copyingBytes: $0) }
    }

    /// Creates a copy of bytes.
    package init(copyingBytes bytes: UnsafeRawBufferPointer) {
        let made = unsafe Payload.copyOfBytes(bytes)
        unsafe self.init(node: hslink_bytes(made.memory, made.count), owner: made.owner)
    }

    /// Creates a point in time.
    @inlinable
    public init(_ value: Timestamp) {
        unsafe self.init(node: hslink_date(value.seconds, value.nanoseconds), owner: nil)
    }

    /// Creates an array.
    public init(_ items: [Payload]) {
        guard !items.isEmpty else {
            unsafe self.init(node: hslink_array(nil, 0), owner: nil)
            return
        }
        var ownerCount = 0
        for item in items where item.owner != nil { ownerCount += 1 }
        let storage = unsafe PayloadStorage.make(
            byteCount: items.count * MemoryLayout<hslink_value>.stride, ownerCount: ownerCount)
        let nodes = unsafe storage.memory.assumingMemoryBound(to: hslink_value.self)
        var owners = unsafe storage.owners
        for (index, item) in items.enumerated() {
            unsafe (nodes + index).initialize(to: item.node)
            guard let owner = item.owner else { continue }
            unsafe owners.initialize(to: owner)
            unsafe owners += 1
        }
        unsafe self.init(node: hslink_array(nodes, UInt32(items.count)), owner: storage)
    }

    /// Creates an array of copies of strings, in one allocation.
    @usableFromInline
    init(texts: [String]) {
        guard !texts.isEmpty else {
            unsafe self.init(node: hslink_array(nil, 0), owner: nil)
            return
        }
        let nodesSize = unsafe texts.count * MemoryLayout<hslink_value>.stride
        let storage = PayloadStorage.make(byteCount: texts.reduce(nodesSize) { $0 + $1.utf8.count })
        let nodes = unsafe storage.memory.assumingMemoryBound(to: hslink_value.self)
        var text = unsafe storage.memory + nodesSize
        for index in texts.indices {
            let length = unsafe texts[index].copyUTF8(to: text)
            let start = unsafe length == 0 ? nil : text.assumingMemoryBound(to: CChar.self)
            unsafe nodes[index] = unsafe hslink_utf8(start, UInt32(length))
            unsafe text += length
        }
        unsafe self.init(node: hslink_array(nodes, UInt32(texts.count)), owner: storage)
    }

    /// Creates a map with the keys of a dictionary in ascending order.
    public init(_ dictionary: [String: Payload]) {
        self.init(entries: dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Copies bytes into a new storage; traps if their count exceeds the boundary's 32 bits.
    private static func copyOfBytes(
        _ bytes: UnsafeRawBufferPointer
    ) -> (memory: UnsafePointer<UInt8>?, count: UInt32, owner: AnyObject?) {
        guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else { return (nil, 0, nil) }
        let storage = PayloadStorage.make(byteCount: bytes.count)
        unsafe storage.memory.copyMemory(from: base, byteCount: bytes.count)
        return unsafe (UnsafePointer(storage.memory.assumingMemoryBound(to: UInt8.self)), UInt32(bytes.count), storage)
    }
}

extension Payload {
    /// Creates a bool.
    @inlinable public static func bool(_ value: Bool) -> Payload { Payload(value) }
    /// Creates a signed integer.
    @inlinable public static func int(_ value: Int64) -> Payload { unsafe Payload(node: hslink_int(value), owner: nil) }
    /// Creates an unsigned integer; it equals the signed one if it fits a signed integer.
    @inlinable public static func uint(_ value: UInt64) -> Payload {
        unsafe Payload(node: hslink_uint(value), owner: nil)
    }
    /// Creates a floating-point number.
    @inlinable public static func double(_ value: Double) -> Payload { Payload(value) }
    /// Creates a copy of a string.
    @inlinable public static func string(_ value: String) -> Payload { Payload(value) }
    /// Creates a copy of bytes.
    @inlinable public static func bytes(_ value: [UInt8]) -> Payload { Payload(value) }
    /// Creates a point in time.
    @inlinable public static func date(_ value: Timestamp) -> Payload { Payload(value) }
    /// Creates an array.
    @inlinable public static func array(_ items: [Payload]) -> Payload { Payload(items) }
    /// Creates a map with the entries in the given order; traps on a duplicate key.
    @inlinable public static func map(_ entries: [(String, Payload)]) -> Payload { Payload(entries: entries) }
}

extension Payload: ExpressibleByNilLiteral {
    /// Creates a null.
    @inlinable public init(nilLiteral: ()) { self = .null }
}

extension Payload: ExpressibleByBooleanLiteral {
    /// Creates a bool.
    @inlinable public init(booleanLiteral value: Bool) { self.init(value) }
}

extension Payload: ExpressibleByIntegerLiteral {
    /// Creates a signed integer.
    @inlinable public init(integerLiteral value: Int) { self.init(value) }
}

extension Payload: ExpressibleByFloatLiteral {
    /// Creates a floating-point number.
    @inlinable public init(floatLiteral value: Double) { self.init(value) }
}

extension Payload: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: Payload...) { self.init(elements) }
}

extension Payload: ExpressibleByDictionaryLiteral {
    /// Creates a map with the entries in source order; traps on a duplicate key.
    @inlinable
    public init(dictionaryLiteral elements: (String, Payload)...) {
        // Inlinable, so that the array stays on the caller's stack.
        self = unsafe elements.withUnsafeBufferPointer { unsafe Payload.uniqueMap(of: $0) }
    }
}

extension Payload: ExpressibleByStringInterpolation {
    /// Creates a string that refers to the literal without copying it: literals live as long as the program.
    @inlinable
    public init(stringLiteral value: StaticString) {
        if value.hasPointerRepresentation {
            unsafe self.init(node: hslink_utf8(value.utf8Start, UInt32(value.utf8CodeUnitCount)), owner: nil)
        } else {
            self.init(String(value.unicodeScalar))
        }
    }

    /// Creates a string from the collected pieces.
    public init(stringInterpolation: Interpolation) { self.init(stringInterpolation.text) }

    /// Collects the pieces of `"…\(x)…"`.
    public struct Interpolation: StringInterpolationProtocol {
        var text = ""

        /// Reserves roughly the capacity that the text will need.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 8)
        }

        /// Appends a literal piece.
        public mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Appends the description of a value.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += value.description
        }
    }
}

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
