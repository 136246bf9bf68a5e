/// An integer of C.
struct IntegerForm: Sendable, Hashable {
    /// 1, 2, 4 or 8 bytes.
    let size: Int
    let isSigned: Bool

    /// As manifests call it.
    var words: String { (isSigned ? "Int" : "UInt") + "\(size * 8)" }

    /// What it holds, for messages.
    var rangeWords: String {
        isSigned
            ? "int from \(Int64.min >> (64 - size * 8)) to \(Int64.max >> (64 - size * 8))"
            : "int from 0 to \(UInt64.max >> (64 - size * 8))"
    }

    /// Whether it holds a signed number.
    @inline(__always)
    func holds(_ number: Int64) -> Bool {
        if isSigned {
            let shift = 64 - size * 8
            return (number << shift) >> shift == number
        }
        return number >= 0 && (size == 8 || number >> (size * 8) == 0)
    }

    /// Writes the low bytes of a number.
    @inline(__always)
    func store(_ bits: Int64, at memory: UnsafeMutableRawPointer) {
        switch size {
        case 1: unsafe memory.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
        case 2: unsafe memory.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
        case 4: unsafe memory.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
        default: unsafe memory.storeBytes(of: bits, as: Int64.self)
        }
    }

    /// The number there; an unsigned one of 8 bytes by its bits.
    @inline(__always)
    func load(_ memory: UnsafeRawPointer) -> Int64 {
        switch (size, isSigned) {
        case (1, true): unsafe Int64(memory.loadUnaligned(as: Int8.self))
        case (1, false): unsafe Int64(memory.loadUnaligned(as: UInt8.self))
        case (2, true): unsafe Int64(memory.loadUnaligned(as: Int16.self))
        case (2, false): unsafe Int64(memory.loadUnaligned(as: UInt16.self))
        case (4, true): unsafe Int64(memory.loadUnaligned(as: Int32.self))
        case (4, false): unsafe Int64(memory.loadUnaligned(as: UInt32.self))
        default: unsafe memory.loadUnaligned(as: Int64.self)
        }
    }
}
