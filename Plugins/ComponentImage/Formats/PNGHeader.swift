import ComponentImageContract
import NXKit

/// Portable Network Graphics, third edition (W3C; the second one is ISO/IEC 15948), with APNG's `acTL`.
enum PNGHeader: ImageHeader {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The limit on chunks before the pixels. Encoders write about ten; texts and profiles add some more.
    private static let largestChunkCount = 10_000

    static func recognizes(_ start: [UInt8]) -> Bool { start.starts(with: signature) }

    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var info = try header(file)
        // Walk over the chunks between the header and the pixels: 33 bytes are the signature and IHDR.
        var offset: UInt64 = 33
        for _ in 0..<largestChunkCount {
            var chunk = try file.reader(at: offset, count: 8)
            let length = try chunk.uint32()
            guard length <= Int32.max else {
                throw chunk.error(.malformed, "a chunk of at most \(Int32.max) bytes was expected, found \(length)")
            }
            switch try chunk.fourCC() {
            case "IDAT":
                return info
            case "IEND":
                throw chunk.error(.malformed, "the chunk 'IDAT' was expected, but the picture ends without one")
            case "acTL":
                var control = try file.reader(at: offset + 8, count: 4)
                info.isAnimated = try control.uint32() > 1
            case "tRNS":
                info.hasAlpha = true
            default:
                break
            }
            offset += 12 + UInt64(length)
        }
        throw file.error(.limitExceeded, "there are more than \(largestChunkCount) chunks before its pixels")
    }

    /// Reads `IHDR`, which every decoder must be able to trust, and checks its CRC.
    private static func header(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var chunk = try file.reader(at: 8, count: 25)
        let length = try chunk.uint32()
        let type = try chunk.fourCC()
        guard type == "IHDR", length == 13 else {
            throw chunk.error(.malformed, "the chunk 'IHDR' of 13 bytes was expected, found '\(type)' of \(length)")
        }
        let covered = try file.read(at: 12, count: 17)
        let (width, height) = (try chunk.uint32(), try chunk.uint32())
        let (depth, color) = (try chunk.uint8(), try chunk.uint8())
        let methods = (try chunk.uint8(), try chunk.uint8(), try chunk.uint8())
        let (stored, computed) = (try chunk.uint32(), CRC32.checksum(of: covered))
        guard stored == computed else {
            let found = "found \(stored.hexadecimal)"
            throw chunk.error(.malformed, "the checksum \(computed.hexadecimal) of 'IHDR' was expected, \(found)")
        }
        guard 1...UInt32(Int32.max) ~= width, 1...UInt32(Int32.max) ~= height else {
            let found = "found \(width) × \(height)"
            throw chunk.error(.malformed, "width and height of 1 to \(Int32.max) were expected, \(found)")
        }
        guard let type = ColorType(rawValue: color), type.depths.contains(depth) else {
            throw chunk.error(.malformed, "colour type \(color) with \(depth) bits is not in the standard")
        }
        guard methods.0 == 0, methods.1 == 0, methods.2 <= 1 else {
            throw chunk.error(.malformed, "compression, filter and interlace methods \(methods) are not known")
        }
        return ImageInfo(
            format: .png, width: Int(width), height: Int(height),
            bitDepth: type == .palette ? 8 : Int(depth), channels: type.channels,
            paletteBitDepth: type == .palette ? Int(depth) : nil,
            hasAlpha: type == .grayAlpha || type == .colorAlpha, isAnimated: false)
    }

    /// The colour types of table 8, with their allowed bit depths.
    private enum ColorType: UInt8 {
        case gray = 0
        case color = 2
        case palette = 3
        case grayAlpha = 4
        case colorAlpha = 6

        var depths: [UInt8] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .color, .grayAlpha, .colorAlpha: [8, 16]
            }
        }

        var channels: Int {
            switch self {
            case .gray: 1
            case .grayAlpha: 2
            case .color, .palette: 3
            case .colorAlpha: 4
            }
        }
    }
}

/// The cyclic redundancy check of PNG, annex D: the polynomial of ISO 3309, reflected.
private enum CRC32 {
    /// The checksum of `bytes`. Bit by bit: it is needed for only 17 bytes per file.
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
