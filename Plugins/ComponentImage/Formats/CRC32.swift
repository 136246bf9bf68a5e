import ComponentImageContract

/// The cyclic redundancy check of PNG, annex D: the polynomial of ISO 3309, reflected.
enum CRC32 {
    /// The checksum of `bytes`. Bit by bit: it is needed for 17 bytes a file.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
            }
        }
        return ~register
    }
}
