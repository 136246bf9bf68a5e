import Glibc

/// Memory of one call: what the stack has room for, and what had to be allocated. Zeroed.
@safe
struct CallArena: ~Copyable {
    private var next: UnsafeMutableRawPointer?
    private var rest: Int
    private var allocated: [UnsafeMutableRawPointer] = unsafe []

    /// More nobody passes in one piece.
    static let maximumSize = 1 << 30

    /// - Parameters:
    ///   - memory: aligned to 16 bytes.
    ///   - size: in bytes.
    init(_ memory: UnsafeMutableRawPointer, size: Int) {
        unsafe next = unsafe memory
        rest = size
    }

    /// Everything is allocated.
    init() {
        unsafe next = nil
        rest = 0
    }

    deinit {
        for index in unsafe allocated.indices { unsafe free(allocated[index]) }
    }

    /// - Returns: `size` zeroed bytes, aligned to 16 bytes, valid as long as the arena; nil when there are none.
    mutating func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size >= 0, size <= CallArena.maximumSize else { return nil }
        let rounded = max((size + 15) & ~15, 16)
        if rounded <= rest, let pointer = unsafe next {
            unsafe next = unsafe pointer + rounded
            rest -= rounded
            unsafe memset(pointer, 0, rounded)
            return unsafe pointer
        }
        guard let pointer = unsafe calloc(1, rounded) else { return nil }
        unsafe allocated.append(pointer)
        return unsafe pointer
    }
}
