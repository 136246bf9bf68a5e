import ComponentImageContract
import NXKit

/// JPEG (ITU-T T.81, ISO/IEC 10918-1): walks over the segments up to the frame header (SOF).
///
/// A thumbnail is part of an application segment and is skipped with it.
enum JPEGHeader: ImageHeader {
    /// The limit on segments, and on windows of fill bytes, before the frame header. A colour profile takes up to 255
    /// segments.
    private static let largestSegmentCount = 10_000
    /// The number of bytes read at once to find a marker, which any number of fill bytes may precede.
    private static let window = 16

    static func recognizes(_ start: [UInt8]) -> Bool { start.starts(with: [0xFF, 0xD8, 0xFF]) }

    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var offset: UInt64 = 2
        for _ in 0..<largestSegmentCount {
            let bytes = try file.read(at: offset, upTo: window)
            guard let first = bytes.first else {
                throw file.error(.truncated, "it ends at byte \(file.size), before its frame header")
            }
            guard first == 0xFF else {
                let found = "found \(first.hexadecimal)"
                throw file.error(.malformed, "a marker, which begins with FF, was expected at byte \(offset), \(found)")
            }
            guard let index = bytes.firstIndex(where: { $0 != 0xFF }) else {
                // The window has only fill bytes; the last one may belong to the marker.
                offset += UInt64(max(bytes.count - 1, 1))
                continue
            }
            offset += UInt64(index) + 1
            switch bytes[index] {
            // SOF0 to SOF15 except DHT (C4), JPG (C8) and DAC (CC); and DHP (DE), which has the size of a hierarchical
            // picture in the same form and precedes its smaller frames.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xDE:
                return try frame(file, at: offset)
            case 0xD9:
                throw file.error(.malformed, "the picture ends (EOI) at byte \(offset), before its frame header")
            case 0xDA:
                throw file.error(.malformed, "a scan (SOS) begins at byte \(offset), before its frame header")
            case 0x00, 0xD8:
                let marker = bytes[index].hexadecimal
                throw file.error(.malformed, "a segment was expected at byte \(offset), found the marker FF \(marker)")
            case 0x01, 0xD0...0xD7:
                break  // TEM and RST stand alone.
            default:
                offset += try length(of: file, at: offset)
            }
        }
        throw file.error(.limitExceeded, "there are more than \(largestSegmentCount) segments before its frame header")
    }

    /// The size of the segment whose length field is at `offset`, including that field.
    private static func length(of file: borrowing FileBytes, at offset: UInt64) throws(FileError) -> UInt64 {
        var reader = try file.reader(at: offset, count: 2)
        let length = try reader.uint16()
        guard length >= 2 else {
            throw reader.error(.malformed, "a segment of at least 2 bytes was expected, found \(length)")
        }
        return UInt64(length)
    }

    private static func frame(_ file: borrowing FileBytes, at offset: UInt64) throws(FileError) -> ImageInfo {
        var reader = try file.reader(at: offset, count: 8)
        let length = Int(try reader.uint16())
        let precision = Int(try reader.uint8())
        let (height, width) = (Int(try reader.uint16()), Int(try reader.uint16()))
        let components = Int(try reader.uint8())
        guard components > 0, length == 8 + 3 * components else {
            let found = "found \(length) bytes with \(components) components"
            throw reader.error(.malformed, "a frame header of 8 bytes and 3 per component was expected, \(found)")
        }
        guard 2...16 ~= precision else {
            throw reader.error(.malformed, "a precision of 2 to 16 bits was expected, found \(precision)")
        }
        guard width > 0 else {
            throw reader.error(.malformed, "a width of 1 to 65535 was expected, found 0")
        }
        guard height > 0 else {
            throw reader.error(.unsupported, "its height comes after the first scan (DNL), which is not supported")
        }
        return ImageInfo(
            format: .jpeg, width: width, height: height, bitDepth: precision, channels: components,
            paletteBitDepth: nil, hasAlpha: false, isAnimated: false)
    }
}
