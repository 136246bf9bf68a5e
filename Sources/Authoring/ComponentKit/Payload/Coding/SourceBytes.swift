/// The encoded input of a reader. Every access is bounds-checked, even in release builds, because the input is
/// untrusted.
@safe
struct SourceBytes {
    private let start: UnsafePointer<UInt8>?
    let count: Int

    /// - Parameter bytes: The input; it must stay valid as long as this value is used.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        count = bytes.count
    }

    /// The byte at `index`; 0 beyond the end.
    subscript(index: Int) -> UInt8 {
        @inline(__always) get {
            guard index >= 0, index < count, let start = unsafe start else { return 0 }
            return unsafe start[index]
        }
    }

    /// A part of the bytes, clamped to the end of the input.
    subscript(range: Range<Int>) -> UnsafeRawBufferPointer {
        let lower = min(max(range.lowerBound, 0), count)
        let upper = min(max(range.upperBound, lower), count)
        guard let start = unsafe start else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
        return unsafe UnsafeRawBufferPointer(start: start + lower, count: upper - lower)
    }

    /// Returns the big-endian number of `size` bytes at `index`; the caller has checked that the bytes exist.
    func number(at index: Int, size: Int) -> UInt64 {
        var value: UInt64 = 0
        for offset in 0..<size { value = value << 8 | UInt64(self[index + offset]) }
        return value
    }
}

extension SourceBytes {
    /// Returns eight bytes in memory order; nil if fewer are left.
    func word(at index: Int) -> UInt64? {
        guard index >= 0, count - index >= 8, let start = unsafe start else { return nil }
        return unsafe UnsafeRawPointer(start + index).loadUnaligned(as: UInt64.self)
    }
}
