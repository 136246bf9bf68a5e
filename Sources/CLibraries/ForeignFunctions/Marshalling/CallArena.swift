import Glibc

/// Zeroed memory for one call: a piece of the stack first, then the heap.
@safe
struct CallArena: ~Copyable {
    private var next: UnsafeMutableRawPointer?
    private var rest: Int
    private var allocated: [UnsafeMutableRawPointer] = unsafe []

    /// The maximum size of one allocation in bytes.
    static let maximumSize = 1 << 30

    /// - Parameters:
    ///   - memory: Memory on the stack, aligned to 16 bytes.
    ///   - size: The size of `memory` in bytes.
    init(_ memory: UnsafeMutableRawPointer, size: Int) {
        unsafe next = unsafe memory
        rest = size
    }

    /// Makes an arena that uses only the heap.
    init() {
        unsafe next = nil
        rest = 0
    }

    deinit {
        for index in unsafe allocated.indices { unsafe free(allocated[index]) }
    }

    /// - Returns: `size` zeroed bytes, aligned to 16 bytes and valid as long as the arena; nil if `size` is too large
    ///   or memory is exhausted.
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

/// Memory that C was given to fill in.
@unsafe
struct DataRoom {
    let memory: UnsafeRawPointer
    let size: Int
}
