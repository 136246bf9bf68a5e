/// Makes the bytes of small headers.
enum Make {
    static func be16(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
    static func be32(_ value: UInt32) -> [UInt8] { be16(UInt16(value >> 16)) + be16(UInt16(value & 0xFFFF)) }
    static func le16(_ value: UInt16) -> [UInt8] { be16(value).reversed() }
    static func le32(_ value: UInt32) -> [UInt8] { be32(value).reversed() }

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let pngPixels = chunk("IDAT", [0])

    /// A chunk of PNG. Its checksum is correct only for 'IHDR', unless it is passed.
    static func chunk(_ type: String, _ content: [UInt8], crc: UInt32 = 0) -> [UInt8] {
        be32(UInt32(content.count)) + Array(type.utf8) + content + be32(crc)
    }

    static func png(
        width: UInt32 = 1, depth: UInt8 = 8, color: UInt8 = 2, interlace: UInt8 = 0, crc: UInt32? = nil,
        chunks: [UInt8] = pngPixels
    ) -> [UInt8] {
        let header = be32(width) + be32(1) + [depth, color, 0, 0, interlace]
        let right = checksum(Array("IHDR".utf8) + header)
        return pngSignature + chunk("IHDR", header, crc: crc ?? right) + chunks
    }

    /// The checksum of PNG's annex D, by a bitwise division from the front, which differs from the reader's algorithm.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let message = bytes + [0, 0, 0, 0]
        var remainder: UInt32 = 0
        for (index, byte) in message.enumerated() {
            let inverted = index < 4 ? ~byte : byte
            for bit in 0..<8 {
                let overflows = remainder >> 31 == 1
                remainder = remainder << 1 | UInt32(inverted >> UInt8(bit) & 1)
                if overflows { remainder ^= 0x04C1_1DB7 }
            }
        }
        return ~(0..<32).reduce(UInt32(0)) { $0 << 1 | remainder >> UInt32($1) & 1 }
    }

    static func jpeg(
        marker: UInt8 = 0xC0, length: UInt16 = 17, precision: UInt8 = 8, height: UInt16 = 3, width: UInt16 = 2
    ) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, marker] + be16(length) + [precision] + be16(height) + be16(width) + [3]
            + [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
    }

    static func gif(width: UInt16 = 1, _ blocks: [UInt8]) -> [UInt8] {
        Array("GIF89a".utf8) + le16(width) + le16(1) + [0, 0, 0] + blocks
    }

    static func bmp(
        headerSize: UInt32 = 40, width: Int32 = 1, height: Int32 = 1, planes: UInt16 = 1, bits: UInt16 = 24,
        compression: UInt32 = 0, masks: [UInt32] = []
    ) -> [UInt8] {
        var bytes = Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + le32(headerSize)
        bytes += le32(UInt32(bitPattern: width)) + le32(UInt32(bitPattern: height)) + le16(planes) + le16(bits)
        bytes += le32(compression) + [UInt8](repeating: 0, count: 20) + masks.flatMap(le32)
        return bytes
    }

    static func webp(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let riff = Array("RIFF".utf8) + le32(UInt32(12 + content.count)) + Array("WEBP".utf8)
        return riff + Array(type.utf8) + le32(UInt32(content.count)) + content
    }
}
