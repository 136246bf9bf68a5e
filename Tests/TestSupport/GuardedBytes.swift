import Foundation

/// Memory that ends at an unreadable page: reading one byte more ends the process.
@safe
public final class GuardedBytes {
    private let mapping: UnsafeMutableRawPointer
    private let pageSize = Int(getpagesize())
    private let count: Int

    /// The first byte. Aligned to 8 when the number of bytes is a multiple of 8.
    public var start: UnsafeMutableRawPointer { unsafe mapping + pageSize - count }

    /// Copies the first bytes of a value, or all of them; bytes beyond the value are zero.
    ///
    /// - Parameter count: The number of bytes, at most one page.
    public init<Value>(_ value: Value, count: Int = MemoryLayout<Value>.size) {
        self.count = count
        precondition(count <= pageSize)
        let memory = unsafe mmap(nil, pageSize * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { preconditionFailure("no memory") }
        unsafe mapping = unsafe memory
        precondition(unsafe mprotect(memory + pageSize, pageSize, PROT_NONE) == 0)
        unsafe withUnsafeBytes(of: value) { bytes in
            guard let source = bytes.baseAddress else { return }
            unsafe start.copyMemory(from: source, byteCount: min(bytes.count, count))
        }
    }

    deinit { unsafe munmap(mapping, pageSize * 2) }
}
