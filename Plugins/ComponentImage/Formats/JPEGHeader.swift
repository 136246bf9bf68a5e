import ComponentImageContract
import NXKit

/// JPEG (ITU-T T.81, ISO/IEC 10918-1): walks over the segments up to the frame header (SOF).
///
/// A thumbnail is part of an application segment and is skipped with it.
enum JPEGHeader: ImageHeader {
    static func recognizes(_ start: [UInt8]) -> Bool { start.starts(with: [0xFF, 0xD8, 0xFF]) }

    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var segments = JPEGSegments()
        while true {
            let marker = try segments.nextMarker(in: file)
            let offset = segments.offset
            switch marker {
            // SOF0 to SOF15 except DHT (C4), JPG (C8) and DAC (CC); and DHP (DE), which has the size of a hierarchical
            // picture in the same form and precedes its smaller frames.
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xDE:
                return try frame(file, at: offset)
            case 0xD9:
                throw file.error(.malformed, "the picture ends (EOI) at byte \(offset), before its frame header")
            case 0xDA:
                throw file.error(.malformed, "a scan (SOS) begins at byte \(offset), before its frame header")
            case 0xD8:
                throw file.error(.malformed, "a segment was expected at byte \(offset), found the marker FF D8")
            default:
                try segments.skip(marker, in: file)
            }
        }
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
