import ComponentImageContract
import NXKit

/// WebP (RFC 9649): the first chunk of the RIFF container, which is a VP8 key frame (RFC 6386), a VP8L header, or
/// the extended header VP8X.
enum WebPHeader: ImageHeader {
    /// "RIFF", four bytes of size, "WEBP", and the first chunk's type and size.
    private static let payload: UInt64 = 20

    static func recognizes(_ start: [UInt8]) -> Bool {
        start.starts(with: Array("RIFF".utf8)) && start.dropFirst(8).starts(with: Array("WEBP".utf8))
    }

    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var reader = try file.reader(at: 12, count: 8, order: .littleEndian)
        let type = try reader.fourCC()
        let size = try reader.uint32()
        let format: (least: UInt32, read: (inout ByteReader) throws(FileError) -> ImageInfo)
        switch type {
        case "VP8 ": format = (10, lossy)
        case "VP8L": format = (5, lossless)
        case "VP8X": format = (10, extended)
        default: throw reader.error(.unsupported, "a chunk 'VP8 ', 'VP8L' or 'VP8X' was expected, found '\(type)'")
        }
        guard size >= format.least else {
            let expected = "a chunk '\(type)' of at least \(format.least) bytes was expected"
            throw reader.error(.malformed, "\(expected), found \(size)")
        }
        var content = try file.reader(at: payload, count: Int(format.least), order: .littleEndian)
        return try format.read(&content)
    }

    /// RFC 6386, section 9.1: frame tag, start code, and width and height of 14 bits each, below two bits of scaling.
    private static func lossy(_ reader: inout ByteReader) throws(FileError) -> ImageInfo {
        let tag = try reader.uint24()
        guard tag & 1 == 0 else {
            throw reader.error(.malformed, "a key frame was expected, found a frame that depends on others")
        }
        let startCode = try reader.run(of: 3)
        guard startCode == [0x9D, 0x01, 0x2A] else {
            let found = startCode.map(\.hexadecimal).joined(separator: " ")
            throw reader.error(.malformed, "the start code 9D 01 2A was expected, found \(found)")
        }
        let (width, height) = (Int(try reader.uint16() & 0x3FFF), Int(try reader.uint16() & 0x3FFF))
        guard width > 0, height > 0 else {
            throw reader.error(.malformed, "width and height of 1 to 16383 were expected, found \(width) × \(height)")
        }
        return info(width: width, height: height, hasAlpha: false, isAnimated: false)
    }

    /// RFC 9649, section 3.4: signature, 14 bits each of width - 1 and height - 1, alpha, three bits of version.
    private static func lossless(_ reader: inout ByteReader) throws(FileError) -> ImageInfo {
        let signature = try reader.uint8()
        let bits = try reader.uint32()
        guard signature == 0x2F, bits >> 29 == 0 else {
            let found = "found \(signature.hexadecimal) and version \(bits >> 29)"
            throw reader.error(.malformed, "the signature 2F and version 0 were expected, \(found)")
        }
        return info(
            width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1, hasAlpha: bits >> 28 & 1 == 1,
            isAnimated: false)
    }

    /// RFC 9649, section 2.7: flags, and 24 bits each of the canvas's width - 1 and height - 1.
    private static func extended(_ reader: inout ByteReader) throws(FileError) -> ImageInfo {
        let flags = try reader.uint8()
        try reader.skip(3)
        let (width, height) = (Int(try reader.uint24()) + 1, Int(try reader.uint24()) + 1)
        guard width * height <= UInt32.max else {
            throw reader.error(.malformed, "at most \(UInt32.max) pixels were expected, found \(width) × \(height)")
        }
        return info(width: width, height: height, hasAlpha: flags & 0x10 != 0, isAnimated: flags & 0x02 != 0)
    }

    private static func info(width: Int, height: Int, hasAlpha: Bool, isAnimated: Bool) -> ImageInfo {
        ImageInfo(
            format: .webp, width: width, height: height, bitDepth: 8, channels: hasAlpha ? 4 : 3,
            paletteBitDepth: nil, hasAlpha: hasAlpha, isAnimated: isAnimated)
    }
}
