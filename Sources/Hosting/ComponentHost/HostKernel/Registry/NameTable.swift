import ComponentKit

/// An immutable hash table from names to non-zero words. It is faster than a `Dictionary` for the few dozen bytes of a
/// class or selector name, and reading it touches no reference count.
@safe
// Unchecked: the compiler cannot reason about the pointer `rows`; the rows are written once, in init.
final class NameTable: @unchecked Sendable {
    @unsafe
    private struct Row {
        var hash: UInt64 = 0
        var name: UnsafeMutableRawPointer?
        var length = 0
        var value: UInt = 0
    }

    private let rows: UnsafeMutablePointer<Row>
    private let mask: Int

    /// - Parameter entries: the names and their words; if a name occurs twice, its first entry counts.
    init(_ entries: [(name: String, value: UInt)]) {
        var capacity = 4
        while capacity < entries.count * 2 { capacity *= 2 }
        unsafe rows = .allocate(capacity: capacity)
        unsafe rows.initialize(repeating: Row(), count: capacity)
        mask = capacity - 1
        for (name, value) in entries {
            var name = name
            name.withUTF8 { unsafe insert(UnsafeRawBufferPointer($0), value) }
        }
    }

    deinit {
        for index in 0...mask { unsafe rows[index].name?.deallocate() }
        unsafe rows.deallocate()
    }

    private func insert(_ name: UnsafeRawBufferPointer, _ value: UInt) {
        let hash = unsafe NameTable.hash(name)
        var index = Int(truncatingIfNeeded: hash) & mask
        while unsafe rows[index].value != 0 {
            if unsafe rows[index].hash == hash, unsafe matches(rows[index], name) { return }
            index = (index + 1) & mask
        }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(name.count, 1), alignment: 1)
        if let base = name.baseAddress { unsafe copy.copyMemory(from: base, byteCount: name.count) }
        unsafe rows[index] = unsafe Row(hash: hash, name: copy, length: name.count, value: value)
    }

    /// Returns the word of `name`, or 0 if there is none.
    @inline(__always)
    func find(_ name: UnsafeRawBufferPointer) -> UInt {
        let hash = unsafe NameTable.hash(name)
        var index = Int(truncatingIfNeeded: hash) & mask
        while unsafe rows[index].value != 0 {
            if unsafe rows[index].hash == hash, unsafe matches(rows[index], name) { return unsafe rows[index].value }
            index = (index + 1) & mask
        }
        return 0
    }

    /// Returns the word of `name`, or 0 if there is none.
    @inline(__always)
    func find(_ name: borrowing String) -> UInt {
        // Read the bytes in place; only a string that is not native to Swift is copied first.
        if let word = unsafe name.utf8.withContiguousStorageIfAvailable({ unsafe find(UnsafeRawBufferPointer($0)) }) {
            return word
        }
        var text = copy name
        return text.withUTF8 { unsafe find(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    private func matches(_ row: Row, _ name: UnsafeRawBufferPointer) -> Bool {
        guard unsafe row.length == name.count else { return false }
        guard let left = unsafe row.name, let right = name.baseAddress else { return true }
        return unsafe UnsafeRawPointer(left).hasName(right, count: name.count)
    }

    /// Returns a hash that mixes eight bytes at a time. Names come from manifests that the host has chosen to trust, so
    /// the hash does not have to withstand an attacker who picks them.
    @inline(__always)
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: name.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset + 8 <= name.count {
            hash = unsafe mix(hash ^ name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        let left = name.count - offset
        guard left > 0 else { return hash }
        var tail: UInt64 = 0
        if left & 4 != 0 {
            tail = unsafe UInt64(name.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            offset += 4
        }
        if left & 2 != 0 {
            tail = unsafe tail << 16 | UInt64(name.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            offset += 2
        }
        if left & 1 != 0 { tail = unsafe tail << 8 | UInt64(name[offset]) }
        return mix(hash ^ tail)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
