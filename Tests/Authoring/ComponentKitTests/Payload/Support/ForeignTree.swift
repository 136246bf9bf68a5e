import CHSLink
import ComponentKit

/// A value of the boundary as another component would make it, possibly malformed.
@safe
struct ForeignNode {
    let value: hslink_value

    static var null: ForeignNode { unsafe ForeignNode(value: hslink_null()) }
    static func int(_ number: Int64) -> ForeignNode { unsafe ForeignNode(value: hslink_int(number)) }
    static func double(_ number: Double) -> ForeignNode { unsafe ForeignNode(value: hslink_double(number)) }

    /// Any tag with any content.
    static func raw(_ tag: Int, length: UInt32, bits: Int64 = 0) -> ForeignNode {
        unsafe ForeignNode(value: hslink_value_make(UInt32(tag), length, bits))
    }

    /// The same value with a false length.
    func lying(length: UInt32, tag: Int? = nil) -> ForeignNode {
        var copy = unsafe value
        unsafe copy.length = length
        if let tag { unsafe copy.tag = UInt32(tag) }
        return unsafe ForeignNode(value: copy)
    }

    func copy(_ limits: PayloadLimits = .standard) throws(PayloadError) -> Payload {
        try unsafe Payload(copying: value, limits: limits)
    }

    /// Reads the value without copying it.
    func read<Value>(_ body: (borrowing PayloadView) throws(PayloadError) -> Value) throws(PayloadError) -> Value {
        try unsafe withUnsafePointer(to: value) { node throws(PayloadError) in
            try unsafe body(PayloadView(unsafeBorrowing: node))
        }
    }
}

/// Memory for trees of foreign values; frees it at the end.
@safe
final class ForeignTree {
    private var memory: [UnsafeMutableRawPointer] = unsafe []

    deinit { for index in unsafe memory.indices { unsafe memory[index].deallocate() } }

    func text(_ bytes: [UInt8]) -> ForeignNode {
        unsafe ForeignNode(value: hslink_utf8(copy(bytes).assumingMemoryBound(to: CChar.self), UInt32(bytes.count)))
    }

    func text(_ text: String) -> ForeignNode { self.text(Array(text.utf8)) }

    func array(_ items: [ForeignNode]) -> ForeignNode {
        let block = unsafe copy(items.map { unsafe $0.value }).assumingMemoryBound(to: hslink_value.self)
        return unsafe ForeignNode(value: hslink_array(block, UInt32(items.count)))
    }

    func map(_ entries: [(key: [UInt8], value: ForeignNode)]) -> ForeignNode {
        let entries = unsafe entries.map { key, value in
            unsafe hslink_entry(
                key: UnsafePointer(copy(key).assumingMemoryBound(to: CChar.self)), key_length: UInt32(key.count),
                reserved: 0, value: value.value)
        }
        return unsafe map(copying: entries)
    }

    func map(_ entries: KeyValuePairs<String, ForeignNode>) -> ForeignNode {
        map(entries.map { (Array($0.key.utf8), $0.value) })
    }

    /// A map with a key that has a length but no memory.
    func mapWithoutKey(length: UInt32) -> ForeignNode {
        unsafe map(copying: [hslink_entry(key: nil, key_length: length, reserved: 0, value: hslink_null())])
    }

    /// An array whose second element is the array itself.
    func cycle() -> ForeignNode {
        let block = UnsafeMutablePointer<hslink_value>.allocate(capacity: 2)
        unsafe memory.append(UnsafeMutableRawPointer(block))
        unsafe block[0] = unsafe hslink_null()
        unsafe block[1] = unsafe hslink_array(block, 2)
        return unsafe ForeignNode(value: block[1])
    }

    private func map(copying entries: [hslink_entry]) -> ForeignNode {
        let block = unsafe copy(entries).assumingMemoryBound(to: hslink_entry.self)
        return unsafe ForeignNode(value: hslink_map(block, UInt32(entries.count)))
    }

    private func copy<Element>(_ elements: [Element]) -> UnsafeMutableRawPointer {
        let size = max(elements.count * MemoryLayout<Element>.stride, 1)
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe elements.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { unsafe block.copyMemory(from: base, byteCount: bytes.count) }
        }
        unsafe memory.append(block)
        return unsafe block
    }
}

extension Payload {
    /// Reads the payload like a callee that borrows it for the duration of a call.
    func borrowed<Value>(
        _ body: (borrowing PayloadView) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value {
        try unsafe withUnsafeValue { node throws(PayloadError) in try unsafe body(PayloadView(unsafeBorrowing: node)) }
    }
}
