import NXKit

/// How the rows and columns of a photo lie, as cameras note it in the first directory of Exif (CIPA DC-008, tag 0112).
struct ExifOrientation: Hashable, Sendable {
    /// How many quarter turns clockwise make the picture upright.
    let quarters: Int
    /// Whether left and right change places after that.
    let isMirrored: Bool

    static let upright = ExifOrientation(quarters: 0, isMirrored: false)

    /// By the numbers of the standard, from 1 on.
    private static let all = [
        upright, ExifOrientation(quarters: 0, isMirrored: true), ExifOrientation(quarters: 2, isMirrored: false),
        ExifOrientation(quarters: 2, isMirrored: true), ExifOrientation(quarters: 1, isMirrored: true),
        ExifOrientation(quarters: 1, isMirrored: false), ExifOrientation(quarters: 3, isMirrored: true),
        ExifOrientation(quarters: 3, isMirrored: false),
    ]

    /// Reads the orientation of a JPEG. A file that has none, or a damaged one, is upright.
    static func read(jpeg file: borrowing FileBytes) -> ExifOrientation {
        do throws(FileError) {
            var segments = JPEGSegments()
            while case let marker = try segments.nextMarker(in: file), ![0xD8, 0xD9, 0xDA].contains(marker) {
                let (offset, count) = try segments.skip(marker, in: file)
                if marker == 0xE1, let found = try directory(file, at: offset, count: count) { return found }
            }
        } catch {}
        return upright
    }

    /// Reads the orientation in a segment; nil if the segment is not Exif.
    private static func directory(
        _ file: borrowing FileBytes, at offset: UInt64, count: Int
    ) throws(FileError) -> ExifOrientation? {
        let start = try file.read(at: offset, upTo: min(count, 8))
        guard count >= 14, start.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        let order: ByteReader.Order = start.last == UInt8(ascii: "I") ? .littleEndian : .bigEndian
        // Offsets count from the byte order on.
        let tiff = offset + 6
        var header = try file.reader(at: tiff + 4, count: 4, order: order)
        let place = Int(try header.uint32())
        guard place <= count - 8 else { return upright }
        var entries = try file.reader(at: tiff + UInt64(place), count: count - 6 - place, order: order)
        for _ in 0..<Int(try entries.uint16()) {
            let (tag, type, values) = (try entries.uint16(), try entries.uint16(), try entries.uint32())
            let value = Int(try entries.uint16())
            try entries.skip(2)
            if tag == 0x0112 { return type == 3 && values == 1 && 1...8 ~= value ? all[value - 1] : upright }
        }
        return upright
    }
}
