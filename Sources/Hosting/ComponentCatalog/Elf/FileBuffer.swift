import Glibc

/// A buffer that is filled from files with `pread`, and reused from file to file.
///
/// Files are not mapped, because reading a mapped file that has been truncated ends the process with SIGBUS.
@safe
package struct FileBuffer: ~Copyable {
    private var memory: UnsafeMutableRawBufferPointer
    private var count = 0

    package init(capacity: Int) {
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe memory.deallocate() }

    /// The bytes that the last `fill` read; valid until the next one.
    package var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Reads `count` bytes from `offset`, or fewer if the file ends earlier.
    ///
    /// - Throws: `notReadable` with the system's error message.
    package mutating func fill(
        _ count: Int, at offset: UInt64, from descriptor: Int32
    ) throws(ComponentFileError) {
        self.count = 0
        if unsafe memory.count < count {
            unsafe memory.deallocate()
            unsafe memory = .allocate(byteCount: count, alignment: 16)
        }
        guard let start = off_t(exactly: offset), start <= off_t.max - off_t(count) else { return }
        while self.count < count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[self.count..<count])
            let got = unsafe pread(descriptor, rest.baseAddress, rest.count, start + off_t(self.count))
            if got < 0 && errno == EINTR { continue }
            if got < 0 { throw .system(errno, while: "read") }
            if got == 0 { return }
            self.count += got
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the little-endian integer at `offset`; nil when it is not completely inside the buffer.
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        _: Integer.Type = Integer.self, at offset: Int
    ) -> Integer? {
        let size = MemoryLayout<Integer>.size
        guard offset >= 0, count >= size, offset <= count - size else { return nil }
        return unsafe Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }

    /// Returns the text from `offset` to the next NUL byte; nil when there is none within `limit` bytes, or it is not UTF-8.
    ///
    /// - Parameter isShown: Whether the text is only shown and compared, so that it may be repaired. No file must be
    ///   looked for by a repaired name: it would be another one than the loader opens.
    func terminatedText(at offset: Int, limit: Int, isShown: Bool = false) -> String? {
        guard offset >= 0 && offset < count else { return nil }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: self[offset...].prefix(limit))
        guard let length = unsafe rest.firstIndex(of: 0) else { return nil }
        return isShown
            ? unsafe String(decoding: rest[..<length], as: UTF8.self)
            : unsafe String(validating: rest[..<length], as: UTF8.self)
    }
}
