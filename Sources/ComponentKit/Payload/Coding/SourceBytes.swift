/// The bytes that a reader of an encoded form reads. Every access is checked, also in release builds:
/// what is read here comes from outside.
@safe
struct SourceBytes {
    private let start: UnsafePointer<UInt8>?
    let count: Int

    /// - Parameter bytes: valid as long as the value is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
    }

    /// The byte at `index`, 0 beyond the end.
    subscript(index: Int) -> UInt8 {
        @inline(__always) get {
            guard index >= 0, index < count, let start = unsafe start else { return 0 }
            return unsafe start[index]
        }
    }

    /// A part of the bytes; what lies beyond the end is left out.
    subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
        let lower = min(max(range.lowerBound, 0), count)
        let upper = min(max(range.upperBound, lower), count)
        guard let start = unsafe start else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeRawBufferPointer(start: start + lower, count: upper - lower)
    }

    /// A big-endian number of `size` bytes at `index`; the caller has seen that they are there.
    func number(at index: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for offset in 0..<size { value = value << 8 | UInt64(self[index + offset]) }
        return value
    }
}

extension SourceBytes {
    /// Eight bytes as they are in memory; nil where fewer are left.
    func word(at index: Int) -> UInt64? {
        guard index >= 0, count - index >= 8, let start = unsafe start else { return nil }
        return unsafe UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)
    }
}
