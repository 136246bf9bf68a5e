import ComponentImageContract
import NXKit

/// Windows and OS/2 bitmaps (Microsoft: BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER, BITMAPV4HEADER,
/// BITMAPV5HEADER; IBM: OS22XBITMAPHEADER). The size of the second header identifies its kind.
enum BMPHeader: ImageHeader {
    private static let coreSize: UInt32 = 12
    /// The sizes of headers with colour masks, starting with the undocumented V2 and V3.
    private static let maskSizes: [UInt32] = [52, 56, 108, 124]
    /// OS/2 2.x headers may end anywhere after the size of the picture; 40 is Microsoft's.
    private static let os2Sizes: ClosedRange<UInt32> = 16...64

    static func recognizes(_ start: [UInt8]) -> Bool { start.starts(with: Array("BM".utf8)) }

    static func read(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var reader = try file.reader(at: 14, count: 4, order: .littleEndian)
        let size = try reader.uint32()
        switch size {
        case coreSize: return try coreHeader(file)
        case 40: return try infoHeader(file, maskCount: 0)
        case _ where maskSizes.contains(size): return try infoHeader(file, maskCount: size == 52 ? 3 : 4)
        case os2Sizes: return try infoHeader(file, maskCount: nil)
        default:
            throw reader.error(.unsupported, "a header of 12, 16 to 64, 108 or 124 bytes was expected, found \(size)")
        }
    }

    private static func coreHeader(_ file: borrowing FileBytes) throws(FileError) -> ImageInfo {
        var reader = try file.reader(at: 18, count: 8, order: .littleEndian)
        let (width, height) = (Int(try reader.uint16()), Int(try reader.uint16()))
        try planes(&reader)
        let bits = Int(try reader.uint16())
        guard [1, 4, 8, 24].contains(bits) else {
            throw reader.error(.malformed, "1, 4, 8 or 24 bits per pixel were expected, found \(bits)")
        }
        return try info(reader, width: width, height: height, bits: bits, masks: [])
    }

    /// - Parameter maskCount: The number of colour masks in the header; nil for IBM's header, which has none, numbers
    ///   compressions differently, and may not even have a field for them.
    private static func infoHeader(_ file: borrowing FileBytes, maskCount: Int?) throws(FileError) -> ImageInfo {
        var reader = try file.reader(at: 18, count: 12, order: .littleEndian)
        // A negative height means that the first row is the top one. Its magnitude may be 2^31.
        let (width, height) = (Int(try reader.int32()), Int(try reader.int32().magnitude))
        try planes(&reader)
        let bits = Int(try reader.uint16())
        var masks: [UInt32] = []
        if let maskCount {
            masks = try self.masks(file, count: maskCount, bits: bits)
        }
        guard [1, 2, 4, 8, 16, 24, 32].contains(bits) else {
            throw reader.error(.malformed, "1, 2, 4, 8, 16, 24 or 32 bits per pixel were expected, found \(bits)")
        }
        return try info(reader, width: width, height: height, bits: bits, masks: masks)
    }

    /// The masks that select the bits of a pixel for red, green, blue and perhaps alpha.
    ///
    /// They apply to BI_BITFIELDS (3) and BI_ALPHABITFIELDS (6); they follow a header of 40 bytes, and are part of a
    /// longer one.
    private static func masks(
        _ file: borrowing FileBytes, count: Int, bits: Int
    ) throws(FileError) -> [UInt32] {
        var reader = try file.reader(at: 30, count: 4, order: .littleEndian)
        let compression = try reader.uint32()
        guard compression != 4, compression != 5 else {
            throw reader.error(
                .unsupported, "its pixels are a \(compression == 4 ? "JPEG" : "PNG"), which is not supported")
        }
        guard bits > 8, compression == 3 || compression == 6 else { return [] }
        let count = count > 0 ? count : compression == 3 ? 3 : 4
        reader = try file.reader(at: 54, count: 4 * count, order: .littleEndian)
        var masks: [UInt32] = []
        for _ in 0..<count { masks.append(try reader.uint32()) }
        return masks
    }

    private static func planes(_ reader: inout ByteReader) throws(FileError) {
        let planes = try reader.uint16()
        guard planes == 1 else {
            throw reader.error(.malformed, "one plane was expected, found \(planes)")
        }
    }

    /// - Parameter masks: The masks for red, green, blue and perhaps alpha; empty for the default layout of `bits`.
    private static func info(
        _ reader: ByteReader, width: Int, height: Int, bits: Int, masks: [UInt32]
    ) throws(FileError) -> ImageInfo {
        guard width > 0, height > 0 else {
            throw reader.error(.malformed, "a width and height above 0 were expected, found \(width) × \(height)")
        }
        let hasAlpha = masks.count == 4 && masks[3] != 0
        let widest = masks.prefix(3).map(\.nonzeroBitCount).max() ?? (bits == 16 ? 5 : 8)
        guard widest > 0 else {
            throw reader.error(.malformed, "masks for red, green and blue were expected, found only zeros")
        }
        return ImageInfo(
            format: .bmp, width: width, height: height, bitDepth: widest, channels: hasAlpha ? 4 : 3,
            paletteBitDepth: bits <= 8 ? bits : nil, hasAlpha: hasAlpha, isAnimated: false)
    }
}
