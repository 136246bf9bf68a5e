import TestSupport

/// Paints large pictures.
enum Painting {
    /// A PNG without compression.
    ///
    /// - Parameters:
    ///   - hasAlpha: Whether pixels can be transparent.
    ///   - color: Returns the colour of a pixel: red in the highest byte, alpha in the lowest.
    static func png(
        width: Int, height: Int, hasAlpha: Bool = false, _ color: (_ x: Int, _ y: Int) -> UInt32
    ) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + width * 4))
        for y in 0..<height {
            rows.append(0)  // no filter
            for x in 0..<width {
                let color = color(x, y)
                for shift in stride(from: 24, through: hasAlpha ? 0 : 8, by: -8) {
                    rows.append(UInt8(truncatingIfNeeded: color >> shift))
                }
            }
        }
        let header = Make.be32(UInt32(width)) + Make.be32(UInt32(height)) + [8, hasAlpha ? 6 : 2, 0, 0, 0]
        return Make.pngSignature + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    /// Any colours, which no format makes small.
    static func noise(width: Int, height: Int, hasAlpha: Bool = false) -> [UInt8] {
        var random = SplitMix64(seed: 42)
        return png(width: width, height: height, hasAlpha: hasAlpha) { _, _ in
            UInt32.random(in: 0...UInt32.max, using: &random)
        }
    }

    /// Four colours: red, green, blue and white, by rows.
    static func quarters(width: Int, height: Int) -> [UInt8] {
        png(width: width, height: height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): 0xFF00_00FF
            case (false, true): 0x00FF_00FF
            case (true, false): 0x0000_FFFF
            case (false, false): 0xFFFF_FFFF
            }
        }
    }

    /// One colour.
    static func plain(width: Int, height: Int, _ color: UInt32 = 0x3366_99FF) -> [UInt8] {
        png(width: width, height: height) { _, _ in color }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let covered = Array(type.utf8) + content
        var register = UInt32.max
        for byte in covered { register = table[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ register >> 8 }
        return Make.be32(UInt32(content.count)) + covered + Make.be32(~register)
    }

    /// The checksums of single bytes.
    private static let table = (0..<256).map { index -> UInt32 in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    /// A stream of zlib (RFC 1950) with stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            result += [start + block.count == bytes.count ? 1 : 0]
            result += Make.le16(UInt16(block.count)) + Make.le16(~UInt16(block.count)) + block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return result + Make.be32(high << 16 | low)
    }
}

extension Make {
    /// A segment of a JPEG with Exif, whose first directory has an orientation after another entry.
    static func exif(_ orientation: UInt16, isLittleEndian: Bool = false) -> [UInt8] {
        func number16(_ value: UInt16) -> [UInt8] { isLittleEndian ? le16(value) : be16(value) }
        func number32(_ value: UInt32) -> [UInt8] { isLittleEndian ? le32(value) : be32(value) }
        var content = Array("Exif\0\0".utf8) + Array((isLittleEndian ? "II" : "MM").utf8)
        content += number16(42) + number32(8) + number16(2)
        content += number16(0x0100) + number16(3) + number32(1) + number16(600) + [0, 0]
        content += number16(0x0112) + number16(3) + number32(1) + number16(orientation) + [0, 0]
        return segment(0xE1, content + number32(0))
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker] + be16(UInt16(content.count + 2)) + content
    }
}
