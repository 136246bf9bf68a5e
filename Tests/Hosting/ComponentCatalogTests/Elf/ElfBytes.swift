/// Changes in the bytes of an ELF file.
extension [UInt8] {
    /// Returns the bytes with a little-endian integer written at `offset`.
    func patched(_ offset: Int, _ value: some FixedWidthInteger) -> [UInt8] {
        var copy = self
        for index in 0..<(value.bitWidth / 8) { copy[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        return copy
    }

    func integer<Integer: FixedWidthInteger>(_: Integer.Type, at offset: Int) -> Integer {
        (0..<Integer.bitWidth / 8).reduce(0) { $0 | Integer(truncatingIfNeeded: self[offset + $1]) << (8 * $1) }
    }

    /// Returns the offset of the first program header of a type; 0 if there is none.
    func programHeader(_ type: UInt32) -> Int {
        let table = Int(integer(UInt64.self, at: 32))
        let count = Int(integer(UInt16.self, at: 56))
        return (0..<count).map { table + 56 * $0 }.first { integer(UInt32.self, at: $0) == type } ?? 0
    }
}
