import ComponentImageContract
import NXKit

/// Graphics Interchange Format 87a and 89a (CompuServe), up to the second image or the end.
///
/// The header does not contain the number of images, so this walks over the blocks in the first 256 KiB.
enum GIFHeader: ImageHeader {
    private static let largestPrefix = 256 << 10

    static func recognizes(_ start: [UInt8]) -> Bool {
        start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8))
    }

    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        let prefix = try file.read(at: 6, upTo: largestPrefix)
        var reader = ByteReader(prefix, order: .littleEndian, path: file.path, origin: 6)
        let (width, height) = (Int(try reader.uint16()), Int(try reader.uint16()))
        let palette = ColorTable(packed: try reader.uint8())
        try reader.skip(2)  // background colour, pixel aspect ratio
        try reader.skip(palette.byteCount)
        var info = ImageInfo(
            format: .gif, width: width, height: height, bitDepth: 8, channels: 3,
            paletteBitDepth: palette.bitDepth, hasAlpha: false, isAnimated: nil)
        let isWholeFile = file.size <= 6 + UInt64(prefix.count)
        do throws(FileError) {
            try firstImage(&reader, &info)
        } catch let error where error.code == .truncated && !isWholeFile {
            throw file.error(.limitExceeded, "there are more than \(largestPrefix) bytes before its first image")
        }
        guard info.width > 0, info.height > 0 else {
            throw reader.error(
                .malformed, "width and height of 1 to 65535 were expected, found \(info.width) × \(info.height)")
        }
        info.isAnimated = anotherImage(reader, isWholeFile: isWholeFile)
        return info
    }

    /// Walks over the extensions before the first image and records what they declare about it.
    private static func firstImage(_ reader: inout ByteReader, _ info: inout ImageInfo) throws(FileError) {
        while true {
            switch try reader.uint8() {
            case 0x2C:
                let (width, height, palette) = try imageDescriptor(&reader)
                // Some encoders write a screen of 0 × 0, and browsers take the size of the first image then.
                if info.width == 0 { info.width = width }
                if info.height == 0 { info.height = height }
                info.paletteBitDepth = info.paletteBitDepth ?? palette.bitDepth
                return
            case 0x21:
                let label = try reader.uint8()
                var control = reader
                // Graphic control: block size 4, then flags, whose lowest bit declares a transparent colour.
                if label == 0xF9, try control.uint8() == 4, try control.uint8() & 1 == 1 {
                    info.hasAlpha = true
                }
                try subBlocks(&reader)
            case 0x3B:
                throw reader.error(.malformed, "an image was expected, but the file ends without one")
            case let other:
                throw reader.error(.malformed, "an image or extension was expected, found \(other.hexadecimal)")
            }
        }
    }

    /// Whether a second image follows; nil if the bytes read so far do not show it. A file that is cut off after its
    /// first image, or continues with something else, has one image.
    private static func anotherImage(_ start: ByteReader, isWholeFile: Bool) -> Bool? {
        var reader = start
        do throws(FileError) {
            try reader.skip(1)  // minimum code size of the first image
            try subBlocks(&reader)
            while true {
                switch try reader.uint8() {
                case 0x2C: return true
                case 0x21:
                    try reader.skip(1)
                    try subBlocks(&reader)
                default: return false
                }
            }
        } catch {
            return isWholeFile ? false : nil
        }
    }

    /// The rest of an image descriptor, and the image's own colour table.
    ///
    /// - Returns: How far the image reaches on the screen, and its colour table.
    private static func imageDescriptor(
        _ reader: inout ByteReader
    ) throws(FileError) -> (width: Int, height: Int, palette: ColorTable) {
        let (left, top) = (Int(try reader.uint16()), Int(try reader.uint16()))
        let (width, height) = (Int(try reader.uint16()), Int(try reader.uint16()))
        let palette = ColorTable(packed: try reader.uint8())
        try reader.skip(palette.byteCount)
        return (left + width, top + height, palette)
    }

    /// Skips data sub-blocks and the empty block that ends them.
    private static func subBlocks(_ reader: inout ByteReader) throws(FileError) {
        while case let size = try reader.uint8(), size > 0 {
            try reader.skip(Int(size))
        }
    }

    /// The packed field of a screen or image descriptor: whether a colour table follows, and its size.
    private struct ColorTable {
        let bitDepth: Int?
        var byteCount: Int { bitDepth.map { 3 << $0 } ?? 0 }

        init(packed: UInt8) {
            bitDepth = packed & 0x80 == 0 ? nil : Int(packed & 7) + 1
        }
    }
}
